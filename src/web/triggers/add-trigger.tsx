// add-trigger: the menu of new triggers, and the form for those that need only a line: a webhook, a file watch, or the
// end of other runs. Their other fields have their defaults.

import { Plus } from "lucide-react";
import { useState } from "react";
import { globProblem } from "../../workflow/glob.ts";
import { isHookPath } from "../../workflow/triggers/index.ts";
import { changeField } from "../home/edit-document.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Menu } from "../ui/menu.tsx";
import { Select } from "../ui/select.tsx";
import { tell, useWorkflow } from "./edit-schedule.tsx";
import { VERIFY } from "./hooks.tsx";
import { withTrigger } from "./schedules-of.ts";

interface Kind {
  name: string;
  label: string;
  help: string;
  signed?: true;
  problem?(text: string): string | undefined;
  data?(text: string): Record<string, unknown>;
}

const KINDS = {
  schedule: { name: "Schedule", label: "", help: "" },
  webhook: {
    name: "Webhook",
    label: "Path",
    help: "The URL ends with /h/ and this path, such as github.",
    signed: true,
    problem: (path) => (isHookPath(path) ? undefined : "Use letters, digits, _, -, and ., with / between parts."),
    data: (path) => ({ path }),
  },
  file: {
    name: "File watch",
    label: "Files",
    help: "In the workflow’s folder, separated by commas. Names can contain * and **, such as inbox/*.json.",
    problem: (text) => problemOfGlobs(wordsIn(text)),
    data: (text) => ({ paths: wordsIn(text) }),
  },
  run: {
    name: "End of a run",
    label: "Workflow files",
    help: "Starts when a run of them fails. Names can contain * and **, such as jobs/*.flow.yaml.",
    problem: (glob) => problemOfGlobs([glob]),
    data: (workflow) => ({ workflow }),
  },
} satisfies Record<string, Kind>;
export type AddedKind = keyof typeof KINDS;

export function AddMenu({ primary, onAdd }: { primary?: boolean; onAdd: (kind: AddedKind) => void }) {
  return (
    <Menu
      label="Add a trigger"
      items={Object.entries(KINDS).map(([kind, { name }]) => ({
        label: `${name}…`,
        onSelect: () => onAdd(kind as AddedKind),
      }))}
      trigger={
        <Button kind={primary ? "primary" : "plain"} icon={<Plus />}>
          Add a trigger
        </Button>
      }
    />
  );
}

const wordsIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

function problemOfGlobs(patterns: readonly string[]): string | undefined {
  const wrong = patterns.find((pattern) => globProblem(pattern) !== undefined);
  return wrong === undefined ? undefined : `${wrong} ${globProblem(wrong)}.`;
}

export function AddTrigger({ kind, onClose }: { kind: Exclude<AddedKind, "schedule">; onClose: () => void }) {
  const { path, field } = useWorkflow();
  const [typed, setText] = useState("");
  const [verify, setVerify] = useState("none");
  const [secret, setSecret] = useState("");
  const { name, label, help, signed, problem: problemOf, data }: Kind = KINDS[kind];
  const text = typed.trim();
  const problem = text === "" ? undefined : problemOf?.(text);
  const isSigned = signed === true && verify !== "none";
  const save = async () => {
    const fields = { ...data?.(text), ...(signed && { verify }), ...(isSigned && { secret }) };
    if (isSigned) await changeField(path!, "secrets", (names) => [...new Set([...((names as []) ?? []), secret])]);
    tell(`${name} added`, await changeField(path!, "on", (list) => withTrigger(list, { [kind]: fields })));
    onClose();
  };
  return (
    <FormDialog
      title={`Add: ${name.toLowerCase()}`}
      submit="Add"
      disabled={
        path === undefined || text === "" || problem !== undefined || (isSigned && !/^[A-Za-z_]\w*$/.test(secret))
      }
      onSubmit={save}
      onClose={onClose}
    >
      {field}
      <TextField
        {...{ label, help, value: typed, error: problem }}
        className="font-mono"
        onChange={({ target }) => setText(target.value)}
      />
      {signed && (
        <Field label="Deliveries" help={isSigned ? undefined : "Anyone who knows the URL can start the workflow."}>
          {(props) => <Select {...props} value={verify} onChange={setVerify} options={Object.entries(VERIFY)} />}
        </Field>
      )}
      {isSigned && (
        <TextField
          label="Name of the secret"
          help="The workflow gets this secret. Set its value in Secrets."
          value={secret}
          className="font-mono"
          onChange={({ target }) => setSecret(target.value.trim())}
        />
      )}
    </FormDialog>
  );
}
