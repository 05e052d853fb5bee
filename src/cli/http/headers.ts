// headers: checks the URL of a call and builds its headers (spec 3.6; 4.2, "HTTPS only").
//   H1. https everywhere; http only to this machine. Other http needs --plain-http, which a safe node does not have.
//   H2. URLs must not contain a user name or password, and -H must not contain a secret, because the process list shows
//       both.
//   H3. A secret header goes only to the host that was called, not to redirect targets.

import { isLoopbackHost } from "../../shell/safety/index.ts";
import { bytesOf, type Stdin } from "./body.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export function urlOf(text: string, query: readonly string[], plain: boolean): URL {
  const trimmed = text.trim();
  const host = /^(?:\[[^\]]*\]|[^:/?#]*)/.exec(trimmed)?.[0] ?? "";
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? "" : isLoopbackHost(host) ? "http://" : "https://";
  const url = /[\s\0]/.test(trimmed) || trimmed === "" ? null : URL.parse(`${scheme}${trimmed}`);
  if (url === null || url.hostname === "")
    throw new HttpProblem(
      HttpExit.URL,
      "url",
      "The URL is malformed.",
      "Check it for spaces and unescaped characters. --query name=value percent-encodes a value.",
    );
  if (url.username !== "" || url.password !== "")
    throw usage(
      "secret-on-command-line",
      "The URL contains a user name or password.",
      "--auth basic=USER,PASSWORD takes them from the environment.",
    );
  for (const one of query) {
    const at = one.indexOf("=");
    if (at < 1) throw usage("bad-query", `"--query ${one}" has no name.`, "--query name=value");
    const pair = `${encodeURIComponent(one.slice(0, at))}=${encodeURIComponent(one.slice(at + 1))}`;
    url.search += `${url.search === "" ? "" : "&"}${pair}`;
  }
  url.hash = "";
  const problem = notAllowed(url, plain);
  if (problem !== undefined) throw problem;
  return url;
}

/** The reason this URL may not be called. */
export function notAllowed(url: URL, plain: boolean): HttpProblem | undefined {
  if (url.protocol === "https:") return undefined;
  if (url.protocol !== "http:")
    return new HttpProblem(
      HttpExit.PROTOCOL,
      "protocol",
      `"curlew http" does not support ${url.protocol.slice(0, -1)}.`,
      "Write the URL with https://.",
    );
  if (plain || isLoopbackHost(url.hostname)) return undefined;
  return new HttpProblem(
    HttpExit.PROTOCOL,
    "http-not-allowed",
    `http:// to ${url.host} is not allowed, because others on the network can read and change it.`,
    "Write https://, or allow http with egress: any, or with --plain-http in a terminal. URLs of this machine are always allowed.",
  );
}

export interface Header {
  name: string;
  value: string;
  secret: boolean;
}

const SECRET_NAME = /^(?:(?:proxy-)?authorization|cookie|(?:x-)?(?:api|auth|access|private|secret)-?(?:key|token))$/i;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Parses `-H`. An empty value removes the default header of that name. */
export async function headersOf(lines: readonly string[], stdin: Stdin): Promise<Header[]> {
  const found: Header[] = [];
  for (const line of lines) {
    if (!line.startsWith("@")) {
      found.push(ofCommandLine(line));
      continue;
    }
    const text = (await bytesOf(line, stdin)).toString("utf8");
    for (const one of text.split(/\r?\n/))
      if (one.trim() !== "" && !one.startsWith("#")) found.push(headerOf(one, "A line of the file", true));
  }
  return found;
}

function ofCommandLine(line: string): Header {
  const header = headerOf(line, `"${line}"`, false);
  const { name, value, secret } = header;
  if (!secret || value === "" || /^cookie$/i.test(name)) return header;
  throw usage(
    "secret-on-command-line",
    `The header ${name} would be on the command line, where every program on this machine can read it.`,
    `--auth ${/authorization/i.test(name) ? "bearer=TOKEN" : `header:${name}=KEY`} takes it from the environment; -H @FILE from a file.`,
  );
}

function headerOf(line: string, what: string, fromFile: boolean): Header {
  const at = line.indexOf(":");
  const name = line.slice(0, Math.max(at, 0)).trim();
  const value = line.slice(at + 1).trim();
  if (at < 1 || !NAME.test(name)) throw usage("bad-header", `${what} is not a header.`, "-H 'Name: value'");
  if (/[\r\n\0]/.test(value)) throw usage("bad-header", `The header ${name} contains a newline, which is not allowed.`);
  return { name, value, secret: fromFile || SECRET_NAME.test(name) };
}

/** The defaults first, except those that the author set or removed. */
export function withDefaults(defaults: readonly Header[], given: readonly Header[]): Header[] {
  const named = new Set(given.map(({ name }) => name.toLowerCase()));
  return [
    ...defaults.filter(({ name }) => !named.has(name.toLowerCase())),
    ...given.filter(({ value }) => value !== ""),
  ];
}
