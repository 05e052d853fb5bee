// LoopField: how often a loop runs: a fixed number of times, once per item, or while a condition holds (spec 1.2).

import { usePanel } from "../context.ts";
import { setFields } from "../edits.ts";
import { fieldOf } from "../form.ts";
import { TemplateField } from "./code.tsx";
import { ConditionField } from "./condition.tsx";
import { Select } from "./controls.tsx";
import { Found, Frame } from "./frame.tsx";
import { InputField, written } from "./plain.tsx";

type LoopKind = "iterations" | "items" | "while";

export function LoopField() {
  const { node, onEdit, findings } = usePanel();
  if (node === undefined) return null;
  const { data } = node;
  const kinds = (["iterations", "items", "while"] as const).filter((kind) => data[kind] !== undefined);
  const kind: LoopKind = kinds[0] ?? "iterations";
  const choose = (next: LoopKind) =>
    onEdit(
      setFields(
        node.id,
        {
          iterations: next === "iterations" ? (data.iterations ?? 3) : undefined,
          items: next === "items" ? (data.items ?? "inputs[0]") : undefined,
          as: next === "items" ? data.as : undefined,
          while: next === "while" ? (data.while ?? "i <= 3") : undefined,
        },
        "Change what the loop counts",
      ),
    );
  const about = findings.at(["nodes", node.index]).concat(findings.at(["nodes", node.index, "data"]));
  return (
    <div className="flex flex-col gap-4">
      <Frame label="It runs" findings={[]}>
        {(described) => (
          <Select
            described={described}
            value={kind}
            options={[
              ["iterations", "a number of times"],
              ["items", "once for each item of a list"],
              ["while", "as long as a condition holds"],
            ]}
            onChange={(next) => choose(next as LoopKind)}
          />
        )}
      </Frame>
      {kinds.length > 1 && <Found findings={about} text="" />}
      {kind === "iterations" && (
        <div className="grid grid-cols-2 gap-3">
          <TemplateField spec={fieldOf("loop-start", "iterations", "template")} />
          <TemplateField spec={fieldOf("loop-start", "start", "template")} />
        </div>
      )}
      {kind === "items" && (
        <>
          <TemplateField
            spec={fieldOf("loop-start", "items", written(data.items).includes("${") ? "template" : "expression")}
          />
          <InputField spec={fieldOf("loop-start", "as")} />
        </>
      )}
      {kind === "while" && <ConditionField spec={{ ...fieldOf("loop-start", "while"), inside: true }} />}
      <InputField spec={fieldOf("loop-start", "loopVariable")} />
    </div>
  );
}
