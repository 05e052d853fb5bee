// Checks which features curl has, and whether its configuration file changes every call (spec 2.2, 3.6).
//   U1. The report names the options of a .curlrc, never their values.

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Check } from "./check.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The first version with `--fail-with-body`. */
const FAIL_WITH_BODY = [7, 76] as const;

export function curlChecks(path: string, said: string, env: Env): Check[] {
  const first = said.split("\n")[0] ?? "";
  const version = /^curl (\d+)\.(\d+)(?:\.(\d+))?/.exec(first);
  if (version === null)
    return [
      {
        what: "curl",
        status: "wrong",
        code: "program-broken",
        message: `${path} cannot be used: it does not say which curl it is.`,
        help: "Install curl again.",
      },
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
  const checks: Check[] = [{ what: "curl", status: "ok", message: `${path}: ${version[0]} (${facts})` }];
  if (!/\bhttps\b/.test(protocols))
    checks.push({
      what: "curl",
      status: "wrong",
      code: "curl-no-https",
      message: "This curl cannot call https.",
      help: "Install a curl with TLS, or call with `curlew http`.",
    });
  if (isBefore([Number(version[1]), Number(version[2])], FAIL_WITH_BODY))
    checks.push({
      what: "curl",
      status: "note",
      code: "curl-old",
      message: `This curl is older than ${FAIL_WITH_BODY.join(".")} and does not know --fail-with-body.`,
      help: "Update curl, or use --fail, which hides what the server says.",
    });
  if (path.startsWith("/snap/"))
    checks.push({
      what: "curl",
      status: "note",
      code: "curl-snap",
      message: "This curl is a snap: it cannot read files in /tmp and in hidden folders.",
      help: "Install the curl of the distribution, and let it stand first on PATH.",
    });
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

const PRINTS = "i include I head o output O remote-name J remote-header-name w write-out D dump-header";
const SENDS = "u user H header b cookie oauth2-bearer A user-agent X request d data json x proxy F form e referer";
const ENDS = "f fail fail-with-body m max-time max-filesize";

function curlrcChecks(env: Env): Check[] {
  const file = curlrcOf(env);
  if (file === undefined) return [];
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [
      {
        what: "curl",
        status: "note",
        code: "curlrc-unreadable",
        message: `${file} cannot be read, and curl says so at each call.`,
        help: `chmod u+r '${file}'`,
      },
    ];
  }
  const options = optionsIn(text);
  const checks: Check[] = [];
  if (options.some((option) => ["insecure", "k", "proxy-insecure"].includes(option)))
    checks.push({
      what: "curl",
      status: "wrong",
      code: "curlrc-insecure",
      message: `${file} turns the check of certificates off for every call.`,
      help: `Take "insecure" out of it; cacert = FILE adds a CA.`,
    });
  for (const [names, does] of [
    [PRINTS, "changes what every call prints"],
    [SENDS, "adds to what every call sends, to whichever host"],
    [ENDS, "changes how every call ends"],
  ] as const) {
    const found = options.filter((option) => names.split(" ").includes(option));
    if (found.length > 0)
      checks.push({
        what: "curl",
        status: "note",
        code: "curlrc",
        message: `${file} ${does}: ${[...new Set(found)].join(", ")}.`,
        help: "Take it out, or begin commands with `curl --disable`, which reads no .curlrc.",
      });
  }
  return checks;
}

/** Accepts `option value`, `option = value`, `option: value`, `--option`, `-o`. U1. */
function optionsIn(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const option = /^\s*-{0,2}([A-Za-z0-9][\w.-]*)/.exec(line)?.[1];
    return option === undefined || line.trim().startsWith("#") ? [] : [option];
  });
}
