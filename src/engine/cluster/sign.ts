// sign: marks what may start or change something, with the cluster's key (spec 6.4 M13).
//   M13. Nothing unsigned counts: each event of a journal has a mark, and so has each decision for another machine. Write
//        access to the database is not enough to start or approve a command.

import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { EventMarks } from "../../store/postgres/index.ts";

export interface Signer {
  /** `kind`: a mark of one kind does not fit another. `about`: where the text counts. */
  sign(kind: "event" | "decision", about: readonly unknown[], text: string): string;
  isSigned(kind: "event" | "decision", about: readonly unknown[], text: string, mark: string): boolean;
}

export function signer(secret: Buffer): Signer {
  const key = createSecretKey(secret);
  // JSON has no line breaks, so it can't be mistaken for a part of the text.
  const sign: Signer["sign"] = (kind, about, text) =>
    createHmac("sha256", key)
      .update(`${JSON.stringify([kind, ...about])}\n`)
      .update(text)
      .digest("base64url");
  return {
    sign,
    isSigned: (kind, about, text, mark) => {
      const [expected, given] = [Buffer.from(sign(kind, about, text)), Buffer.from(mark)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}

/** The marks of a journal. An event counts only in its run, at its place. */
export function eventMarks({ sign, isSigned }: Signer): EventMarks {
  return {
    sign: (run, seq, body) => sign("event", [run, seq], body),
    isSigned: (mark, run, seq, body) => isSigned("event", [run, seq], body, mark),
  };
}
