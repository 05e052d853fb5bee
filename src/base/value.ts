// value: what nodes hand to each other: byte-exact text of any size (spec 1.2).

/**
 * Small valid UTF-8 stands here as text, anything else in a file of the run.
 * `file` is relative to the run's folder; its first `bytes` bytes are the value, `sha256` their checksum where Curlew itself wrote them, up to
 * limits.hashedBytesMax (the checksum of what a command printed is in its attempt's end). `joined` is built from parts when it is needed:
 * `lines` joins by one line break; `json` is a JSON array whose elements are the parts' JSON where they parse as JSON, else strings
 * (`flatten`: parts that are arrays give their elements). Only the first `count` parts belong to the value.
 * `sealed`: what stands here is masked, for people; the exact bytes are encrypted in that file of the run, for commands, as long as
 * the run lasts (4.2).
 */
export type Value =
  | { text: string; sealed?: string }
  | { file: string; bytes: number; sha256?: string; sealed?: string }
  | { joined: "lines" | "json"; parts: readonly Value[]; count: number; flatten?: boolean };

export const EMPTY: Value = { text: "" };
