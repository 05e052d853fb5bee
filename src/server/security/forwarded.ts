// forwarded: what shows that a request came through a proxy or tunnel (spec 4.3): the editor's port is not meant to be exposed.

/** Set by proxies and tunnels, never by a browser or client of its own accord. */
const SIGNS = new Set([
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via",
  "cf-connecting-ip",
  "cf-ray",
  "x-original-host",
  "ngrok-skip-browser-warning",
  "x-forwarded-server",
]);

/** The name of the first header that shows it. */
export function forwardedBy(rawHeaders: readonly string[]): string | undefined {
  return rawHeaders.find((name, at) => at % 2 === 0 && SIGNS.has(name.toLowerCase()))?.toLowerCase();
}
