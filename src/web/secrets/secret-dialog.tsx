// SecretDialog: saves a typed or pasted value to the local store, or each value of a pasted .env file. The page does not
// keep them or show them again.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { classes } from "../ui/classes.ts";
import { Field, inputClass, TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";
import { envEntries } from "./env-text.ts";
import { givenValue, nameProblem } from "./names.ts";
import { ending } from "./pending.ts";
import { saveSecret, secretsQuery } from "./queries.ts";

interface SecretDialogProps {
  /** Fixed if given. */
  name?: string | undefined;
  /** The local store already has a value for it. */
  replaces?: boolean;
  /** The first text of the value, such as a pasted .env file. */
  first?: string;
  why?: string;
  submit?: string;
  onSaved?: (names: readonly string[]) => void;
  onClose: () => void;
}

export function SecretDialog({
  name: given,
  replaces,
  first = "",
  why = "",
  submit,
  onSaved,
  onClose,
}: SecretDialogProps) {
  const [name, setName] = useState(given ?? "");
  const [value, setValue] = useState(first);
  const [shown, setShown] = useState(false);
  const entries = envEntries(value);
  // One line with an equals sign can be the value itself.
  const isFile = entries.size > (given === undefined && name === "" ? 0 : 1);
  const wanted: [string, string][] = isFile ? [...entries] : [[name, givenValue(value)]];
  const save = async () => {
    for (const [each, text] of wanted) await saveSecret({ name: each, value: text });
    const names = wanted.map(([each]) => each);
    toast(names.length === 1 ? `Saved ${names[0]}` : `Saved ${names.length} secrets: ${names.join(", ")}`);
    onClose();
    onSaved?.(names);
  };
  const wrong = nameProblem(name);
  const isUnfit = !isFile && (name === "" || wrong !== undefined || givenValue(value) === "");
  const title = given === undefined ? "Add a secret" : `${replaces ? "Replace" : "Set"} ${given}`;
  const isMany = isFile && entries.size > 1;
  const usual = isFile ? `Save ${count(entries.size, "secret")}` : replaces ? "Replace" : "Save";
  return (
    <FormDialog
      title={isMany ? `Add ${count(entries.size, "secret")}` : title}
      description={`${why} Values are encrypted in the data directory, and passed to the nodes of a workflow that name them. They are never shown again.`.trim()}
      submit={submit ?? usual}
      disabled={isUnfit}
      onSubmit={save}
      onClose={onClose}
    >
      {given === undefined && !isFile && (
        <TextField
          label="Name"
          value={name}
          error={wrong}
          placeholder="API_KEY"
          className="font-mono"
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <Field
        label="Value"
        help="Shift+Enter starts a line, for values such as a key file. Paste a .env file to save all its values."
      >
        {(props) => (
          <textarea
            {...props}
            rows={shown ? 4 : 2}
            autoComplete="off"
            spellCheck={false}
            data-1p-ignore
            data-lpignore="true"
            value={value}
            onChange={(event) => setValue(event.target.value)}
            onKeyDown={(event) => {
              const { key, ctrlKey, metaKey, shiftKey } = event;
              const isLine = shiftKey || (value.includes("\n") && !ctrlKey && !metaKey);
              if (key !== "Enter" || isLine || event.nativeEvent.isComposing) return;
              event.preventDefault();
              if (!isUnfit) event.currentTarget.form?.requestSubmit();
            }}
            className={classes(inputClass, "resize-none py-1.5 font-mono", !shown && "[-webkit-text-security:disc]")}
          />
        )}
      </Field>
      {isFile && <EnvList entries={entries} />}
      <label className="flex w-fit items-center gap-2 text-muted">
        <input type="checkbox" checked={shown} onChange={(event) => setShown(event.target.checked)} />
        Show it while I type
      </label>
    </FormDialog>
  );
}

function EnvList({ entries }: { entries: ReadonlyMap<string, string> }) {
  const { data: known = [] } = useQuery(secretsQuery);
  return (
    <ul aria-label="Values of the .env file" className="flex max-h-40 flex-col gap-1 overflow-y-auto text-sm">
      {[...entries].map(([name, value]) => (
        <li key={name}>
          <code className="break-all">{name}</code> <span className="text-muted">{ending(value)}</span>
          {known.some((item) => item.name === name && item.stored) && (
            <span className="text-waiting"> replaces the stored value</span>
          )}
        </li>
      ))}
    </ul>
  );
}
