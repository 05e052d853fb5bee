// ConditionField: edits a condition as text, or as rows of a form if it is simple (ui 6.3 "IF: builder <->
// expression").

import { Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { FieldSpec } from "../../kinds.ts";
import { Button } from "../../ui/button.tsx";
import { focusSoon } from "../../ui/focus.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { type ConditionRow, OPERATORS, type Operator, readCondition, rightSide, writeCondition } from "../condition.ts";
import { useField, useGrounds, usePanel } from "../context.ts";
import { useDraft } from "../draft.ts";
import { TemplateField } from "./code.tsx";
import { DraftInput, Select, written } from "./controls.tsx";

export function ConditionField({ spec }: { spec: FieldSpec }) {
  const { node } = usePanel();
  const field = useField(spec.path);
  const text = written(field.value);
  const condition = readCondition(text);
  const canBuild = condition !== undefined;
  const [asText, setAsText] = useState(!canBuild);
  const { rows, join } = condition ?? { rows: [], join: "and" };
  const place = useRef<HTMLDivElement>(null);
  // The fields of the rows disappear with the focus.
  const wasBuilt = useRef(canBuild);
  useEffect(() => {
    const isText = wasBuilt.current && !canBuild && document.activeElement === document.body;
    wasBuilt.current = canBuild;
    if (isText) focusSoon(() => place.current?.querySelector<HTMLElement>("[contenteditable=true]"));
  }, [canBuild]);
  const add = () => {
    write([...rows, { left: "exitCode", operator: "=", right: "0" }]);
    focusSoon(() => {
      const left = place.current?.querySelectorAll<HTMLInputElement>("[data-part=row] input:first-child")[rows.length];
      left?.select();
      return left;
    });
  };
  const write = (next: readonly ConditionRow[], by = join) => field.set(writeCondition(by, next));
  return (
    <div ref={place} className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <span className="text-sm font-medium">{node?.type === "loop-end" ? "Until" : "Condition"}</span>
        <Button size="small" aria-pressed={!asText && canBuild} disabled={!canBuild} onClick={() => setAsText(!asText)}>
          {asText || !canBuild ? "Build it" : "Write it"}
        </Button>
      </div>
      {canBuild && !asText ? (
        <div className="flex flex-col gap-1.5">
          {rows.length > 1 && (
            <Select
              label="How the conditions are joined"
              value={join}
              options={[
                ["and", "All of these hold"],
                ["or", "One of these holds"],
              ]}
              onChange={(by) => write(rows, by === "or" ? "or" : "and")}
            />
          )}
          {rows.map((row, at) => (
            <RowView
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its index in the condition.
              key={at}
              row={row}
              onChange={(next) => write(rows.with(at, next))}
              onRemove={() => write(rows.filter((_, index) => index !== at))}
            />
          ))}
          {rows.length === 0 && node?.type === "if" && (
            <p className="text-sm text-muted">No condition: it asks whether the first parent's command succeeded.</p>
          )}
          <Button icon={<Plus size={14} aria-hidden="true" />} onClick={add}>
            Add a condition
          </Button>
          <p className="text-xs text-muted">{spec.help}</p>
        </div>
      ) : (
        <TemplateField spec={{ ...spec, control: "expression", label: "Expression" }} />
      )}
    </div>
  );
}

interface RowProps {
  row: ConditionRow;
  onChange: (row: ConditionRow) => void;
  onRemove: () => void;
}

function RowView({ row, onChange, onRemove }: RowProps) {
  const names = useGrounds({}, "expression").names;
  // Half of a call is not a row, and would take the field away.
  const left = useDraft(row.left, (text) => text.trim() !== "" && onChange({ ...row, left: text.trim() }), true);
  const right = useDraft(row.right, (text) => onChange({ ...row, right: rightSide(text) }));
  return (
    <div data-part="row" className="grid grid-cols-[minmax(0,5fr)_64px_minmax(0,3fr)_auto] gap-1.5">
      <DraftInput label="Left side" draft={left} offered={names.map(({ name, from }) => [name, from])} />
      <Select
        label="Comparison"
        value={row.operator}
        options={OPERATORS.map((operator) => [operator, operator])}
        onChange={(operator) => onChange({ ...row, operator: operator as Operator })}
      />
      <DraftInput label="Right side" draft={right} disabled={row.operator === "is true"} />
      <IconButton label="Remove this condition" icon={<X size={14} aria-hidden="true" />} onClick={onRemove} />
    </div>
  );
}
