// The server's names: its URL for people, and the hosts and origins that it accepts (spec 4.3 S1, S2).
//   E1. On loopback: 127.0.0.1, localhost, and [::1], each with the port. Otherwise: the
//       value of `--host`, and the public URL.
//   E2. A server that listens on all addresses accepts each IP address of the machine and its host name.
// Pure.

import type { Names } from "./gate.ts";

export interface NameOptions {
  host?: string;
  port: number;
  tls?: unknown;
  publicUrl?: string;
  /** This machine's names, for E2. */
  machine: { name: string; addresses: readonly string[] };
}

/** `url`: for programs on this machine. `shown`: for people. */
export function namesOf({ host, port, tls, publicUrl, machine }: NameOptions): Names & { url: string; shown: string } {
  const scheme = tls === undefined ? "http" : "https";
  const origins = calledAs(host, machine).flatMap((name) => URL.parse(`${scheme}://${name}:${port}`)?.origin ?? []);
  const url = origins.find((origin) => origin === `${scheme}://127.0.0.1:${port}`) ?? origins[0]!;
  if (publicUrl !== undefined) origins.unshift(new URL(publicUrl).origin);
  return {
    url,
    shown: origins[0]!,
    hosts: new Set(origins.map((origin) => new URL(origin).host)),
    origins: new Set(origins),
  };
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

function calledAs(host: string | undefined, { name, addresses }: NameOptions["machine"]): string[] {
  if (host === undefined) return LOOPBACK;
  if (host !== "0.0.0.0" && host !== "::") return [bracketed(host)];
  return [name, ...addresses.map(bracketed), ...LOOPBACK];
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
