// Keys: a shortcut as key caps: `Ctrl+K` as two, with ⌘ on a Mac.

import { useKeysInUse } from "../app/actions.ts";

/** The shortcut after a label. Not shown on phones. */
export function Shortcut({ keys }: { keys: string }) {
  const [first] = useKeysInUse(keys).split(" or ");
  if (first === undefined || first === "") return null;
  return (
    <span className="max-sm:hidden">
      <Keys keys={first} />
    </span>
  );
}

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

export function Keys({ keys }: { keys: string }) {
  const parts = keys.split(/[+ ]/).map((part) => (part === "Ctrl" && mac ? "⌘" : part === "" ? "+" : part));
  return (
    <span className="ml-1 inline-flex gap-0.5 align-middle" aria-hidden="true">
      {parts.map((part, at) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: the same cap may stand twice, and none ever moves.
          key={`${part}${at}`}
          className="inline-flex h-4 min-w-4 items-center justify-center rounded-sm border border-current/35 px-1 text-xs leading-none"
        >
          {part}
        </kbd>
      ))}
    </span>
  );
}
