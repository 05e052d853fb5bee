// ProviderDialog: adds or edits a model provider in config.yaml. It asks for the name of the secret that holds the key,
// not for the key.

import { useState } from "react";
import { nameProblem } from "../secrets/names.ts";
import { Field, TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toast.tsx";
import { changeSettings, type Provider } from "./queries.ts";

const TYPES = [
  ["openai-compatible", "OpenAI-compatible (llama.cpp, vLLM, LM Studio, …)"],
  ["openai", "OpenAI"],
  ["anthropic", "Anthropic"],
  ["google", "Google"],
] as const;

interface ProviderDialogProps {
  provider: Provider | undefined;
  known: readonly string[];
  onClose: () => void;
}

export function ProviderDialog({ provider, known, onClose }: ProviderDialogProps) {
  const [name, setName] = useState(provider?.name ?? "");
  const [type, setType] = useState(provider?.type ?? "openai-compatible");
  const [baseURL, setBaseURL] = useState(provider?.baseURL ?? "");
  const [secret, setSecret] = useState(provider?.secret ?? "");
  const save = async () => {
    await changeSettings({
      providers: { [name]: { type, baseURL: baseURL || undefined, secret: secret || undefined } },
    });
    toast(`Saved ${name}`);
    onClose();
  };
  const wrongName =
    provider === undefined && known.includes(name) ? "Another provider has this name." : nameWrong(name);
  const wrongURL = baseURL === "" || URL.canParse(baseURL) ? undefined : "A URL such as https://llm.example.com/v1.";
  const needsURL = type === "openai-compatible";
  const ready = name !== "" && !wrongName && !wrongURL && !nameProblem(secret) && (!needsURL || baseURL !== "");
  return (
    <FormDialog
      title={provider === undefined ? "Add a model provider" : `Edit ${provider.name}`}
      description="It is written to config.yaml in the data directory."
      submit="Save"
      disabled={!ready}
      onSubmit={save}
      onClose={onClose}
    >
      {provider === undefined && (
        <TextField
          label="Name"
          value={name}
          error={wrongName}
          help={`In a node: model: ${name === "" ? "NAME" : name}/MODEL`}
          placeholder="local"
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <Field label="API">{(props) => <Select {...props} value={type} onChange={setType} options={TYPES} />}</Field>
      <TextField
        label={needsURL ? "Base URL" : "Base URL, if not the default"}
        value={baseURL}
        error={wrongURL}
        placeholder="http://127.0.0.1:8080/v1"
        onChange={(event) => setBaseURL(event.target.value)}
      />
      <TextField
        label="Secret that holds its key"
        value={secret}
        error={nameProblem(secret)}
        help="A name, not the key. Set its value under Connections and secrets."
        placeholder={needsURL ? "none" : "the provider's variable"}
        className="font-mono"
        onChange={(event) => setSecret(event.target.value)}
      />
    </FormDialog>
  );
}

function nameWrong(name: string): string | undefined {
  return name === "" || /^[A-Za-z0-9][\w.-]*$/.test(name)
    ? undefined
    : "A name has letters, digits, dots, dashes and underscores.";
}
