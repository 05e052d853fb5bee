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
  /** One dot per attempt, oldest first. `attemptsMax` is the maximum number of attempts. */
  attempts?: { status: OverlayStatus }[];
  attemptsMax?: number;
  /** Why the node is dimmed: "branch not taken". */
  dimmed?: string;
  /** For a loop start: the shown iteration and the states of the others. */
  pass?: PassInfo;
}

export interface PassInfo {
  /** Counted from 0. */
  shown: number;
  /** Absent while unknown. The total of a `while` loop is known only when it ends. */
  total?: number;
  /** One cell per iteration, for the first `cellsMax`. */
  cells: OverlayStatus[];
}

/** The state of an edge. Without one, the edge is drawn as in the design. */
export type EdgeOverlay = "taken" | "untaken" | "idle";

export interface CanvasOverlay {
  nodes: ReadonlyMap<string, NodeOverlay>;
  /** Keyed by `source:handle->target`, as `edgeKey` writes it. */
  edges: ReadonlyMap<string, { state: EdgeOverlay; status?: OverlayStatus }>;
  onPass?: (loopStart: string, pass: number) => void;
}

export function edgeKey(edge: { source: string; sourceHandle?: string | undefined; target: string }): string {
  return `${edge.source}${edge.sourceHandle === undefined ? "" : `:${edge.sourceHandle}`}->${edge.target}`;
}
