// overlay: what a run shows on top of the canvas's nodes (spec ui.md 6.4). The canvas draws it and knows nothing about
// runs.
//   O1. Without an overlay, a node shows its design: kind, title, command, and problems.
//   O2. No state is shown by colour alone: `word` is read aloud and shown beside the icon.
//   O3. An unchanged node keeps its overlay object, so that the canvas does not redraw it.

/** The states of ui.md 6.6. `ready` is a node that the run has not reached. */
export type OverlayStatus =
  | "ready"
  | "queued"
  | "running"
  | "waiting"
  | "succeeded"
  | "failed"
  | "skipped"
  | "cancelled";

/** How a part differs between two versions of a workflow. */
export type ChangeKind = "added" | "removed" | "changed" | "renamed";
/** `same` is drawn behind the others. */
export type Change = ChangeKind | "same";

/** The colour and the sign of a change. */
export const CHANGES = {
  added: { look: "succeeded", sign: "+" },
  removed: { look: "failed", sign: "−" },
  changed: { look: "waiting", sign: "~" },
  renamed: { look: "waiting", sign: "~" },
} as const satisfies Record<ChangeKind, { look: OverlayStatus; sign: string }>;

/** The colour of a node or an edge, if it has one. */
export function lookIn({ status, change }: { status?: OverlayStatus; change?: Change } = {}) {
  if (change !== undefined) return change === "same" ? undefined : CHANGES[change].look;
  return status === "ready" ? undefined : status;
}

export interface NodeOverlay {
  status: OverlayStatus;
  /** "running", "waiting for you", "retrying in 4 s": short, because the card's slot has a fixed size. */
  word: string;
  /** Formatted, such as "0.3 s". Absent: there is nothing to show. */
  duration?: string;
  /** The command with its values. Replaces the preview of the design. */
  preview?: string;
  /** "HTTP 200 · 48 kB · 12 lines". Replaces the facts of the design. */
  facts?: string;
  /** One dot per attempt, oldest first. */
  attempts?: { status: OverlayStatus }[];
  /** The node was edited after the run. */
  edited?: true;
  /** How the node differs between two versions of the file. */
  change?: Change;
  /** Why the node is dimmed: "branch not taken". */
  dimmed?: string;
  /** For a loop start: the shown iteration and the states of the others. */
  pass?: PassInfo;
}

export interface PassInfo {
  /** Counted from 0. */
  shown: number;
  newest: number;
  /** Absent while unknown. The total of a `while` loop is known only when it ends. */
  total?: number;
  /** One cell per iteration, for the first `cellsMax`. */
  cells: OverlayStatus[];
}

/** The state of an edge. Without one, the edge is drawn as in the design. */
export type EdgeOverlay = "taken" | "untaken" | "idle";

export interface EdgeLook {
  state: EdgeOverlay;
  status?: OverlayStatus;
  /** The amount of data that passed: "57 items", "4.1 kB". */
  amount?: string;
  change?: ChangeKind;
}

export interface CanvasOverlay {
  nodes: ReadonlyMap<string, NodeOverlay>;
  /** By the key of the edge (`edgeKey`, `referenceKey`). */
  edges: ReadonlyMap<string, EdgeLook>;
  onPass?: (loopStart: string, pass: number) => void;
}

/** The key of a line for a value that is named. */
export function referenceKey(source: string, target: string): string {
  return `${source}~>${target}`;
}

export function edgeKey(edge: { source: string; sourceHandle?: string | undefined; target: string }): string {
  return `${edge.source}${edge.sourceHandle === undefined ? "" : `:${edge.sourceHandle}`}->${edge.target}`;
}
