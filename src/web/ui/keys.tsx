// Keys: a shortcut as key caps: `Ctrl+K` as two, with ⌘ on a Mac.

import { useKeysInUse } from "../app/actions.ts";

/** The shortcut after a label. Not shown on phones. */
export function Shortcut({ keys }: { keys: string }) {
  const [first] = useKeysInUse(keys).split(" or ");
  return first === undefined || first === "" ? null : <Keys keys={first} />;
}

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

export function Keys({ keys }: { keys: string }) {
  const parts = keys.split(/[+ ]/).map((part) => (part === "Ctrl" && mac ? "⌘" : part === "" ? "+" : part));
  return (
    <span className="ml-1 inline-flex gap-0.5 align-middle max-sm:hidden" aria-hidden="true">
      {parts.map((part, at) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: the same cap may stand twice, and none ever moves.
          key={`${part}${at}`}
          className="inline-flex h-4 min-w-4 items-center justify-center rounded-sm border border-current/35 px-1 text-[10px] leading-none"
        >
          {part}
        </kbd>
      ))}
    </span>
  );
}
