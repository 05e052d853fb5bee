// overlay: what a run lays over the nodes of the canvas (spec ui.md 6.4). The canvas draws it and knows nothing of runs.
//   O1. Without an overlay a node shows its design: kind, title, command, what the checks found.
//   O2. Words come with every colour: `word` is read aloud and shown beside the icon.
//   O3. Who makes overlays keeps the same object for a node that did not change: the canvas draws nothing anew for it.

/** As in the table of states of ui.md 6.6; `ready` is a node that the run has not reached. */
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
  /** "running", "waiting for you", "retrying in 4 s": short, in the fixed slot of the card. */
  word: string;
  /** "0.3 s", already written for people; absent: nothing to tell. */
  duration?: string;
  /** What ran, with its values: takes the place of the preview of the design. */
  preview?: string;
  /** "HTTP 200 · 48 kB · 12 lines": takes the place of the facts of the design. */
  facts?: string;
  /** One dot each, oldest first. `attemptsMax`: how many there may be. */
  attempts?: { status: OverlayStatus }[];
  attemptsMax?: number;
  /** Why it is faded: "branch not taken". */
  dimmed?: string;
  /** Of a loop start: the pass that is shown and how the others went. */
  pass?: PassInfo;
}

export interface PassInfo {
  /** From 0. */
  shown: number;
  /** As far as it is known: a while loop tells only how many there were. */
  total?: number;
  /** One cell each, of the first `cellsMax`. */
  cells: OverlayStatus[];
}

/** By the index of the edge in `workflow.edges`. Absent: as in the design. */
export type EdgeOverlay = "taken" | "untaken" | "idle";

export interface CanvasOverlay {
  nodes: ReadonlyMap<string, NodeOverlay>;
  /** By `source:handle->target`, as `edgeKey` writes it. */
  edges: ReadonlyMap<string, { state: EdgeOverlay; status?: OverlayStatus }>;
  onPass?: (loopStart: string, pass: number) => void;
}

export function edgeKey(edge: { source: string; sourceHandle?: string | undefined; target: string }): string {
  return `${edge.source}${edge.sourceHandle === undefined ? "" : `:${edge.sourceHandle}`}->${edge.target}`;
}
