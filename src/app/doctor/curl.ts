// Checks which features curl has, and whether its configuration file changes every call (spec 2.2, 3.6).
//   U1. The report names the options of a .curlrc, never their values.

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Check, finding, passed } from "./check.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The first version with `--fail-with-body`. */
const FAIL_WITH_BODY = [7, 76] as const;

export function curlChecks(path: string, said: string, env: Env): Check[] {
  const first = said.split("\n")[0] ?? "";
  const version = /^curl (\d+)\.(\d+)(?:\.(\d+))?/.exec(first);
  if (version === null)
    return [
      finding("wrong", "curl", "program-broken", [
        `${path} does not work: it does not print the version of curl.`,
        "Install curl again.",
      ]),
      ...curlrcChecks(env),
    ];
  const features = /^Features: (.*)$/m.exec(said)?.[1] ?? "";
  const protocols = /^Protocols: (.*)$/m.exec(said)?.[1] ?? "";
  const tls =
    /\b((?:OpenSSL|LibreSSL|BoringSSL|GnuTLS|wolfSSL|mbedTLS|NSS|Schannel|SecureTransport|rustls\S*|AWS-LC)(?:\/\S+)?)/i.exec(
      first,
    )?.[1];
  const http2 = /\bHTTP2\b/.test(features);
  const facts = [tls === undefined ? "no TLS" : tls, http2 ? "HTTP/2" : "no HTTP/2"].join(", ");
  const checks: Check[] = [passed("curl", `${path}: ${version[0]} (${facts})`)];
  if (!/\bhttps\b/.test(protocols))
    checks.push(
      finding("wrong", "curl", "curl-no-https", [
        "This curl does not support https.",
        "Install curl with TLS, or use `curlew http`.",
      ]),
    );
  if (isBefore([Number(version[1]), Number(version[2])], FAIL_WITH_BODY))
    checks.push(
      finding("note", "curl", "curl-old", [
        `This curl is older than ${FAIL_WITH_BODY.join(".")} and does not support --fail-with-body.`,
        "Update curl, or use --fail, which hides the server's message.",
      ]),
    );
  return [...checks, ...curlrcChecks(env)];
}

function isBefore(
  [major, minor]: readonly [number, number],
  [thanMajor, thanMinor]: readonly [number, number],
): boolean {
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}

/** The configuration file that curl uses: the first that exists. */
function curlrcOf(env: Env): string | undefined {
  const folders = [env.CURL_HOME, env.XDG_CONFIG_HOME, env.HOME ?? homedir(), env.APPDATA];
  const names = folders.flatMap((folder) =>
    folder === undefined || folder === "" ? [] : [join(folder, ".curlrc"), join(folder, "_curlrc")],
  );
  return names.find((name) => existsSync(name));
}

/** Options that change what every call prints, sends, or returns. */
const CHANGES = new Set(
  (
    "i include I head o output O remote-name J remote-header-name w write-out D dump-header " +
    "u user U H header b cookie oauth2-bearer A user-agent X request d data json x proxy F form e referer " +
    "f fail fail-with-body m max-time max-filesize"
  ).split(" "),
);

function curlrcChecks(env: Env): Check[] {
  const file = curlrcOf(env);
  if (file === undefined) return [];
  const options = optionsIn(file);
  const checks: Check[] = [];
  if (options.some((option) => ["insecure", "k", "proxy-insecure"].includes(option)))
    checks.push(
      finding("wrong", "curl", "curlrc-insecure", [
        `${file} turns off certificate checks for every call.`,
        `Remove "insecure" from it. To add a CA, write: cacert = FILE`,
      ]),
    );
  const changing = options.filter((option) => CHANGES.has(option));
  if (changing.length > 0)
    checks.push(
      finding("note", "curl", "curlrc", [
        `${file} changes what every call prints, sends, or returns: ${[...new Set(changing)].join(", ")}.`,
        "Remove it, or begin commands with `curl --disable`, which ignores .curlrc.",
      ]),
    );
  return checks;
}

/** Accepts `option value`, `option = value`, `option: value`, `--option`, `-o`. None if it cannot be read. U1. */
function optionsIn(file: string): string[] {
  try {
    return readFileSync(file, "utf8")
      .split(/\r?\n/)
      .flatMap((line) => /^\s*-{0,2}([A-Za-z0-9][\w.-]*)/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}
