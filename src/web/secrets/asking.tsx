// AskedSecrets: the dialog that sets a secret wherever the user is, one secret after the other. The run that needed
// them starts after the last one.

import { create } from "zustand";
import type { SecretItem } from "../../api/shapes.ts";
import { queryClient } from "../client/queries.ts";
import { secretsQuery } from "./queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";

interface Asked {
  names: readonly string[];
  /** A pasted .env file, instead of names. */
  first?: string;
  /** Why it is needed, as a sentence. */
  why?: string;
  onDone?: (saved: readonly string[]) => void;
}

const useAsked = create<{ asked: Asked | undefined }>(() => ({ asked: undefined }));

export function askSecrets(asked: Asked): void {
  useAsked.setState({ asked: asked.names.length === 0 && asked.first === undefined ? undefined : asked });
}

/** The secrets of a workflow that no source has. */
export async function missingSecrets(path: string): Promise<string[]> {
  return missingIn(await queryClient.fetchQuery({ ...secretsQuery, staleTime: 0 }), path);
}

/** Whether the page shows that a secret which the text names has no value, and it still has none. */
export async function knownMissing(path: string, text: string): Promise<boolean> {
  const isNamed = (name: string) => new RegExp(`\\$\\{${name}\\b`).test(text);
  const known = queryClient.getQueryData(secretsQuery.queryKey) ?? [];
  return missingIn(known, path).some(isNamed) && (await missingSecrets(path)).some(isNamed);
}

function missingIn(items: readonly SecretItem[], path: string): string[] {
  return items.filter(({ source, usedBy }) => source === undefined && usedBy.includes(path)).map(({ name }) => name);
}

/** Mounted once, in the shell. */
export function AskedSecrets() {
  const asked = useAsked((state) => state.asked);
  const [name, ...rest] = asked?.names ?? [];
  if (asked === undefined) return null;
  return (
    <SecretDialog
      key={name}
      name={name}
      first={asked.first}
      why={asked.why}
      submit={name !== undefined && rest.length === 0 && asked.onDone !== undefined ? "Save and run" : undefined}
      onSaved={(saved) => {
        const names = rest.filter((other) => !saved.includes(other));
        askSecrets({ ...asked, names, first: undefined });
        if (names.length === 0) asked.onDone?.(saved);
      }}
      onClose={() => askSecrets({ names: [] })}
    />
  );
}
