// queries (triggers): the queries and changes of the triggers screen.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { at } from "../../api/address.ts";
import type { Delivery, DeliveryItem, Page, TriggerItem } from "../../api/shapes.ts";
import type { DocumentTrigger } from "../../workflow/triggers/index.ts";
import { ask } from "../client/api.ts";
import { keys, queryClient } from "../client/queries.ts";

export const triggersQuery = queryOptions({
  queryKey: keys.triggers,
  queryFn: ({ signal }) => ask<Page<TriggerItem>>("/triggers", { signal }),
});

/** A trigger of one kind. */
export type Listed<Of extends DocumentTrigger> = TriggerItem & { fields: Omit<Of, "kind" | "index"> };

export const deliveriesQuery = (hook: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keys.deliveries, hook ?? ""],
    queryFn: ({ signal, pageParam }) =>
      ask<Page<DeliveryItem>>("/deliveries", { signal, query: { limit: 20, hook, cursor: pageParam || undefined } }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.deliveries, "one", id],
    queryFn: ({ signal }) => ask<Delivery>(at("deliveries", id), { signal }),
  });

export async function pause(id: string, paused: boolean): Promise<void> {
  await ask(at("triggers", id, paused ? "pause" : "resume"), { method: "POST" });
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.triggers }),
    queryClient.invalidateQueries({ queryKey: keys.workflows }),
  ]);
}

export async function replay(id: string, workflow: string): Promise<DeliveryItem> {
  const made = await ask<DeliveryItem>(at("deliveries", id, "replay"), { method: "POST", body: { workflow } });
  await queryClient.invalidateQueries({ queryKey: keys.deliveries });
  return made;
}
