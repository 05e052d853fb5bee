// network-errors: why a connection failed, by the error code of the system, Node.js, or undici. Data.

export type NetworkReason =
  | "connection-refused"
  | "connection-closed"
  | "name-not-resolved"
  | "host-unreachable"
  | "timeout"
  | "tls"
  | "certificate"
  | "certificate-expired"
  | "certificate-not-yet-valid"
  | "certificate-wrong-host"
  | "certificate-untrusted";

/** The first match counts. */
const CODES: readonly (readonly [RegExp, NetworkReason])[] = [
  [/^ECONNREFUSED$/, "connection-refused"],
  [/^(?:ECONNRESET|UND_ERR_SOCKET)$/, "connection-closed"],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "name-not-resolved"],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, "host-unreachable"],
  [/^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/, "timeout"],
  [/^CERT_HAS_EXPIRED$/, "certificate-expired"],
  [/^CERT_NOT_YET_VALID$/, "certificate-not-yet-valid"],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, "certificate-wrong-host"],
  [/^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:GET|VERIFY)_)/, "certificate-untrusted"],
  [/^(?:CERT_|CRL_|ERROR_IN_CERT_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|EE_KEY_|CA_MD_)/, "certificate"],
  [/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, "tls"],
];

export function networkReason(code: string): NetworkReason | undefined {
  return CODES.find(([pattern]) => pattern.test(code))?.[1];
}

/** Clauses for use after "because". */
export const NETWORK_WORDS: Readonly<Partial<Record<NetworkReason, string>>> = {
  "connection-refused": "no program is listening there",
  "connection-closed": "the connection was closed",
  "name-not-resolved": "the host name could not be resolved",
  "host-unreachable": "there is no route to the host",
  timeout: "there was no response",
};
