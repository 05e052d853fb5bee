// SecretsBar: the secrets of the open workflow that have no value yet. A value that came with a pasted command is saved
// with one press, any other in a dialog over the editor (ui-2 item 7).

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { sentence } from "../client/queries.ts";
import { type Doc, type Edit, renameSecret, secretsOf } from "../document/index.ts";
import { askSecrets } from "../secrets/asking.tsx";
import { dropPending, ending, usePending } from "../secrets/pending.ts";
import { sameSecrets, saveSecret, secretsQuery } from "../secrets/queries.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

interface SecretsBarProps {
  doc: Doc;
  onEdit: (edit: Edit) => unknown;
}

export function SecretsBar({ doc, onEdit }: SecretsBarProps) {
  const { data: items = [] } = useQuery(secretsQuery);
  const { values } = usePending();
  const [hidden, hide] = useState("");
  const declared = secretsOf(doc);
  const pasted = declared.filter((name) => values.has(name));
  const missing = items
    .filter(({ name, source, usedBy }) => source === undefined && usedBy.includes(doc.file) && declared.includes(name))
    .map(({ name }) => name)
    .filter((name) => !values.has(name));
  const all = [...pasted, ...missing].join(" ");
  if (all === "" || all === hidden) return null;
  const isStored = (name: string) => items.some((item) => item.name === name && item.stored);
  return (
    <section
      aria-label="Secrets without a value"
      className="flex flex-wrap items-center gap-2 border-b border-line bg-waiting/10 px-4 py-1.5"
    >
      <KeyRound size={15} aria-hidden="true" className="shrink-0 text-waiting" />
      <span className="mr-1">{pasted.length > 0 ? "Taken out of the pasted command:" : "Not set yet:"}</span>
      {pasted.map((name) => (
        <SavePasted key={name} {...{ name, doc, onEdit, isStored }} value={values.get(name) ?? ""} />
      ))}
      {missing.map((name) => (
        <Button key={name} size="small" onClick={() => askSecrets({ names: [name] })}>
          Set value of {name}
        </Button>
      ))}
      <Button
        size="small"
        kind="quiet"
        onClick={() => {
          dropPending(pasted);
          hide(missing.join(" "));
        }}
      >
        {pasted.length > 0 ? "Discard" : "Not now"}
      </Button>
    </section>
  );
}

interface SavePastedProps extends SecretsBarProps {
  name: string;
  value: string;
  isStored: (name: string) => boolean;
}

/** A name with a number is one that was taken by another value (`keepPending`), which can be replaced instead. */
function SavePasted({ name, value, doc, onEdit, isStored }: SavePastedProps) {
  const [busy, setBusy] = useState(false);
  const wanted = name.replace(/_\d+$/, "");
  const isSecond = wanted !== name && isStored(wanted);
  /** Without `target`: under the name that has the value already, otherwise under its own. */
  const save = async (target?: string): Promise<string> => {
    const same = target === undefined && isSecond ? await sameSecrets(value, doc.file) : [];
    const into = target ?? (same.includes(wanted) ? wanted : (same[0] ?? name));
    if (same.length === 0) await saveSecret({ name: into, value });
    if (into !== name) onEdit(renameSecret(name, into));
    dropPending([name]);
    if (same.length > 0) return `${into} has this value already`;
    return `${isStored(into) ? "Replaced" : "Saved"} ${into}`;
  };
  // Not a mutation of the query cache, which would keep the value.
  const press = (target?: string) => () => {
    setBusy(true);
    save(target)
      .then(toast, (reason: unknown) => toast(`${target ?? name} was not saved: ${sentence(reason)}`))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button size="small" kind="primary" busy={busy} onClick={press()}>
        {isStored(name) ? "Replace" : "Save"} {name} ({ending(value)})
      </Button>
      {isSecond && (
        <Button size="small" disabled={busy} onClick={press(wanted)}>
          Replace {wanted}
        </Button>
      )}
    </>
  );
}
