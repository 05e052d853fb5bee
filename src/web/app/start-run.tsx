// StartRun: starts a stored workflow, after a form for its inputs if one of them has no default. Inputs are parsed like `--input` on the
// command line. Any component can call `useStartRun()`; the dialog is in the shell.

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { create } from "zustand";
import { at } from "../../api/address.ts";
import type { StartedRun, StartRun } from "../../api/shapes.ts";
import { checkInputs } from "../../workflow/inputs.ts";
import type { InputSpec } from "../../workflow/model.ts";
import { ask, ownProblem, Refusal } from "../client/api.ts";
import { problemOf } from "../client/queries.ts";
import { areMissing, askSecrets, missingSecrets } from "../secrets/asking.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { InputField, inputText } from "./input-field.tsx";

export interface Startable {
  path: string;
  name: string;
  inputs: Record<string, InputSpec>;
  /** The form opens even if every input has a default. */
  asks?: true;
  /** The secrets that it names, if the page has its text. */
  secrets?: readonly string[];
}

/** `save` runs before the start, so that the file contains what is to run. */
interface Starting extends Startable {
  save: () => Promise<void>;
  onStarted: (run: string) => void;
}

const useStarting = create<{ item: Starting | undefined }>(() => ({ item: undefined }));

/**
 * One request with an idempotency key, so that a repeated request starts nothing twice. If one of the
 * `secrets` has no value, nothing is started.
 */
export async function startRun(path: string, body: StartRun, secrets: readonly string[] = []): Promise<StartedRun> {
  if (await areMissing(path, secrets)) throw new Refusal(SECRET_MISSING);
  return ask<StartedRun>(at("workflows", path, "runs"), {
    method: "POST",
    headers: { "idempotency-key": crypto.randomUUID() },
    body,
  });
}

const SECRET_MISSING = ownProblem("secret-missing", "A secret is not set");

/** Starts without a response yet. A second press is ignored. */
const pressed = new Set<string>();

type Start = (item: Startable, save?: () => Promise<void>, onStarted?: (run: string) => void) => void;

/** Starts the workflow, and opens its run unless `onStarted` takes it. Asks for inputs that have no default first. */
export function useStartRun(): Start {
  const navigate = useNavigate();
  const notStarted = useNotStarted();
  const open = (id: string) => void navigate({ to: "/runs/$id", params: { id } });
  return function begin(item, save = async () => {}, onStarted = open) {
    if (item.asks || Object.values(item.inputs).some((spec) => spec.default === undefined)) {
      useStarting.setState({ item: { ...item, save, onStarted } });
      return;
    }
    if (pressed.has(item.path)) return;
    pressed.add(item.path);
    save()
      .then(() => startRun(item.path, {}, item.secrets))
      .then(({ id }) => onStarted(id))
      .catch((reason: unknown) => notStarted(item.name, reason, item.path, () => begin(item, save, onStarted)))
      .finally(() => pressed.delete(item.path));
  };
}

/**
 * Reports a failed start where it was requested. `again`: starts it once more. If secrets are missing, the user sets them
 * first, where they are.
 */
export function useNotStarted(): (name: string, reason: unknown, path?: string, again?: () => void) => void {
  return (name, reason, path, again) => {
    const { title, detail, code } = problemOf(reason);
    const say = () => toast(`${name} did not start: ${detail ?? title}`);
    if (code !== "secret-missing" || path === undefined) say();
    else
      missingSecrets(path).then((names) => {
        if (names.length === 0) say();
        askSecrets({ names, why: `${name} needs it to run.`, onDone: again });
      }, say);
  };
}

/** Mounted once, in the shell. */
export function StartRunDialog() {
  const item = useStarting((state) => state.item);
  return item === undefined ? null : <InputsDialog key={item.path} item={item} />;
}

function InputsDialog({ item }: { item: Starting }) {
  const specs = Object.entries(item.inputs);
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(specs.map(([name, spec]) => [name, inputText(spec.default)])),
  );
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const notStarted = useNotStarted();
  const close = () => useStarting.setState({ item: undefined });
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
    const read = checkInputs(item.inputs, given, "text");
    setWrong(read.ok ? {} : Object.fromEntries(read.error.map(({ input, message }) => [input, message])));
    if (!read.ok) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    try {
      await item.save();
      const { id } = await startRun(item.path, { inputs: read.value }, item.secrets);
      close();
      item.onStarted(id);
    } catch (reason) {
      if (problemOf(reason).code !== "secret-missing") throw reason;
      notStarted(item.name, reason, item.path, () => form.requestSubmit());
    }
  };
  return (
    <FormDialog title={`Run ${item.name}`} submit="Run" onSubmit={submit} onClose={close}>
      {specs.map(([name, spec]) => (
        <InputField
          key={name}
          name={name}
          spec={spec}
          text={texts[name] ?? ""}
          error={wrong[name]}
          onChange={(text) => {
            setTexts((before) => ({ ...before, [name]: text }));
            setWrong(({ [name]: _, ...others }) => others);
          }}
        />
      ))}
    </FormDialog>
  );
}
