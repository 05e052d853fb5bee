// ApprovalDiff: what is different from the last time that a person approved this node (spec 3.5), and an edit as a difference.

import type { ApprovalItem } from "../../api/shapes.ts";
import { visible } from "../../base/visible.ts";
import { ago } from "../ui/words.ts";
import { Code, Section } from "./fact-list.tsx";

export function ApprovalDiff({ item: { lastApproved }, nowMs }: { item: ApprovalItem; nowMs: number }) {
  if (lastApproved === undefined)
    return (
      <Section title="Changed since the last approval">
        <p className="text-muted">It was never approved before.</p>
      </Section>
    );
  const { by, at, identical, diff } = lastApproved;
  return (
    <Section title="Changed since the last approval">
      <p className={identical ? "text-succeeded" : "text-waiting"}>
        {identical ? "Identical to what was approved" : "Different from what was approved"} {ago(at, nowMs)} by{" "}
        {visible(by)}
      </p>
      {diff !== undefined && diff !== "" && <DiffLines lines={diff.replace(/\n$/, "").split("\n")} />}
    </Section>
  );
}

/** Lines that begin with `-`, `+` or a blank. */
export function DiffLines({ lines }: { lines: readonly string[] }) {
  return (
    <Code label="Lines that differ">
      {lines.map((line, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text never move.
          key={index}
          className={`block ${line.startsWith("+") ? "text-succeeded" : line.startsWith("-") ? "text-failed" : "text-muted"}`}
        >
          {visible(line)}
        </span>
      ))}
    </Code>
  );
}
