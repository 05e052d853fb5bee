// ValueView: the value of a node, for the bottom panel of a run and of the editor (spec ui-2 item 4).

import { useMemo } from "react";
import type { NodeView } from "../../../scheduler/view.ts";
import { Failed } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { isSecretName } from "../given.ts";
import type { RunModel } from "../run-model.ts";
import { partOf, savePart, usePart, valuePath } from "./source.ts";
import { referenceTo } from "./value.ts";
import { ValueBody } from "./value-body.tsx";

export function ValueView({ model, node }: { model: RunModel; node: NodeView | undefined }) {
  if (node === undefined) return <p className="p-4 text-muted">Select a node to see its value.</p>;
  if (node.status !== "succeeded")
    return <p className="p-4 text-muted">{WITHOUT[node.status] ?? `${node.title} has no value yet.`}</p>;
  return <NodeValue key={`${model.started.run} ${node.path}`} {...{ model, node }} />;
}

const WITHOUT: Partial<Record<NodeView["status"], string>> = {
  failed: "A failed node has no value. Output shows what it printed.",
  skipped: "The node was skipped, so it has no value.",
  cancelled: "The node was cancelled, so it has no value.",
};

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
