// queries: reads and changes config.yaml for the settings screen.

import { queryOptions } from "@tanstack/react-query";
import { at } from "../../api/address.ts";
import type { ProviderTest, Settings, SettingsChange } from "../../api/shapes.ts";
import { ask } from "../client/api.ts";
import { queryClient } from "../client/queries.ts";

export type Provider = Settings["providers"][number];

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => ask<Settings>("/settings", { signal }),
});

export async function changeSettings(change: SettingsChange): Promise<void> {
  const now = await ask<Settings>("/settings", { method: "PUT", body: change });
  queryClient.setQueryData(settingsQuery.queryKey, now);
  await queryClient.invalidateQueries({ queryKey: ["secrets"] });
}

/** Lists the provider's models, which costs nothing. */
export function testProvider(name: string): Promise<ProviderTest> {
  return ask<ProviderTest>(`${at("settings", "providers", name)}/test`, { method: "POST" });
}
