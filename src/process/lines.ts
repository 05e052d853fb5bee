// lines: splits a stream of bytes into complete lines, however it is chunked (spec 3.2).
//   L1. The pieces joined are the stream, byte by byte. A line keeps its newline.
//   L2. A piece is a whole line, or a part of a line longer than `lineBytesMax`. It never cuts a UTF-8 character.
//   L3. Bytes are copied, so that a piece stays valid.

const NEWLINE = 10;

export interface LineSplitter {
  /** Takes the next bytes. Returns the lines that they complete. */
  push(bytes: Uint8Array): Uint8Array[];
  /** The end of the stream: returns the last line, which has no newline. */
  end(): Uint8Array[];
}

export function lineSplitter(lineBytesMax = 1_048_576): LineSplitter {
  let held: Uint8Array = new Uint8Array(0);
  return {
    push(bytes) {
      const lines: Uint8Array[] = [];
      let from = 0;
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
        lines.push(joined(held, bytes.subarray(from, at + 1)));
        held = new Uint8Array(0);
        from = at + 1;
      }
      if (from < bytes.length) held = joined(held, bytes.subarray(from));
      while (held.length > lineBytesMax) {
        const cut = characterStart(held, lineBytesMax);
        lines.push(new Uint8Array(held.subarray(0, cut)));
        held = new Uint8Array(held.subarray(cut));
      }
      return lines;
    },
    end() {
      const last = held;
      held = new Uint8Array(0);
      return last.length === 0 ? [] : [last];
    },
  };
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const whole = new Uint8Array(before.length + after.length);
  whole.set(before, 0);
  whole.set(after, before.length);
  return whole;
}

/** The greatest position up to `at` where a character starts, or `at` itself if the bytes are not UTF-8. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return ((bytes[start] ?? 0) & 0xc0) === 0x80 || start === 0 ? at : start;
}
