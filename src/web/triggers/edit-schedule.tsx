// edit-schedule: adds, changes, and removes a schedule of a workflow file from the triggers screen.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { TriggerItem, WorkflowDocument } from "../../api/shapes.ts";
import { sentence, workflowsQuery } from "../client/queries.ts";
import { changeField } from "../home/edit-document.ts";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toast.tsx";
import { type ScheduleFields, ScheduleForm } from "./schedule-form.tsx";
import { withoutSchedule, withSchedule } from "./schedules-of.ts";

/** A file may have errors for other reasons, or because the workflow needs inputs that no schedule gives. */
export function tell(done: string, { diagnostics, path }: WorkflowDocument): void {
  const error = diagnostics.find(({ severity }) => severity === "error");
  toast(error === undefined ? done : `${done}, but ${path} has an error and starts nothing: ${error.message}`);
}

/** The workflow that gets a new trigger, and the field that chooses it. */
export function useWorkflow() {
  const workflows = useQuery(workflowsQuery).data ?? [];
  const [chosen, setChosen] = useState<string>();
  const path = chosen ?? workflows[0]?.path;
  const options = workflows.map(({ path: file, name }) => [file, `${name} (${file})`] as const);
  const field = (
    <Field label="Workflow">
      {(props) => <Select {...props} value={path ?? ""} onChange={setChosen} options={options} />}
    </Field>
  );
  return { path, field };
}

/** `item`: the schedule to change. Absent: a new one, of a workflow that the user chooses. */
export function EditSchedule({ item, onClose }: { item?: TriggerItem; onClose: () => void }) {
  const { path: chosen, field } = useWorkflow();
  const path = item?.workflow ?? chosen;
  const before = item && fieldsOf(item);
  const save = async (fields: ScheduleFields) => {
    const document = await changeField(path!, "on", (list) => withSchedule(list, fields, before));
    tell(item === undefined ? "Schedule added" : "Schedule changed", document);
    onClose();
  };
  return (
    <ScheduleForm
      title={item === undefined ? "Add a schedule" : "Edit the schedule"}
      submit={item === undefined ? "Add" : "Save"}
      value={before}
      disabled={path === undefined}
      onSave={save}
      onClose={onClose}
    >
      {item === undefined ? (
        field
      ) : (
        <p className="text-sm text-muted">
          Changes <span className="font-mono">{item.workflow}</span>.
        </p>
      )}
    </ScheduleForm>
  );
}

export function removeSchedule(item: TriggerItem): void {
  const { workflow: path } = item;
  const fields = fieldsOf(item);
  const back = () =>
    void changeField(path, "on", (list) => withSchedule(list, fields)).then(
      (document) => tell("The schedule is back", document),
      (reason: unknown) => toast(`The schedule is not back: ${sentence(reason)}`),
    );
  changeField(path, "on", (list) => withoutSchedule(list, fields)).then(
    () => toast(`Schedule removed from ${path}`, { label: "Undo", onPress: back }),
    (reason: unknown) => toast(`The schedule was not removed: ${sentence(reason)}`),
  );
}

function fieldsOf({ fields }: TriggerItem): ScheduleFields {
  return fields as unknown as ScheduleFields;
}
