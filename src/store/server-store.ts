// The store with the parts only a server needs: trigger state and the webhook inbox. Runs
// from the command line do not load it.

import { type Deliveries, openDeliveries } from "./deliveries.ts";
import type { Store } from "./store.ts";
import { openTriggers, type Triggers } from "./triggers.ts";

export interface ServerStore extends Store {
  triggers: Triggers;
  deliveries: Deliveries;
}

/** Extends `store`. Close only one of the two. */
export function serverStore(store: Store): ServerStore {
  return { ...store, triggers: store.beside(openTriggers), deliveries: store.beside(openDeliveries) };
}
