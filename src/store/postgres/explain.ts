// explain: what an error of PostgreSQL or of the connection to it means for the store.
//   E1. Messages never contain the password or a value of a statement.

import { type StoreError, storeFailed, storeFull, storeNotSetUp, storeRefused, storeUnreachable } from "../error.ts";

interface Fault {
  error: StoreError;
  /** The same may succeed later. */
  passes: boolean;
}

const LOST = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOENT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
  ...["ENETUNREACH", "ENETDOWN", "ECONNABORTED", "EADDRNOTAVAIL", "EMFILE", "ENFILE"],
]);
const LOST_WORDS =
  /^(?:Connection terminated|Query read timeout|timeout exceeded|timeout expired|Client (?:has encountered|was closed)|Cannot use a pool)/;
/** Serialization failure, deadlock: the same transaction may succeed at once. */
const AGAIN = new Set(["40001", "40P01"]);

/** Throws what is neither of the connection nor of the server: it is a bug. */
export function explain(reason: unknown, shown: string): Fault {
  const { code = "", message, severity } = reason as Error & { code?: string; severity?: string };
  const fault = (error: StoreError, passes = false): Fault => ({ error, passes });
  if (severity === undefined) {
    if (LOST.has(code) || LOST_WORDS.test(message)) return fault(storeUnreachable(shown, code || message), true);
    if (/CERT|^ERR_TLS|^ERR_SSL|SIGNATURE|UNABLE_TO/.test(code) || /support SSL|certificate/.test(message))
      return fault(storeRefused(shown, `TLS: ${message}.`));
    if (/^SASL|password must be a string/.test(message))
      return fault(storeRefused(shown, "it asks for a password. Put it into the file that PGPASSFILE names."));
    throw reason;
  }
  // Starting, ending, too many connections, a standby that is not the primary (yet), or a transaction that
  // was idle for too long.
  if (/^(?:08|57P0)/.test(code) || ["53300", "25006", "25P03"].includes(code))
    return fault(storeUnreachable(shown, message), true);
  if (AGAIN.has(code)) return fault(storeFailed(shown, message), true);
  if (code === "53100") return fault(storeFull(shown), true);
  if (/^28|^3D/.test(code) || code === "42501") return fault(storeRefused(shown, `${message}.`));
  if (code === "42P01" || code === "3F000") return fault(storeNotSetUp(shown));
  return fault(storeFailed(shown, `${message} (PostgreSQL ${code}).`));
}
