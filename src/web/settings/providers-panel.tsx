// ProvidersPanel: which language models can be asked, and whether the key of each is there. A key is a secret: it is set, never shown.

import { useMutation } from "@tanstack/react-query";
import { CircleDashed, KeyRound, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { problemOf } from "../client/queries.ts";
import { SecretDialog } from "../secrets/secret-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { ProviderDialog } from "./provider-dialog.tsx";
import { changeSettings, type Provider } from "./queries.ts";

type Open = { what: "add" } | { what: "edit" | "key"; provider: Provider };

export function ProvidersPanel({ providers }: { providers: readonly Provider[] }) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const remove = useMutation({ mutationFn: (name: string) => changeSettings({ providers: { [name]: null } }) });
  return (
    <Panel
      title="Model providers"
      actions={
        <Button size="small" onClick={() => setOpen({ what: "add" })}>
          Add
        </Button>
      }
    >
      <p className="max-w-3xl px-4 pt-3 text-muted">
        A node says <code className="font-mono text-sm">model: NAME/MODEL</code>. Some names work without being set up,
        by the usual variables of the environment.
      </p>
      {remove.error !== null && (
        <div className="p-4">
          <Problem problem={problemOf(remove.error)} />
        </div>
      )}
      <ul className="mt-1">
        {providers.map((provider) => (
          <li
            key={provider.name}
            className="grid items-center gap-x-4 gap-y-1.5 border-b border-line px-4 py-2.5 last:border-0 sm:grid-cols-[minmax(0,1fr)_190px_220px]"
          >
            <div className="min-w-0">
              <h3 className="flex items-center gap-2 font-semibold">
                {provider.name}
                {provider.from === "config" && <Chip>config.yaml</Chip>}
              </h3>
              <p className="truncate font-mono text-xs text-muted">{provider.baseURL}</p>
            </div>
            <Key provider={provider} />
            <div className="flex flex-wrap gap-1.5 sm:justify-end">
              {provider.secret !== undefined && provider.key === "missing" && (
                <Button
                  size="small"
                  aria-label={`Set key of ${provider.name}`}
                  onClick={() => setOpen({ what: "key", provider })}
                >
                  Set key
                </Button>
              )}
              {provider.from === "config" && (
                <>
                  <Button
                    size="small"
                    kind="quiet"
                    aria-label={`Edit ${provider.name}`}
                    onClick={() => setOpen({ what: "edit", provider })}
                  >
                    Edit
                  </Button>
                  <Button
                    size="small"
                    kind="quiet"
                    aria-label={`Remove ${provider.name}`}
                    busy={remove.isPending && remove.variables === provider.name}
                    onClick={() => remove.mutate(provider.name)}
                  >
                    Remove
                  </Button>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      {open?.what === "add" && <ProviderDialog known={providers.map(({ name }) => name)} onClose={close} />}
      {open?.what === "edit" && <ProviderDialog provider={open.provider} known={[]} onClose={close} />}
      {open?.what === "key" && <SecretDialog name={open.provider.secret} onClose={close} />}
    </Panel>
  );
}

const KEYS = {
  set: { icon: KeyRound, text: "text-succeeded", word: "key is set" },
  missing: { icon: TriangleAlert, text: "text-waiting", word: "no key" },
  /** Nobody set this provider up, so nothing is missing. */
  unset: { icon: CircleDashed, text: "text-muted", word: "no key" },
  none: { icon: CircleDashed, text: "text-muted", word: "needs no key" },
} as const;

function Key({ provider: { key, secret, from } }: { provider: Provider }) {
  const { icon: Icon, text, word } = KEYS[key === "missing" && from === "environment" ? "unset" : key];
  return (
    <div className="min-w-0 text-sm">
      <p className={`flex items-center gap-1.5 ${text}`}>
        <Icon size={13} aria-hidden="true" />
        {word}
      </p>
      {key !== "none" && <p className="truncate font-mono text-xs text-muted">{secret}</p>}
    </div>
  );
}
