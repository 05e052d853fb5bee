// Detects requests that came through a proxy or tunnel (spec 4.3): the editor's port is not meant to be exposed.

/** Headers that proxies and tunnels set, but browsers and other clients do not. */
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

/** The name of the first such header. */
export function forwardedBy(rawHeaders: readonly string[]): string | undefined {
  return rawHeaders.find((name, at) => at % 2 === 0 && SIGNS.has(name.toLowerCase()))?.toLowerCase();
}
