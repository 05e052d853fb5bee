// The headers of every response (spec 4.3 S6).
//   H1. Loading, framing, sniffing, and caching are forbidden, except for what the page needs from its own server.

const COMMON: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "permissions-policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), serial=(), hid=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** For responses that are not pages: everything is forbidden. */
const NO_SOURCES = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** `nonce`: for the page's own style elements. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** For scripts: in a Worker, this policy applies and not the page's. It may only load its own parts. */
export const SCRIPT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

export function secureHeaders(tls: boolean): Record<string, string> {
  return {
    ...COMMON,
    "content-security-policy": NO_SOURCES,
    ...(tls ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

/** Adds the missing headers. Those that the response already has are kept. */
export function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
