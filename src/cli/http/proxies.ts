// proxies: which proxy a call goes through, by the environment, as curl reads it (spec 3.6).
//   P1. HTTP_PROXY in capitals is not read: a web server sets it from a header of a request.
//   P2. NO_PROXY: names with everything under them, addresses, ranges such as 10.0.0.0/8, or * for all.

import { BlockList, isIP } from "node:net";
import { HttpExit, HttpProblem } from "./problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined: the call goes straight to its host. Throws `HttpProblem` (5) when what is set is no address of a proxy. */
export function proxyFor(url: URL, env: Env): URL | undefined {
  const text =
    (url.protocol === "https:" ? env.https_proxy || env.HTTPS_PROXY : env.http_proxy) || env.all_proxy || env.ALL_PROXY;
  if (!text || isExempt(url, env.no_proxy ?? env.NO_PROXY ?? "")) return undefined;
  const proxy = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (proxy === null || proxy.hostname === "" || !/^(?:https?|socks5h?|socks):$/.test(proxy.protocol))
    throw new HttpProblem(
      HttpExit.PROXY,
      "bad-proxy",
      "The address of the proxy in the environment cannot be used.",
      "Check HTTPS_PROXY, http_proxy and ALL_PROXY: http://HOST:PORT, https:// or socks5://.",
    );
  if (proxy.protocol === "socks5h:") return new URL(proxy.href.replace(/^socks5h:/, "socks5:"));
  return proxy;
}

/** P2. */
export function isExempt(url: URL, list: string): boolean {
  const host = url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => entry === "*" || matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry.includes("/")) return inRange(entry, host);
  const [, name = "", only] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const bare = name.replace(/^\*?\./, "").replace(/\.$/, "");
  if (bare === "") return false;
  return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
}

function inRange(entry: string, host: string): boolean {
  const [network = "", bits = ""] = entry.split("/");
  const kind = isIP(network);
  if (kind === 0 || isIP(host) !== kind || !/^\d{1,3}$/.test(bits) || Number(bits) > (kind === 4 ? 32 : 128))
    return false;
  const range = new BlockList();
  const family = kind === 4 ? "ipv4" : "ipv6";
  range.addSubnet(network, Number(bits), family);
  return range.check(host, family);
}
