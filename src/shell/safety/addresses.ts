// safety/addresses: finds plain http URLs, and those among them that never leave the machine (spec 4.2, "HTTPS only").
//   D1. Loopback is a host that can mean nothing else: localhost, *.localhost, 127.0.0.0/8, [::1]. A longer name or an
//       @ after it makes it another host. So does a dot at the end: curl asks the network for `localhost.`.
//   D2. User information is skipped only where every client reads it alike: one @, and before it no character that ends
//       a host.
// Not done: DNS lookups. A name that happens to resolve to 127.0.0.1 is not loopback.

/** The scheme in lowercase, without its colon; undefined for words without one, such as `localhost:80`. */
export function schemeOf(url: string): string | undefined {
  const scheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*):(?=\/\/|[^0-9/]|\/(?!\/))/.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return undefined;
  // curl reads `host:name` as a host, unless it knows the scheme.
  return /^\s*[^:]+:\/\//.test(url) || PLAIN.has(scheme) || scheme === "https" ? scheme : undefined;
}

/** Schemes of curl and wget other than https: unencrypted, or not a network call at all. */
const PLAIN: ReadonlySet<string> = new Set(
  (
    "http ftp ftps file telnet gopher gophers dict ldap ldaps tftp scp sftp smb smbs smtp smtps imap imaps pop3 pop3s rtsp rtmp " +
    "mqtt ws"
  ).split(" "),
);

/**
 * The host of a URL or of a word without a scheme, as far as it is known; undefined if the user information is
 * ambiguous (D2).
 */
export function hostOf(url: string): string | undefined {
  const whole = /^\s*(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/)?([^/?#\s]*)/.exec(url)?.[1] ?? "";
  const authority = whole.replace(/^(?:[\w.~!*+,;=:-]|%[0-9A-Fa-f]{2})*@/, "");
  if (authority.includes("@")) return undefined;
  return /^(\[[^\]]*\]|[^:]*)(?::[0-9]*)?$/.exec(authority)?.[1]?.toLowerCase();
}

export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.[0-9]{1,3}){3}|\[(?:0{0,4}:){2,7}0{0,3}1\])$/i.test(host);
}

/** `http://localhost:8080/x`. Text that follows (a port from a value) must not be able to extend the host. */
export function isLoopbackUrl(url: string): boolean {
  const host = hostOf(url);
  return host !== undefined && isLoopbackHost(host);
}

/**
 * Whether curl must be allowed http:// in this command, because a loopback URL occurs in its text or values. `text` is
 * the node's content; `values` are those of its references and env.static. Other hosts never make it true.
 * @example curlNeedsPlainHttp('curl "${api}/items"', ["http://127.0.0.1:4790"]) === true
 */
export function curlNeedsPlainHttp(text: string, values: Iterable<string>): boolean {
  if (addressesIn(text).some(isLoopbackUrl)) return true;
  const parts = /http:\/\/\$/i.test(text);
  for (const value of values) {
    if (/^\s*http:\/\//i.test(value) && value.split(/\s+/, 1_000).some(isPlainLoopback)) return true;
    // `http://${host}:${port}/`
    if (parts && value.length < 256 && isLoopbackHost(value.trim().replace(/:[0-9]+$/, ""))) return true;
  }
  return false;
}

/** Every http:// URL in the text. A reference ends a URL, because its value is not known here. */
function addressesIn(text: string): string[] {
  return (text.match(/\bhttp:\/\/[^\s"'`<>|;&()${}]+/gi) ?? []).map((url) => url.replace(/\\+$/, ""));
}

function isPlainLoopback(word: string): boolean {
  return /^http:\/\//i.test(word) && isLoopbackUrl(word);
}
