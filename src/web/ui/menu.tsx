// Menu: a button that opens a list of further actions.

import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { Shortcut } from "./keys.tsx";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  shortcut?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

export const menuClass = "z-50 min-w-44 rounded-lg border border-line bg-node p-1 shadow-xl";
export const lineClass = "my-1 h-px bg-line";
export const itemClass = (danger: boolean): string =>
  classes(
    "flex h-8 items-center gap-2 rounded-md px-2 outline-none select-none",
    "data-[disabled]:opacity-50 data-[highlighted]:bg-hover",
    danger ? "text-failed" : "text-text",
  );

/** `"-"` draws a line. */
export function Menu({
  trigger,
  items,
  label,
}: {
  trigger: ReactNode;
  label: string;
  items: readonly (MenuItem | "-")[];
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content aria-label={label} align="end" sideOffset={4} collisionPadding={8} className={menuClass}>
          {items.map((item, at) =>
            item === "-" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name, and the list does not change while it is open.
              <DropdownMenu.Separator key={at} className={lineClass} />
            ) : (
              <DropdownMenu.Item
                key={item.label}
                disabled={item.disabled ?? false}
                onSelect={item.onSelect}
                className={itemClass(item.danger === true)}
              >
                <span className="inline-flex w-4 justify-center text-muted">{item.icon}</span>
                <span className="flex-1">{item.label}</span>
                {item.shortcut && <Shortcut keys={item.shortcut} />}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
