// ProvidersPanel: the language model providers, and whether the key of each is set. A key is a secret, so it is never
// shown.

import { useMutation } from "@tanstack/react-query";
import { CircleDashed, KeyRound, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { SecretDialog } from "../secrets/secret-dialog.tsx";
import { Button, RowButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Panel } from "../ui/panel.tsx";
import { Failed } from "../ui/problem.tsx";
import { TestOutcome } from "../ui/test-outcome.tsx";
import { say } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";
import { ProviderDialog } from "./provider-dialog.tsx";
import { changeSettings, type Provider, testProvider } from "./queries.ts";

/** `isKey`: the key of the provider is set. Without a provider, a new one is added. */
interface Open {
  provider?: Provider;
  isKey: boolean;
}

export function ProvidersPanel({ providers }: { providers: readonly Provider[] }) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const remove = useMutation({ mutationFn: (name: string) => changeSettings({ providers: { [name]: null } }) });
  return (
    <Panel
      title="Model providers"
      actions={
        <Button size="small" onClick={() => setOpen({ isKey: false })}>
          Add
        </Button>
      }
    >
      <p className="max-w-3xl px-4 pt-3 text-muted">
        LLM nodes use <code className="font-mono text-sm">model: NAME/MODEL</code>. Well-known providers also work with
        their usual environment variables.
      </p>
      <div className="p-4 empty:hidden">
        <Failed error={remove.error} />
      </div>
      <ul className="mt-1">
        {providers.map((provider) => (
          <ProviderRow
            key={provider.name}
            provider={provider}
            onKey={() => setOpen({ provider, isKey: true })}
            onEdit={() => setOpen({ provider, isKey: false })}
            onRemove={() => remove.mutate(provider.name)}
            removing={remove.isPending && remove.variables === provider.name}
          />
        ))}
      </ul>
      {open?.isKey === true && <SecretDialog name={open.provider?.secret} onClose={close} />}
      {open?.isKey === false && (
        <ProviderDialog provider={open.provider} known={providers.map(({ name }) => name)} onClose={close} />
      )}
    </Panel>
  );
}

interface ProviderRowProps {
  provider: Provider;
  onKey: () => void;
  onEdit: () => void;
  onRemove: () => void;
  removing: boolean;
}

/** The result of a test lists the models. */
function ProviderRow({ provider, onKey, onEdit, onRemove, removing }: ProviderRowProps) {
  const { name, from, key, secret, baseURL } = provider;
  const test = useMutation({
    mutationFn: () => testProvider(name),
    onSuccess: ({ ok }) => say(ok ? `${name} answers` : `${name} does not answer as it should`),
  });
  return (
    <li className="grid items-center gap-x-4 gap-y-1.5 border-b border-line px-4 py-2.5 last:border-0 sm:grid-cols-[minmax(0,1fr)_200px_232px]">
      <div className="min-w-0">
        <h3 className="flex items-center gap-2 font-semibold">
          {name}
          {from === "config" && <Chip>config.yaml</Chip>}
        </h3>
        <p className="truncate font-mono text-xs text-muted">{baseURL}</p>
      </div>
      <Key provider={provider} />
      <div className="flex flex-wrap gap-1.5 sm:justify-end">
        <RowButton text="Test" of={name} kind="quiet" busy={test.isPending} onClick={() => test.mutate()} />
        {secret !== undefined && key === "missing" && <RowButton text="Set key" of={`of ${name}`} onClick={onKey} />}
        {from === "config" && (
          <>
            <RowButton text="Edit" of={name} kind="quiet" onClick={onEdit} />
            <RowButton text="Remove" of={name} kind="quiet" busy={removing} onClick={onRemove} />
          </>
        )}
      </div>
      <TestOutcome test={test} good={`It answers${modelsText(test.data?.models ?? [])}.`} />
    </li>
  );
}

const KEYS = {
  set: { icon: KeyRound, text: "text-succeeded", word: "key is set" },
  missing: { icon: TriangleAlert, text: "text-waiting", word: "no key" },
  /** The provider is not set up, so no key is missing. */
  unset: { icon: CircleDashed, text: "text-muted", word: "no key" },
  none: { icon: CircleDashed, text: "text-muted", word: "needs no key" },
} as const;

function Key({ provider: { key, secret, from } }: { provider: Provider }) {
  const { icon: Icon, text, word } = KEYS[key === "missing" && from === "environment" ? "unset" : key];
  return (
    <div className="min-w-0 text-sm">
      <p className={`flex items-center gap-1.5 ${text}`}>
        <Icon size={13} />
        {word}
      </p>
      {key !== "none" && <p className="truncate font-mono text-xs text-muted">{secret}</p>}
    </div>
  );
}

function modelsText(models: readonly string[]): string {
  if (models.length === 0) return ", and lists no models";
  const rest = models.length - 3;
  return `, and has ${models.slice(0, 3).join(", ")}${rest > 0 ? ` and ${count(rest, "more", "more")}` : ""}`;
}
