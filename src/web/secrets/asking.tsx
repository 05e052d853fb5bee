// AskedSecrets: the dialog that sets a secret wherever the user is, one secret after the other. The run that needed
// them starts after the last one.

import { create } from "zustand";
import { queryClient } from "../client/queries.ts";
import { secretsQuery } from "./queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";

interface Asked {
  names: readonly string[];
  /** A pasted .env file, instead of names. */
  first?: string;
  why?: string;
  onDone?: (saved: readonly string[]) => void;
}

const useAsked = create<{ asked: Asked | undefined }>(() => ({ asked: undefined }));

export function askSecrets(asked: Asked): void {
  useAsked.setState({ asked: asked.names.length === 0 && asked.first === undefined ? undefined : asked });
}

/** The secrets of a workflow that no source has. */
export async function missingSecrets(path: string): Promise<string[]> {
  const items = await queryClient.fetchQuery({ ...secretsQuery, staleTime: 0 });
  return items.filter(({ source, usedBy }) => source === undefined && usedBy.includes(path)).map(({ name }) => name);
}

/** Whether one of the secrets of the saved file has no value. The server is asked if the page does not know a value. */
export async function areMissing(path: string, secrets: readonly string[]): Promise<boolean> {
  const known = queryClient.getQueryData(secretsQuery.queryKey) ?? [];
  const hasValue = (name: string) => known.some((item) => item.name === name && item.source !== undefined);
  return !secrets.every(hasValue) && (await missingSecrets(path)).some((name) => secrets.includes(name));
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
