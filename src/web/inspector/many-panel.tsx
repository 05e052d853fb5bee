// ManyPanel: sets the fields that several selected nodes share, for all of them at once.

import { Copy, Trash2 } from "lucide-react";
import { useId } from "react";
import { duplicateNodes, removeNodes, together, wrapInLoop } from "../document/index.ts";
import { nodesOf, titleOf, withBases } from "../document/plain.ts";
import type { Plain } from "../document/types.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { inputClass } from "../ui/field.tsx";
import { usePanel } from "./context.ts";
import { setInNode } from "./edits.ts";
import { type Option, Select } from "./fields/controls.tsx";
import { type FieldSpec, fieldOf } from "./form.ts";

/** Fields with the same meaning in every kind of node. */
const SHARED = ["safetyLevel", "needsUserApproval", "timeout", "continueOnError", "onLost"];

/** A limit, so that the actions stay visible below the names. */
const NAMED_MAX = 12;

export function ManyPanel({ selected }: { selected: readonly string[] }) {
  const { doc, onEdit } = usePanel();
  const nodes = nodesOf(doc.plain ?? {}).filter(({ id }) => selected.includes(id));
  const kinds = [...new Set(nodes.map(({ type }) => type))];
  const shared = SHARED.filter((key) => kinds.every((type) => (FIELDS[type] ?? []).includes(key)));
  return (
    <div className="flex flex-col gap-4 p-4">
      <ul className="flex flex-col gap-1 text-sm">
        {nodes.slice(0, NAMED_MAX).map((node) => (
          <li key={node.id} className="truncate">
            {titleOf(node)} <span className="text-muted">{node.type}</span>
          </li>
        ))}
        {nodes.length > NAMED_MAX && <li className="text-muted">and {nodes.length - NAMED_MAX} more</li>}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onEdit(wrapInLoop(selected))}>Wrap in a loop</Button>
        <Button icon={<Copy size={14} aria-hidden="true" />} onClick={() => onEdit(duplicateNodes(doc, selected))}>
          Duplicate
        </Button>
        <Button
          kind="danger"
          icon={<Trash2 size={14} aria-hidden="true" />}
          onClick={() => onEdit(removeNodes(selected))}
        >
          Delete
        </Button>
      </div>
      {shared.map((key) => (
        <SharedField key={key} spec={fieldOf(ofKind(kinds), key)} nodes={nodes} />
      ))}
    </div>
  );
}

const FIELDS: Record<string, readonly string[]> = {
  cli: SHARED,
  llm: ["needsUserApproval", "timeout", "continueOnError", "onLost"],
  subflow: ["timeout", "continueOnError", "onLost"],
};

function ofKind(kinds: readonly string[]) {
  return kinds.includes("subflow") ? "subflow" : kinds.includes("llm") ? "llm" : "cli";
}

/** Sets the field for all nodes. Says so if their values differ. */
function SharedField({ spec, nodes }: { spec: FieldSpec; nodes: readonly { id: string; data?: Plain }[] }) {
  const { onEdit } = usePanel();
  const id = useId();
  const key = String(spec.path[0]);
  const values = new Set(nodes.map(({ data = {} }) => String(withBases(data)[key] ?? "")));
  const [value = ""] = values.size === 1 ? values : ["…"];
  const set = (next: unknown) =>
    onEdit(
      together(
        `Change ${key} of ${nodes.length} nodes`,
        nodes.map(({ id }) => setInNode(id, [key], next)),
      ),
    );
  const words = spec.control === "switch" ? ["true", "false"] : spec.options;
  const options = words?.map((word): Option => [word, word]);
  return (
    <div className="flex flex-col gap-1 text-sm">
      <label htmlFor={id} className="font-medium">
        {spec.label}
      </label>
      {options === undefined ? (
        <input
          id={id}
          key={value}
          className={classes(inputClass, "h-8")}
          defaultValue={value === "…" ? "" : value}
          placeholder={value === "…" ? "different values" : "30s, 5m, 2h"}
          onBlur={(event) =>
            event.target.value !== value && set(event.target.value === "" ? undefined : event.target.value)
          }
        />
      ) : (
        <Select
          described={{ id, "aria-describedby": undefined, "aria-invalid": false }}
          value={value}
          options={[...(value === "…" ? [["…", "different values"] as const] : []), ["", "Not set"], ...options]}
          onChange={(chosen) => set(spec.control === "switch" && chosen !== "" ? chosen === "true" : chosen)}
        />
      )}
      <p className="text-xs text-muted">{spec.help}</p>
    </div>
  );
}
