// Pages through a complete list (spec 2.4): `?limit=` items after `?cursor=`. Without a limit, all items.
//   P1. A cursor holds the key of the last item, not a number, so that added or removed
//       items do not repeat or hide others.

import { limits } from "../base/limits.ts";
import { wholeNumber } from "./asked-number.ts";
import { problem } from "./problem.ts";

export interface Order<Item> {
  /** The name of the list. A cursor of another list is invalid. */
  list: string;
  keyOf: (item: Item) => string;
  /** Whether an item comes after the one that has, or had, this key. */
  isBehind: (item: Item, key: string) => boolean;
}

/** `items` must be in the order that `isBehind` describes. */
export function pageOf<Item>(
  query: URLSearchParams,
  items: readonly Item[],
  { list, keyOf, isBehind }: Order<Item>,
): { items: readonly Item[]; next?: string } | Response {
  const asked = query.get("limit");
  const limit = asked === null ? items.length : wholeNumber(asked);
  if (asked !== null && !(Number.isSafeInteger(limit) && limit >= 1 && limit <= limits.pageItemsMax))
    return problem("bad-query", { detail: `"limit" must be an integer from 1 to ${limits.pageItemsMax}.` });
  const cursor = query.get("cursor");
  const key = cursor === null ? undefined : keyIn(cursor, list);
  if (key === "") return problem("bad-query", { detail: '"cursor" is the "next" of a page before.' });
  const left = key === undefined ? items : items.filter((item) => isBehind(item, key));
  const page = left.slice(0, limit);
  const last = page.at(-1);
  const isMore = last !== undefined && page.length < left.length;
  return { items: page, next: isMore ? cursorOf(keyOf(last), list) : undefined };
}

function cursorOf(key: string, list: string): string {
  return Buffer.from(`${list} ${key}`).toString("base64url");
}

/** "" for an invalid cursor. */
function keyIn(cursor: string, list: string): string {
  const key = Buffer.from(cursor, "base64url")
    .toString()
    .slice(list.length + 1);
  return cursorOf(key, list) === cursor ? key : "";
}
