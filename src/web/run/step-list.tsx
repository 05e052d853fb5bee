// StepList: the run's nodes as a tree with their states (spec ui 6.7). Screen readers use it beside the canvas, phones
// instead of it.
//   S1. Nodes of a loop are below it, for the iteration that is shown, with arrows to the others.

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import { inReadingOrder } from "../../workflow/reading-order.ts";
import type { CanvasOverlay, NodeOverlay, PassInfo } from "../canvas/overlay.ts";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import type { RunModel } from "./run-model.ts";

export interface StepListProps {
  model: RunModel;
  overlay: CanvasOverlay;
  selected: string | undefined;
  onSelect: (id: string) => void;
}

export function StepList({ model, overlay, selected, onSelect }: StepListProps) {
  const { graph } = model;
  const lines = useMemo(() => inReadingOrder(graph), [graph]);
  const tabId = lines.find(({ node }) => node.id === selected)?.node.id ?? lines[0]?.node.id;
  return (
    <div role="tree" aria-label="Nodes of the run" className="flex flex-col gap-1 p-2">
      {lines.map(({ node: { id, index, loops, node } }) => {
        const shown = overlay.nodes.get(id);
        return (
          <div
            key={id}
            role="treeitem"
            aria-level={loops.length + 1}
            aria-selected={id === selected}
            tabIndex={id === tabId ? 0 : -1}
            onClick={() => onSelect(id)}
            onKeyDown={(event) => moveFocus(event, () => onSelect(id))}
            style={{ marginLeft: loops.length * 16 }}
            className={classes(
              "flex min-h-11 cursor-pointer flex-wrap items-center gap-x-2 rounded-md border px-3 py-1.5",
              id === selected ? "border-accent bg-selected" : "border-line bg-node hover:bg-hover",
              shown?.status === "waiting" && "border-waiting",
              shown?.dimmed !== undefined && "border-dashed text-skipped",
            )}
          >
            <span className="min-w-40 flex-1">
              <Line title={node.data.title} node={shown} />
            </span>
            {graph.loops.has(index) && shown?.pass !== undefined && (
              <PassArrows pass={shown.pass} onPass={(pass) => overlay.onPass?.(id, pass)} />
            )}
          </div>
        );
      })}
    </div>
  );
}

function Line({ title, node }: { title: string; node: NodeOverlay | undefined }) {
  const facts = [node?.dimmed, node?.facts].filter((fact) => fact !== undefined && fact !== "").join(" · ");
  return (
    <>
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
        {node !== undefined && node.status !== "ready" && (
          <span className="flex shrink-0 items-center gap-1.5 text-sm tabular-nums">
            <StateIcon status={node.status} bare />
            <span>{node.word}</span>
            {node.duration !== undefined && <span className="text-muted">{node.duration}</span>}
          </span>
        )}
      </span>
      {facts !== "" && <span className="block truncate text-sm text-muted">{facts}</span>}
    </>
  );
}

function PassArrows({ pass, onPass }: { pass: PassInfo; onPass: (pass: number) => void }) {
  const total = pass.total ?? pass.cells.length;
  return (
    <span className="flex items-center gap-0.5">
      <IconButton
        label="Previous iteration"
        size="small"
        icon={<ChevronLeft />}
        disabled={pass.shown === 0}
        onClick={() => onPass(pass.shown - 1)}
      />
      <span className="text-sm whitespace-nowrap tabular-nums">
        {pass.shown + 1} of {total}
      </span>
      <IconButton
        label="Next iteration"
        size="small"
        icon={<ChevronRight />}
        disabled={pass.cells[pass.shown + 1] === undefined || pass.cells[pass.shown + 1] === "ready"}
        onClick={() => onPass(pass.shown + 1)}
      />
    </span>
  );
}

function moveFocus(event: React.KeyboardEvent<HTMLElement>, select: () => void): void {
  if (event.target !== event.currentTarget) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    select();
    return;
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const items = [
    ...(event.currentTarget.closest("[role=tree]")?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? []),
  ];
  items[items.indexOf(event.currentTarget) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}
