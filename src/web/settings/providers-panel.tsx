// ProvidersPanel: the language model providers, and whether the key of each is set. A key is a secret, so it is never
// shown.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SecretDialog } from "../secrets/secret-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Failed } from "../ui/problem.tsx";
import { ProviderDialog } from "./provider-dialog.tsx";
import { ProviderRow } from "./provider-row.tsx";
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
      <div className="p-4 empty:hidden">
        <Failed error={remove.error} />
      </div>
      <ul className="mt-1">
        {providers.map((provider) => (
          <ProviderRow
            key={provider.name}
            provider={provider}
            onKey={() => setOpen({ what: "key", provider })}
            onEdit={() => setOpen({ what: "edit", provider })}
            onRemove={() => remove.mutate(provider.name)}
            removing={remove.isPending && remove.variables === provider.name}
          />
        ))}
      </ul>
      {open?.what === "add" && <ProviderDialog known={providers.map(({ name }) => name)} onClose={close} />}
      {open?.what === "edit" && <ProviderDialog provider={open.provider} known={[]} onClose={close} />}
      {open?.what === "key" && <SecretDialog name={open.provider.secret} onClose={close} />}
    </Panel>
  );
}
