// PickBox: a search box with a list below, at a point of the screen. It picks what to add or connect to (spec ui.md
// 6.2, 6.5).

import { Command } from "cmdk";
import { type ReactNode, useEffect, useRef, useState } from "react";

export interface Pick {
  id: string;
  name: string;
  says: string;
  icon: ReactNode;
  /** Heading that is shared with adjacent picks. */
  group?: string;
  /** Why the pick cannot be chosen. */
  refused?: string;
}

export interface PickBoxProps {
  label: string;
  placeholder: string;
  at: { x: number; y: number };
  query: string;
  onQuery: (text: string) => void;
  /** Receives pasted text of several lines, because the input field would remove the newlines. */
  onPasteLines?: (text: string) => void;
  picks: readonly Pick[];
  empty: string;
  onPick: (id: string) => void;
  onClose: () => void;
}

const SIZE = { width: 320, height: 340 } as const;

export function PickBox(props: PickBoxProps) {
  const { label, placeholder, at, query, onQuery, onPasteLines, picks, empty, onPick, onClose } = props;
  const box = useRef<HTMLDivElement>(null);
  // Read while rendering, because the box's own field takes the focus afterwards.
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    const onPress = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) onClose();
    };
    addEventListener("pointerdown", onPress, true);
    return () => removeEventListener("pointerdown", onPress, true);
  }, [onClose]);
  const left = Math.max(8, Math.min(at.x, innerWidth - SIZE.width - 8));
  const top = Math.max(8, Math.min(at.y, innerHeight - SIZE.height - 8));
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={label}
      className="fixed z-30 overflow-hidden rounded-lg border border-line bg-panel shadow-2xl"
      style={{ left, top, width: SIZE.width }}
    >
      <Command
        label={label}
        shouldFilter={false}
        loop
        onKeyDown={(event) => {
          // The field is the only Tab stop.
          if (event.key === "Tab") event.preventDefault();
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          onClose();
          // Only on Escape. After a pick, the added node gets the focus.
          if (before instanceof HTMLElement) before.focus();
        }}
      >
        <Command.Input
          autoFocus
          value={query}
          onValueChange={onQuery}
          placeholder={placeholder}
          onPaste={(event) => {
            const text = event.clipboardData.getData("text/plain");
            if (onPasteLines === undefined || !text.trim().includes("\n")) return;
            event.preventDefault();
            onPasteLines(text);
          }}
          className="h-10 w-full border-b border-line bg-transparent px-3 outline-none placeholder:text-muted"
        />
        <Command.List className="max-h-72 overflow-y-auto p-1">
          <Command.Empty className="px-3 py-4 text-muted">{empty}</Command.Empty>
          {grouped(picks).map(({ group, picks }) =>
            group === undefined ? (
              picks.map((pick) => <PickItem key={pick.id} pick={pick} onPick={onPick} />)
            ) : (
              <Command.Group key={group} heading={group} className={groupClass}>
                {picks.map((pick) => (
                  <PickItem key={pick.id} pick={pick} onPick={onPick} />
                ))}
              </Command.Group>
            ),
          )}
        </Command.List>
      </Command>
    </div>
  );
}

const groupClass =
  "[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-muted";

function PickItem({ pick: { id, name, says, icon, refused }, onPick }: { pick: Pick; onPick: (id: string) => void }) {
  return (
    <Command.Item
      value={id}
      disabled={refused !== undefined}
      onSelect={() => onPick(id)}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 data-[disabled=true]:cursor-default data-[disabled=true]:opacity-55 data-[selected=true]:bg-selected"
    >
      <span className="shrink-0 text-muted">{icon}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        <span className="block truncate text-xs text-muted">{refused ?? says}</span>
      </span>
    </Command.Item>
  );
}

/** Groups adjacent picks and keeps their order. */
function grouped(picks: readonly Pick[]): { group: string | undefined; picks: Pick[] }[] {
  const groups: { group: string | undefined; picks: Pick[] }[] = [];
  for (const pick of picks) {
    const last = groups.at(-1);
    if (last !== undefined && last.group === pick.group) last.picks.push(pick);
    else groups.push({ group: pick.group, picks: [pick] });
  }
  return groups;
}
