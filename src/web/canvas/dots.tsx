// dots: the ground under a drawing. It is painted once for a zoom; a pan moves it as a whole.
//   Painted anew in each frame (React Flow's own background is) it cost more than all nodes together where no graphics card paints: 10 of 16 ms.

import { useStore } from "@xyflow/react";
import { classes } from "../ui/classes.ts";

const GAP = 24;

export function Dots() {
  const zoom = useStore(({ transform }) => transform[2]);
  const x = useStore(({ transform }) => transform[0] % (GAP * transform[2]));
  const y = useStore(({ transform }) => transform[1] % (GAP * transform[2]));
  const gap = GAP * zoom;
  const panned = useStore(({ paneDragging }) => paneDragging);
  // One gap larger at each side: moved by less than that it covers the frame.
  return (
    <div
      className={classes("dots", panned && "panned")}
      style={{
        inset: -gap,
        backgroundSize: `${gap}px ${gap}px`,
        transform: `translate(${Math.round(x)}px, ${Math.round(y)}px)`,
      }}
    />
  );
}
