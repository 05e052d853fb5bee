// SecretsScreen: the names of secrets, the source of each value, and the workflows that use it (spec ui 6.2.8). Values
// are write-only: no response of the server contains one.

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import type { SecretItem } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { Screen } from "../app/screen.tsx";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { groupsOf } from "./groups.ts";
import { secretsQuery } from "./queries.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { SecretRow } from "./secret-row.tsx";

type Open = { what: "add" } | { what: "set" | "remove"; item: SecretItem };

export function SecretsScreen() {
  const secrets = useQuery(secretsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const add = () => setOpen({ what: "add" });
  useActions("Secrets", [
    { id: "secrets.add", title: "Add a secret", keys: "A", words: "password token key", run: add },
  ]);
  return (
    <Screen
      title="Connections and secrets"
      actions={
        <Button kind="primary" icon={<Plus />} onClick={add}>
          Add secret
        </Button>
      }
    >
      <QueryView query={secrets} rows={4}>
        {(items) =>
          items.length === 0 ? (
            <Nothing onAdd={add} />
          ) : (
            <>
              <p className="mb-4 max-w-3xl text-muted">
                A workflow names what it needs under <code className="font-mono text-sm">secrets</code>. The nearest
                value wins: environment, <code className="font-mono text-sm">.env</code> beside the workflow, local
                store, config.yaml.
              </p>
              <div className="flex flex-col gap-6">
                {groupsOf(items).map(({ id, title, items }) => (
                  <Panel key={id} title={title}>
                    <ul>
                      {items.map((item) => (
                        <SecretRow
                          key={item.name}
                          item={item}
                          onSet={() => setOpen({ what: "set", item })}
                          onRemove={() => setOpen({ what: "remove", item })}
                        />
                      ))}
                    </ul>
                  </Panel>
                ))}
              </div>
            </>
          )
        }
      </QueryView>
      {open?.what === "add" && <SecretDialog onClose={close} />}
      {open?.what === "set" && <SecretDialog name={open.item.name} replaces={open.item.stored} onClose={close} />}
      {open?.what === "remove" && <RemoveDialog item={open.item} onClose={close} />}
    </Screen>
  );
}

function Nothing({ onAdd }: { onAdd: () => void }) {
  return (
    <Empty
      icon={<KeyRound size={28} strokeWidth={1.5} />}
      title="No secrets yet"
      action={
        <Button kind="primary" onClick={onAdd}>
          Add a secret
        </Button>
      }
    >
      Tokens and passwords that a workflow lists under <code className="font-mono text-sm">secrets</code> appear here.
      Values are encrypted, and never shown again.
    </Empty>
  );
}
