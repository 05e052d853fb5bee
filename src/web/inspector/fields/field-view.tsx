// FieldView: one field of a form, shown with the control for its kind.

import type { ReactNode } from "react";
import type { Control, FieldSpec } from "../../kinds.ts";
import { EgressField, InheritField, LoopField, ResultField, StdinField } from "./choices.tsx";
import { CommandField, TemplateField } from "./code.tsx";
import { ConditionField } from "./condition.tsx";
import { InputsField, TriggersField } from "./entries.tsx";
import { MapField } from "./map.tsx";
import { ModelField, SchemaField, SubflowInputs, WorkflowField } from "./model.tsx";
import { ChoiceField, InputField, SwitchField } from "./plain.tsx";
import { RetryField } from "./retry.tsx";
import { AuthField, SignInField } from "./sign-in.tsx";

export function FieldView({ spec }: { spec: FieldSpec }) {
  const View = VIEWS[spec.control] ?? InputField;
  return <View spec={spec} />;
}

const VIEWS: Partial<Record<Control, (props: { spec: FieldSpec }) => ReactNode>> = {
  choice: ChoiceField,
  switch: SwitchField,
  template: TemplateField,
  shell: CommandField,
  prompt: TemplateField,
  text: TemplateField,
  expression: TemplateField,
  condition: ConditionField,
  map: MapField,
  "subflow-inputs": SubflowInputs,
  stdin: StdinField,
  inherit: InheritField,
  egress: EgressField,
  auth: AuthField,
  retry: RetryField,
  items: LoopField,
  schema: SchemaField,
  model: ModelField,
  workflow: WorkflowField,
  inputs: InputsField,
  triggers: TriggersField,
  "sign-ins": SignInField,
  result: ResultField,
};
