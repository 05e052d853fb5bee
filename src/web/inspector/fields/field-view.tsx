// FieldView: one field of a form, shown with the control for its kind.

import type { FieldSpec } from "../form.ts";
import { AuthField, EgressField, InheritField, StdinField } from "./choices.tsx";
import { TemplateField } from "./code.tsx";
import { ConditionField } from "./condition.tsx";
import { LoopField } from "./loop.tsx";
import { MapField } from "./map.tsx";
import { ModelField, SchemaField, SubflowInputs, WorkflowField } from "./model.tsx";
import { ChoiceField, InputField, SwitchField } from "./plain.tsx";
import { RetryField } from "./retry.tsx";

export function FieldView({ spec }: { spec: FieldSpec }) {
  switch (spec.control) {
    case "choice":
      return <ChoiceField spec={spec} />;
    case "switch":
      return <SwitchField spec={spec} />;
    case "template":
    case "shell":
    case "prompt":
    case "text":
    case "expression":
      return <TemplateField spec={spec} />;
    case "condition":
      return <ConditionField spec={spec} />;
    case "map":
      return spec.path[0] === "inputs" ? <SubflowInputs spec={spec} /> : <MapField spec={spec} />;
    case "stdin":
      return <StdinField spec={spec} />;
    case "inherit":
      return <InheritField spec={spec} />;
    case "egress":
      return <EgressField spec={spec} />;
    case "auth":
      return <AuthField spec={spec} />;
    case "retry":
      return <RetryField spec={spec} />;
    case "items":
      return <LoopField />;
    case "schema":
      return <SchemaField spec={spec} />;
    case "model":
      return <ModelField spec={spec} />;
    case "workflow":
      return <WorkflowField spec={spec} />;
    default:
      return <InputField spec={spec} />;
  }
}
