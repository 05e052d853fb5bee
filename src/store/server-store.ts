// server-store: the store with what only a server uses: how far triggers have come, the inbox of webhooks. A run by hand does not load it.

import { type Deliveries, openDeliveries } from "./deliveries.ts";
import type { Store } from "./store.ts";
import { openTriggers, type Triggers } from "./triggers.ts";

export interface ServerStore extends Store {
  triggers: Triggers;
  deliveries: Deliveries;
}

/** The same store; it is closed once. */
export function serverStore(store: Store): ServerStore {
  return { ...store, triggers: store.beside(openTriggers), deliveries: store.beside(openDeliveries) };
}
