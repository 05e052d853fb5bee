// safe-output: filters a command's output for a terminal: text and colours pass, other control sequences don't (spec
// 4.3, S8).
//   B1. The result is the same for any chunking: a partial character or escape sequence is held back until it is
//       complete.

import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { colouredOnly } from "./text.ts";

/** A longer unfinished sequence is not a sequence. Only its escape character is removed. */
const SEQUENCE_CHARS_MAX = 256;
/** One whole sequence: a CSI sequence, an OSC or DCS with its text, or two characters. */
const WHOLE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|[^[\]PX^_])/y;
const RESET = "\u001b[0m";

/** Converts bytes in any chunks to text for a terminal. */
export interface SafeText {
  push(bytes: Uint8Array): string;
  /** The remaining text, and a reset of the colours. */
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

/** A whole line. Colours it sets are reset at its end. */
export function safeLine(text: string): string {
  const safe = colouredOnly(text);
  return safe.includes("\u001b") ? safe + RESET : safe;
}

/** The index where an incomplete sequence begins, otherwise the length of the text. */
function startOfCutSequence(text: string): number {
  for (let at = text.indexOf("\u001b"); at !== -1; at = text.indexOf("\u001b", at)) {
    WHOLE.lastIndex = at;
    if (WHOLE.test(text)) at = WHOLE.lastIndex;
    else if (text.length - at <= SEQUENCE_CHARS_MAX) return at;
    else at += 1;
  }
  return text.length;
}
