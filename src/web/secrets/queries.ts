// queries: the queries and changes of the secrets screen. A value is sent to the server and not kept in the page.

import { queryOptions } from "@tanstack/react-query";
import { at } from "../../api/address.ts";
import type { Page, SecretItem, SecretNames, SecretTest } from "../../api/shapes.ts";
import { ask } from "../client/api.ts";
import { queryClient } from "../client/queries.ts";

export const secretsQuery = queryOptions({
  queryKey: ["secrets"],
  queryFn: async ({ signal }) => (await ask<Page<SecretItem>>("/secrets", { signal })).items,
});

/** The names of the secrets that have a value. */
export async function namesWithValue(): Promise<Set<string>> {
  const known = await queryClient.fetchQuery({ ...secretsQuery, staleTime: 0 });
  return new Set(known.filter(({ source }) => source !== undefined).map(({ name }) => name));
}

export async function saveSecret({ name, value }: { name: string; value: string }): Promise<void> {
  await ask(at("secrets", name), { method: "PUT", body: { value } });
  await changed();
}

/** The names of the secrets that have this value in the workflow. */
export async function sameSecrets(value: string, workflow: string): Promise<readonly string[]> {
  return (await ask<SecretNames>("/secrets/same", { method: "POST", body: { value, workflow } })).names;
}

export async function removeSecret(name: string): Promise<void> {
  await ask(at("secrets", name), { method: "DELETE" });
  await changed();
}

export function testSecret(name: string): Promise<SecretTest> {
  return ask<SecretTest>(`${at("secrets", name)}/test`, { method: "POST" });
}

/** The providers' queries show whether a key is set, so they are invalidated as well. */
async function changed(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: secretsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ["settings"] }),
  ]);
}
