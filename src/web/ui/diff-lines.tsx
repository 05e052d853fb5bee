// DiffLines: the lines that differ between two texts, with the lines around them. Each line starts with its sign.

import { structuredPatch } from "diff";
import { visible } from "../../base/visible.ts";
import { classes } from "./classes.ts";
import { Code } from "./facts.tsx";

const AROUND = 3;
const TIMEOUT_MS = 1_000;

/** Lines that start with `-`, `+` or a space, and `⋯` where lines are left out. */
export function changedLines(before: string, after: string): string[] {
  const patch = structuredPatch("", "", before, after, "", "", { context: AROUND, timeout: TIMEOUT_MS });
  // In texts too different to compare, every line is another.
  if (patch === undefined) return [...signed("-", before), ...signed("+", after)];
  return patch.hunks.flatMap(({ lines, newStart }, at) => [
    ...(at > 0 || newStart > 1 ? ["⋯"] : []),
    ...lines.filter((line) => !line.startsWith("\\")),
  ]);
}

function signed(sign: string, text: string): string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => sign + line);
}

export function DiffLines({ lines, tall }: { lines: readonly string[]; tall?: "full" }) {
  return (
    <Code label="Lines that differ" tall={tall}>
      {lines.map((line, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text never move.
          key={index}
          className={classes(
            "block pl-[1ch] -indent-[1ch]",
            line.startsWith("+") ? "text-succeeded" : line.startsWith("-") ? "text-failed" : "text-muted",
          )}
        >
          {visible(line)}
        </span>
      ))}
    </Code>
  );
}
