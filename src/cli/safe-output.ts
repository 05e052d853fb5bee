// safe-output: bytes of a command on their way to a terminal: text with its colours, no other control (spec 4.3, S8).
//   B1. The result is the same for any chunking: a character or an escape sequence that is cut is held back until it is whole.

import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { colouredOnly } from "./text.ts";

/** What is longer than this without an end is no sequence, and loses its escape character. */
const SEQUENCE_CHARS_MAX = 256;
/** One whole sequence: CSI; OSC, DCS and their like with their text; or two characters. */
const WHOLE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|[^[\]PX^_])/y;
const RESET = "\u001b[0m";

/** Bytes in any pieces to text for a terminal. */
export interface SafeText {
  push(bytes: Uint8Array): string;
  /** What was held back, and the end of the colours. */
  end(): string;
}

export function safeText(): SafeText {
  const decoder = new StringDecoder("utf8");
  let held = "";
  let coloured = false;
  const pass = (text: string, last: boolean): string => {
    const all = held + text;
    const cutAt = last ? all.length : startOfCutSequence(all);
    held = all.slice(cutAt);
    const safe = colouredOnly(all.slice(0, cutAt));
    coloured ||= safe.includes("\u001b");
    return safe;
  };
  return {
    push: (bytes) => pass(decoder.write(bytes), false),
    end: () => pass(decoder.end(), true) + (coloured ? RESET : ""),
  };
}

export function safeOutput(): Transform {
  const safe = safeText();
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, safe.push(chunk)),
    flush(done) {
      this.push(safe.end());
      done();
    },
  });
}

/** A whole line: what colours it stops where it ends. */
export function safeLine(text: string): string {
  const safe = colouredOnly(text);
  return safe.includes("\u001b") ? safe + RESET : safe;
}

/** Where a sequence begins whose end has not come yet; the end of the text when there is none. */
function startOfCutSequence(text: string): number {
  for (let at = text.indexOf("\u001b"); at !== -1; at = text.indexOf("\u001b", at)) {
    WHOLE.lastIndex = at;
    if (WHOLE.test(text)) at = WHOLE.lastIndex;
    else if (text.length - at <= SEQUENCE_CHARS_MAX) return at;
    else at += 1;
  }
  return text.length;
}
