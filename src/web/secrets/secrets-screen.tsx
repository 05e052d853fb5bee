// SecretsScreen: the names of secrets, the source of each value, and the workflows that use it (spec ui 6.2.8). Values
// are write-only: no response of the server contains one.

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import type { SecretItem } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { Screen } from "../app/screen.tsx";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { ConfirmDialog } from "../ui/form-dialog.tsx";
import { inGroups } from "../ui/groups.ts";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { toast } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";
import { envEntries } from "./env-text.ts";
import { removeSecret, secretsQuery } from "./queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { SecretRow } from "./secret-row.tsx";

/** By urgency. */
const GROUPS = { missing: "Not found", used: "In use", unused: "Not used here" } as const;

function groupOf({ source, usedBy }: SecretItem): keyof typeof GROUPS {
  return source === undefined ? "missing" : usedBy.length > 0 ? "used" : "unused";
}

type Open = { what: "add"; first?: string } | { what: "set" | "remove"; item: SecretItem };

export function SecretsScreen() {
  const secrets = useQuery(secretsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const add = () => setOpen({ what: "add" });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (document.querySelector("[role=dialog]") !== null || envEntries(text).size === 0) return;
      event.preventDefault();
      setOpen({ what: "add", first: text });
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);
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
                store, config.yaml. Paste a <code className="font-mono text-sm">.env</code> file here to save all its
                values.
              </p>
              <div className="flex flex-col gap-6">
                {inGroups(GROUPS, items, groupOf).map(({ id, title, items }) => (
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
      {open?.what === "add" && <SecretDialog first={open.first} onClose={close} />}
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
      docs={["how-to/secrets", "Keep secrets"]}
    >
      Tokens and passwords that a workflow lists under <code className="font-mono text-sm">secrets</code> appear here.
      Values are encrypted, and never shown again.
    </Empty>
  );
}

function RemoveDialog({ item: { name, usedBy, source }, onClose }: { item: SecretItem; onClose: () => void }) {
  const remove = async () => {
    await removeSecret(name);
    toast(`Removed ${name}`);
    onClose();
  };
  const users = source === "store" ? usedBy : [];
  const lost = users.length > 0 ? `${count(users.length, "workflow")} will not start without it. ` : "";
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      description={`${lost}Its value is deleted from the local store and can't be restored.`}
      action="Remove"
      onConfirm={remove}
      onClose={onClose}
    >
      <ul className="list-disc pl-5 font-mono text-sm">
        {users.map((user) => (
          <li key={user}>{user}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
