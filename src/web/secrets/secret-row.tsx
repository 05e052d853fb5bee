// SecretRow: one secret: its name, the source of its value, what uses it, and its actions. Never the value.

import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleHelp, FileKey2, KeyRound, LockKeyhole, SquareTerminal, TriangleAlert, Variable } from "lucide-react";
import type { SecretItem } from "../../api/shapes.ts";
import { RowButton } from "../ui/button.tsx";
import { TestOutcome } from "../ui/test-outcome.tsx";
import { say } from "../ui/toast.tsx";
import { testSecret } from "./queries.ts";

const ICONS: Record<string, typeof KeyRound> = {
  environment: Variable,
  ".env": FileKey2,
  store: LockKeyhole,
  keychain: KeyRound,
  command: SquareTerminal,
};
const usersShown = 2;

const WORDS: Record<string, string> = { ".env": ".env file", store: "local store", keychain: "desktop keyring" };

const sourceWord = (source: string): string => WORDS[source] ?? source;

export function SecretRow({ item, onSet, onRemove }: { item: SecretItem; onSet: () => void; onRemove: () => void }) {
  const { name, source, stored, problem } = item;
  const test = useMutation({
    mutationFn: () => testSecret(name),
    onSuccess: ({ ok }) => say(ok ? `${name} is found` : `${name} is not found`),
  });
  return (
    <li className="grid grid-cols-1 items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0 md:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_200px]">
      <div className="min-w-0">
        <h3 className="truncate font-mono text-sm font-semibold">{name}</h3>
        <Source source={source} problem={problem} />
        {stored && source !== undefined && source !== "store" && (
          <p className="text-sm text-muted">The local store has one too; the {sourceWord(source)} comes first.</p>
        )}
      </div>
      <Users usedBy={item.usedBy} />
      <div className="flex flex-wrap gap-1.5 md:justify-end">
        <RowButton text="Test" of={name} kind="quiet" busy={test.isPending} onClick={() => test.mutate()} />
        <RowButton text={stored ? "Replace" : "Set"} of={name} onClick={onSet} />
        {stored && <RowButton text="Remove" of={name} kind="quiet" onClick={onRemove} />}
      </div>
      <TestOutcome test={test} good={`Found in: ${sourceWord(test.data?.source ?? "a source")}.`} />
    </li>
  );
}

/** The source of the value, or why it is missing. */
function Source({ source, problem = "No source has a value." }: { source?: string; problem?: string }) {
  const Icon = source === undefined ? TriangleAlert : (ICONS[source] ?? CircleHelp);
  return (
    <p className="flex gap-1.5 text-sm text-muted">
      <Icon size={13} className={`mt-0.75 shrink-0 ${source === undefined ? "text-failed" : ""}`} />
      {source === undefined ? problem : sourceWord(source)}
    </p>
  );
}

function Users({ usedBy }: { usedBy: readonly string[] }) {
  if (usedBy.length === 0) return <p className="text-sm text-muted">not used by a workflow</p>;
  const rest = usedBy.length - usersShown;
  return (
    <ul aria-label="Used by" className="min-w-0 text-sm">
      {usedBy.slice(0, usersShown).map((user) => (
        <li key={user} className="truncate">
          {user.startsWith("config.yaml ") ? (
            <Link to="/settings" className="text-muted hover:underline">
              {user}
            </Link>
          ) : (
            <Link to="/w/$path" params={{ path: user }} className="font-mono text-xs hover:text-accent hover:underline">
              {user}
            </Link>
          )}
        </li>
      ))}
      {rest > 0 && (
        <li className="text-muted" title={usedBy.slice(usersShown).join("\n")}>
          and {rest} more
        </li>
      )}
    </ul>
  );
}
