// queries: the queries and changes of the secrets screen. A value is sent to the server and not kept in the page.

import { queryOptions } from "@tanstack/react-query";
import { at } from "../../api/address.ts";
import type { Page, SecretItem, SecretTest } from "../../api/shapes.ts";
import { ask } from "../client/api.ts";
import { queryClient } from "../client/queries.ts";

export const secretsQuery = queryOptions({
  queryKey: ["secrets"],
  queryFn: async ({ signal }) => (await ask<Page<SecretItem>>("/secrets", { signal })).items,
});

export async function saveSecret({ name, value }: { name: string; value: string }): Promise<void> {
  await ask(at("secrets", name), { method: "PUT", body: { value } });
  await changed();
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
