// ChangeSign: how a node, an edge, or another part differs between two versions, as a sign on its colour. A word is beside
// it or in the label.

import { classes } from "../ui/classes.ts";
import { LOOKS } from "../ui/state.ts";
import { CHANGES, type ChangeKind } from "./overlay.ts";

export function ChangeSign({ kind, size = 18 }: { kind: ChangeKind; size?: number | string }) {
  const { look, sign } = CHANGES[kind];
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      aria-hidden="true"
      data-change={kind}
      className={classes("shrink-0 forced-color-adjust-none", LOOKS[look].text)}
    >
      <rect width="20" height="20" rx="5" fill="currentColor" />
      <path d={PATHS[sign]} fill="none" stroke="var(--node)" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}

const PATHS = { "+": "M5 10h10M10 5v10", "−": "M5 10h10", "~": "M4.5 11c2-4 4-2 5.5-1s3.5 3 5.5-1" };
