// ProviderDialog: adds or edits a model provider in config.yaml. It asks for the name of the secret that holds the key,
// not for the key.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { problemOf } from "../client/queries.ts";
import { nameProblem } from "../secrets/groups.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass, TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { toast } from "../ui/toast.tsx";
import { changeSettings, type Provider } from "./queries.ts";

const TYPES = [
  ["openai-compatible", "OpenAI-compatible (llama.cpp, vLLM, LM Studio, …)"],
  ["openai", "OpenAI"],
  ["anthropic", "Anthropic"],
  ["google", "Google"],
] as const;

export interface ProviderDialogProps {
  /** Absent: a new one. */
  provider?: Provider;
  /** Names that are already taken. */
  known: readonly string[];
  onClose: () => void;
}

export function ProviderDialog({ provider, known, onClose }: ProviderDialogProps) {
  const [name, setName] = useState(provider?.name ?? "");
  const [type, setType] = useState(provider?.type ?? "openai-compatible");
  const [baseURL, setBaseURL] = useState(provider?.baseURL ?? "");
  const [secret, setSecret] = useState(provider?.secret ?? "");
  const form = useId();
  const save = useMutation({
    mutationFn: changeSettings,
    onSuccess: () => {
      toast(`Saved ${name}`);
      onClose();
    },
  });
  const wrongName = provider === undefined && known.includes(name) ? "There is one of that name." : nameWrong(name);
  const wrongURL =
    baseURL !== "" && !URL.canParse(baseURL) ? "An address such as https://llm.example.com/v1." : undefined;
  const needsURL = type === "openai-compatible";
  const ready = name !== "" && !wrongName && !wrongURL && !nameProblem(secret) && (!needsURL || baseURL !== "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    const given = { type, ...(baseURL === "" ? {} : { baseURL }), ...(secret === "" ? {} : { secret }) };
    save.mutate({ providers: { [name]: given } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={provider === undefined ? "Add a model provider" : `Change ${provider.name}`}
      description="It is written to config.yaml of this home."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" disabled={!ready} busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4 py-1">
        {provider === undefined && (
          <TextField
            label="Name"
            value={name}
            error={wrongName}
            help={`In a node: model: ${name === "" ? "NAME" : name}/MODEL`}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder="local"
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <Field label="Speaks as">
          {(props) => (
            <select
              {...props}
              value={type}
              onChange={(event) => setType(event.target.value)}
              className={`${inputClass} h-8`}
            >
              {TYPES.map(([id, label]) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label={needsURL ? "Address" : "Address, where it is not the usual one"}
          value={baseURL}
          error={wrongURL}
          autoComplete="off"
          spellCheck={false}
          placeholder="http://127.0.0.1:8080/v1"
          onChange={(event) => setBaseURL(event.target.value)}
        />
        <TextField
          label="Secret that holds its key"
          value={secret}
          error={nameProblem(secret)}
          help="A name, not the key. Set its value under Connections and secrets."
          autoComplete="off"
          spellCheck={false}
          placeholder={needsURL ? "none" : "the usual variable"}
          className="font-mono"
          onChange={(event) => setSecret(event.target.value)}
        />
        {save.error !== null && <Problem problem={problemOf(save.error)} />}
      </form>
    </Dialog>
  );
}

function nameWrong(name: string): string | undefined {
  return name === "" || /^[A-Za-z0-9][\w.-]*$/.test(name)
    ? undefined
    : "A name has letters, digits, dots, dashes and underscores.";
}
