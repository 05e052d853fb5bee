// sizes: what is known of the drawing before it is drawn (spec ui.md 6.6): React Flow stays fast only with nodes of known size.

/** A node's card. */
export const CARD = { width: 228, height: 78 } as const;
/** Between a loop's box and what stands in it. */
export const PAD = { side: 44, top: 40, bottom: 16 } as const;
/** The box of a loop without a body. */
export const EMPTY = { width: 300, height: 130 } as const;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is left free where everything is brought into view: above lies the bar of kinds over the canvas, below the controls. */
export const AROUND = { top: "64px", bottom: "56px", x: "6%" } as const;
