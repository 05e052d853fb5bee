// value: the values that nodes pass to each other: byte-exact text of any size (spec 1.2).

/**
 * A value of a node. Small valid UTF-8 is stored in `text`, anything else in a file of the run.
 *
 * `file` is relative to the run's folder, and its first `bytes` bytes are the value.
 * `sha256` is set where Curlew wrote the file, up to limits.hashedBytesMax. For a command's output it is in the
 * attempt's end.
 *
 * `joined` is built from the first `count` parts when needed: `lines` joins them by newlines, `json` makes an array. An
 * element is the part's JSON, or a string for a part that is not JSON. With `flatten`, parts that are arrays contribute
 * their elements.
 *
 * `sealed` names an encrypted file of the run with the exact bytes, for commands while the run lasts (4.2). The value
 * here is masked for display.
 */
export type Value =
  | { text: string; sealed?: string }
  | { file: string; bytes: number; sha256?: string; sealed?: string }
  | { joined: "lines" | "json"; parts: readonly Value[]; count: number; flatten?: boolean };

export const EMPTY: Value = { text: "" };

/** Whether the value or a part of it has exact bytes that are kept encrypted. */
export function isSealed(value: Value): boolean {
  return "joined" in value ? value.parts.slice(0, value.count).some(isSealed) : value.sealed !== undefined;
}

/** Length of the newline that is not part of a command's value (1.2). `end`: the last bytes. */
export function trailingBreak(end: Uint8Array): number {
  if (end.at(-1) !== 10) return 0;
  return end.at(-2) === 13 ? 2 : 1;
}
