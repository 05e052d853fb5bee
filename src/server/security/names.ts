// names: what the server is called: its address for people, and the hosts and origins that it answers to (spec 4.3 S1, S2).
//   E1. On loopback: 127.0.0.1, localhost and [::1], each with the port. Elsewhere: what `--host` says, and the public address.
// Pure.

import type { Names } from "./gate.ts";

export interface NameOptions {
  host?: string;
  port: number;
  tls?: unknown;
  publicUrl?: string;
}

export function namesOf({ host, port, tls, publicUrl }: NameOptions): Names & { url: string } {
  const scheme = tls === undefined ? "http" : "https";
  const called = host === undefined ? ["127.0.0.1", "localhost", "[::1]"] : [bracketed(host)];
  const origins = called.map((name) => new URL(`${scheme}://${name}:${port}`).origin);
  if (publicUrl !== undefined) origins.unshift(new URL(publicUrl).origin);
  return {
    url: origins[0]!,
    hosts: new Set(origins.map((origin) => new URL(origin).host)),
    origins: new Set(origins),
  };
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
