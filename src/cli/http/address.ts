// address: the URL of a call, and whether it may be called at all (spec 4.2, "HTTPS only").
//   A1. https, or http to this machine itself; anywhere else by http only with --plain-http, which a safe node does not have.
//   A2. No user name or password in a URL: it stands in the process list, in logs, and in errors.

import { isLoopbackHost } from "../../workflow/safety/addresses.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

export function addressOf(text: string, query: readonly string[], plain: boolean): URL {
  const trimmed = text.trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : withScheme(trimmed);
  const url = /[\s\0]/.test(trimmed) || trimmed === "" ? null : URL.parse(whole);
  if (url === null || url.hostname === "")
    throw new HttpProblem(
      HttpExit.URL,
      "url",
      "The URL is malformed.",
      "Check it for blanks and unescaped characters; --query name=value percent-encodes a value.",
    );
  if (url.username !== "" || url.password !== "")
    throw usage(
      "secret-on-command-line",
      "The URL holds a user name or password.",
      "--auth basic=USER,PASSWORD takes them from the environment.",
    );
  for (const one of query) {
    const at = one.indexOf("=");
    if (at < 1) throw usage("bad-query", `"--query ${one}" has no name.`, "--query name=value");
    url.search += `${url.search === "" ? "" : "&"}${encodeURIComponent(one.slice(0, at))}=${encodeURIComponent(one.slice(at + 1))}`;
  }
  url.hash = "";
  return allowed(url, plain);
}

/** curl takes a word without a scheme for http; here only this machine is called so. */
function withScheme(text: string): string {
  const host = /^(?:\[[^\]]*\]|[^:/?#]*)/.exec(text)?.[0] ?? "";
  return `${isLoopbackHost(host) ? "http" : "https"}://${text}`;
}

/** A1. Failures `http-not-allowed` (exit code 1). */
export function allowed(url: URL, plain: boolean): URL {
  if (url.protocol === "https:") return url;
  if (url.protocol !== "http:")
    throw new HttpProblem(
      HttpExit.PROTOCOL,
      "protocol",
      `"curlew http" does not speak ${url.protocol.slice(0, -1)}.`,
      "Write the URL with https://.",
    );
  if (plain || isLoopbackHost(url.hostname)) return url;
  throw new HttpProblem(
    HttpExit.PROTOCOL,
    "http-not-allowed",
    `http:// to ${url.host} is not allowed: everybody on the way can read and change it.`,
    "Write https://. Only this machine itself is called by http; egress: any in the document allows all, --plain-http does in a terminal.",
  );
}
