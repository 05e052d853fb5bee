// RetryButton: retries a run from the failure or from a node, and says which document it runs. Its menu has the other
// ways.

import { ChevronDown, History, RotateCcw } from "lucide-react";
import { Button, type ButtonProps } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { changesWords, isChanged } from "./changes.ts";
import type { useRunActions } from "./use-actions.ts";

export interface RetryButtonProps extends Pick<ButtonProps, "kind" | "shortcut" | "className"> {
  actions: ReturnType<typeof useRunActions>;
  /** The path from which everything runs again. Absent: from the failure. */
  from?: string;
  more?: readonly MenuItem[];
}

export function RetryButton({ actions, from, more = [], kind = "plain", shortcut, className }: RetryButtonProps) {
  const { retry, current, hasRecord, changes } = actions;
  const changed = isChanged(changes) ? changesWords(changes) : undefined;
  const items: MenuItem[] = [...more];
  if (current && hasRecord)
    items.unshift({ label: "Retry as recorded", icon: <History />, onSelect: () => retry.mutate({ from }) });
  const note = changes.isBroken ? "The file has errors now" : changed && `Changed: ${changed}`;
  if (note) items.unshift({ label: note, disabled: true, onSelect: () => undefined });
  const split = items.length > 0;
  const how = current ? " with the current file" : changes.isBroken ? " as recorded" : "";
  return (
    <span className={classes("inline-flex", className)}>
      <Button
        kind={kind}
        className={classes("flex-1", split && "rounded-r-none")}
        icon={<RotateCcw />}
        busy={retry.isPending}
        shortcut={shortcut}
        title={note && `Retry${how}. ${note}`}
        onClick={() => retry.mutate({ from, current })}
      >
        {from === undefined ? (
          <span>
            Retry<span className="max-lg:sr-only">{how}</span>
          </span>
        ) : (
          "Retry from here"
        )}
      </Button>
      {split && (
        <Menu
          label="More"
          items={items}
          trigger={
            <Button
              kind={kind}
              className={classes("-ml-px rounded-l-none px-1.5", kind === "primary" && "border-l-on-accent/40")}
              aria-label={from === undefined ? "More that can be done with this run" : "Other ways to retry"}
              icon={<ChevronDown />}
            />
          }
        />
      )}
    </span>
  );
}
