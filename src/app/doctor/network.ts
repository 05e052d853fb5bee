// Checks the CAs and proxies that the environment sets for programs (spec 2.2). Makes no network calls.
//   N1. Only the host and port of a proxy URL are shown, because it may contain a password.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { type Check, finding, passed } from "./check.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where Linux distributions keep their CAs. */
const BUNDLES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
  "/usr/local/share/certs/ca-root-nss.crt",
];
/** Pairs of an environment variable and the programs that read it. */
const CA_FILES: readonly (readonly [string, string])[] = [
  ["SSL_CERT_FILE", "OpenSSL, Python, curl"],
  ["CURL_CA_BUNDLE", "curl"],
  ["NODE_EXTRA_CA_CERTS", "Node.js"],
  ["REQUESTS_CA_BUNDLE", "Python's requests"],
  ["GIT_SSL_CAINFO", "git"],
];

export function certificateChecks(env: Env, platform: NodeJS.Platform = process.platform, bundles = BUNDLES): Check[] {
  const what = "certificates";
  const wrongs = CA_FILES.flatMap(([name, reader]): Check[] => {
    const file = env[name];
    if (file === undefined || file === "") return [];
    const why = pemProblem(file);
    return why === undefined
      ? []
      : [
          finding("wrong", what, "ca-file", [
            `${name} (${reader}) names ${file}, but ${why}.`,
            `Correct ${name}, or remove it from the environment.`,
          ]),
        ];
  });
  if (platform === "darwin" || platform === "win32")
    return wrongs.length > 0 ? wrongs : [passed(what, "The system's own CAs are used.")];
  const bundle = bundles.find((file) => pemProblem(file) === undefined);
  if (bundle === undefined)
    wrongs.push(
      finding("wrong", what, "ca-bundle-missing", [
        "There is no CA bundle in the usual places, so curl can't verify https calls.",
        "Install ca-certificates, or set SSL_CERT_FILE.",
      ]),
    );
  return wrongs.length > 0 ? wrongs : [passed(what, bundle!)];
}

/** Part of a sentence, or undefined if the start of the file contains a certificate. */
function pemProblem(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return "it is not a file";
    const descriptor = openSync(file, "r");
    try {
      const start = Buffer.alloc(65_536);
      const text = start.toString("latin1", 0, readSync(descriptor, start));
      return /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(text) ? undefined : "it contains no certificate";
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "it does not exist" : "it cannot be read";
  }
}

const PROXIES = ["http_proxy", "https_proxy", "all_proxy"] as const;

export function proxyChecks(env: Env): Check[] {
  const what = "proxy";
  const set = PROXIES.flatMap((name) => [name, name.toUpperCase()]).filter((name) => (env[name] ?? "") !== "");
  if (set.length === 0) return [passed(what, "None is set.")];
  const checks: Check[] = [];
  for (const name of set)
    if (addressOf(env[name]!) === undefined)
      checks.push(
        finding("wrong", what, "proxy-malformed", [
          `${name} is not the URL of a proxy.`,
          `Write it as http://HOST:PORT, or remove it from the environment.`,
        ]),
      );
  const except = (env.no_proxy ?? env.NO_PROXY ?? "").split(/[\s,]+/);
  if (!except.some((host) => ["*", "localhost", ".localhost", "127.0.0.1", "127.0.0.0/8"].includes(host)))
    checks.push(
      finding("note", what, "proxy-localhost", [
        "NO_PROXY does not contain localhost, so calls to this machine go through the proxy.",
        "Set no_proxy=localhost,127.0.0.1,::1 (and NO_PROXY the same).",
      ]),
    );
  if (checks.length > 0) return checks;
  return [{ what, status: "ok", message: set.map((name) => `${name}: ${addressOf(env[name]!)}`).join(", ") }];
}

/** N1. curl also accepts `host:port` without a scheme. */
function addressOf(text: string): string | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || /\s/.test(text)) return undefined;
  if (!/^(?:https?|socks(?:4a?|5h?)?):$/.test(url.protocol) || url.hostname === "") return undefined;
  return url.port === "" ? url.hostname : `${url.hostname}:${url.port}`;
}
