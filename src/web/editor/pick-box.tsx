// PickBox: a search box with a list below, at a point of the screen. It picks what to add or connect to (spec ui.md
// 6.2, 6.5).

import { Command } from "cmdk";
import { Popover } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { useWayBack } from "../ui/way-back.ts";
import type { Screen } from "./moves.ts";

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
  at: Screen;
  query: string;
  onQuery: (text: string) => void;
  /** Receives pasted text of several lines, because the input field would remove the newlines. */
  onPasteLines?: (text: string) => void;
  picks: readonly Pick[];
  empty: string;
  onPick: (id: string) => void;
  onClose: () => void;
}

export function PickBox(props: PickBoxProps) {
  const { label, placeholder, at, query, onQuery, onPasteLines, picks, empty, onPick, onClose } = props;
  const point = useRef({ getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) });
  const wayBack = useWayBack(true);
  const isPicked = useRef(false);
  const pickItem = (pick: Pick) => (
    <PickItem
      key={pick.id}
      pick={pick}
      onPick={(id) => {
        isPicked.current = true;
        onPick(id);
      }}
    />
  );
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={point} />
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          align="start"
          collisionPadding={8}
          // After a pick, the added node gets the focus.
          onCloseAutoFocus={(event) => (isPicked.current ? event.preventDefault() : wayBack(event))}
          className="z-30 w-80 overflow-hidden rounded-lg border border-line bg-panel shadow-2xl"
        >
          {/* The field is the only Tab stop. */}
          <Command
            label={label}
            shouldFilter={false}
            loop
            onKeyDown={(event) => event.key === "Tab" && event.preventDefault()}
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
              {[...Map.groupBy(picks, ({ group }) => group)].map(([group, grouped]) => {
                if (group === undefined) return grouped.map(pickItem);
                return (
                  <Command.Group key={group} heading={group} className={groupClass}>
                    {grouped.map(pickItem)}
                  </Command.Group>
                );
              })}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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
