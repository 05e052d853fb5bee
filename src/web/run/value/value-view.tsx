// ValueView: the value of a node, for the bottom panel of a run and of the editor (spec ui-2 item 4). A node without a
// value shows its input instead, and says so.

import { useMemo } from "react";
import { indexesOf } from "../../../scheduler/state.ts";
import type { NodeView } from "../../../scheduler/view.ts";
import { Failed } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { isSecretName } from "../given.ts";
import { pathOf } from "../paths.ts";
import type { RunModel } from "../run-model.ts";
import { partOf, savePart, usePart, valuePath } from "./source.ts";
import { referenceTo } from "./value.ts";
import { ValueBody } from "./value-body.tsx";

export function ValueView({ model, node }: { model: RunModel; node: NodeView | undefined }) {
  if (node === undefined) return <p className="p-4 text-muted">Select a node to see its value.</p>;
  const input = node.status === "succeeded" ? undefined : inputOf(model, node);
  if (node.status !== "succeeded" && input === undefined)
    return <p className="p-4 text-muted">{WITHOUT[node.status] ?? `${node.title} has no value yet.`}</p>;
  const shown = input ?? node;
  return (
    <div className="flex h-full flex-col">
      {input !== undefined && (
        <p className="shrink-0 border-b border-line px-3 py-1 text-sm text-muted">
          {node.title} has no value. This is its input, from {input.title}.
        </p>
      )}
      <div className="min-h-0 flex-1">
        <NodeValue key={`${model.started.run} ${shown.path}`} {...{ model }} node={shown} />
      </div>
    </div>
  );
}

const WITHOUT: Partial<Record<NodeView["status"], string>> = {
  failed: "A failed node has no value. Output shows what it printed.",
  skipped: "The node was skipped, so it has no value.",
  cancelled: "The node was cancelled, so it has no value.",
};

/** The node whose value goes to standard input, or the first parent with a value. */
function inputOf(model: RunModel, node: NodeView): NodeView | undefined {
  const { graph } = model;
  const drawn = graph.nodes[graph.indexOf.get(node.id) ?? -1];
  if (drawn === undefined) return undefined;
  const stdin = "stdin" in drawn.node.data ? drawn.node.data.stdin : undefined;
  const named = stdin?.node === undefined ? undefined : graph.indexOf.get(stdin.node);
  const sources = [...(named === undefined ? [] : [named]), ...drawn.parents.map(({ source }) => source)];
  for (const source of sources) {
    const parent = graph.nodes[source];
    const path = parent && pathOf(parent.id, indexesOf(node.path).slice(0, parent.loops.length));
    const view = path === undefined ? undefined : model.node(path);
    if (view?.status === "succeeded" && view.value !== "") return view;
  }
  return undefined;
}

function NodeValue({ model, node }: { model: RunModel; node: NodeView }) {
  const { run } = model.started;
  const { id, path, title, value } = node;
  const isSecret = isSecretName(model, id) || node.attempts.at(-1)?.stdout?.secret === true;
  const from = valuePath(run, path);
  const inline = useMemo(() => (value === undefined ? undefined : partOf(value)), [value]);
  const { data, error } = usePart(value === undefined && !isSecret ? from : undefined, node.attempts.length);
  if (isSecret) return <p className="p-4 text-muted">The value of {title} is a secret. Curlew does not show it.</p>;
  if (error !== null) return <Failed error={error} />;
  const part = inline ?? data;
  if (part === undefined) return <Skeleton className="p-4" />;
  return (
    <ValueBody
      part={part}
      label={`Value of ${title}`}
      onSave={() => savePart(from, path.replaceAll(/[^\w.-]/g, "-"))}
      reference={(members) => referenceTo(id, members)}
    />
  );
}
