// style: colours by meaning, on a terminal only (spec 2.2).
//   S1. No escape sequence is written if the stream is not a terminal, TERM is `dumb`, or NO_COLOR is set and not
//       empty.
//   S2. Colour never carries a meaning alone: a word or a sign says the same.

import { styleText } from "node:util";

const LOOKS = {
  succeeded: "green",
  failed: "red",
  warning: "yellow",
  error: ["bold", "red"],
  running: "cyan",
  strong: "bold",
  faint: "dim",
  label: "bold",
} as const;
export type Look = keyof typeof LOOKS;

/** By the status of a run or node. */
export const STATUS_LOOKS: Partial<Record<string, Look>> = {
  succeeded: "succeeded",
  failed: "failed",
  "timed-out": "failed",
  lost: "failed",
  running: "running",
  waiting: "warning",
  cancelled: "warning",
  skipped: "faint",
  pending: "faint",
};

/** Returns the styled text, or the same text without colours. */
export type Style = (look: Look, text: string) => string;

export const plain: Style = (_look, text) => text;

const coloured: Style = (look, text) =>
  text === "" ? text : styleText(LOOKS[look] as Parameters<typeof styleText>[0], text, { validateStream: false });

export function styleFor(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Style {
  const off = stream.isTTY !== true || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb";
  return off ? plain : coloured;
}
