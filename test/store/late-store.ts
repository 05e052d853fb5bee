// late-store: a store whose answers come later, as from a database elsewhere. `wait` is called before a call takes effect
// and before its answer is given, so answers of several runs change places. After it is closed, it refuses every call.

import { err } from "../../src/base/result.ts";
import type { LocalStore, ServerStore, Store } from "../../src/store/index.ts";
import type { serverStore } from "../../src/store/server-store.ts";

type Wait = () => Promise<void>;
type Call = (...given: unknown[]) => unknown;

export function lateStore(store: ReturnType<typeof serverStore>, wait: Wait): ServerStore;
export function lateStore(store: LocalStore, wait: Wait): Store;
export function lateStore(store: LocalStore, wait: Wait): unknown {
  let isClosed = false;
  const closed = (): boolean => isClosed;
  const close = (): void => {
    isClosed = true;
    store.close();
  };
  const budgets: LocalStore["budgets"] = (liveness) => late(store.budgets(liveness), wait, [], closed);
  const asIs = new Set(["outputs", "beside"]);
  const lateOf = (name: string, part: object): unknown => {
    if (asIs.has(name)) return part;
    return typeof part === "function"
      ? late({ call: part }, wait, [], closed).call
      : late(part, wait, ["fileOf"], closed);
  };
  const parts = Object.entries(store).map(([name, part]) => [name, lateOf(name, part)] as const);
  return { ...Object.fromEntries(parts), budgets, close };
}

/** A port that answers late. `atOnce`: names of calls that do not ask the store. */
export function late<T extends object>(port: T, wait: Wait, atOnce: readonly string[] = [], isClosed = () => false): T {
  return new Proxy(port, {
    get: (target, name) => {
      const call = Reflect.get(target, name);
      if (typeof call !== "function" || atOnce.includes(String(name))) return call;
      return async (...given: unknown[]) => {
        await wait();
        if (isClosed()) return err({ code: "store-failed", message: "The store is closed." });
        const answer = (call as Call).apply(target, given);
        await wait();
        return answer;
      };
    },
  });
}
