// IconButton: a button with only an icon. Its label is read aloud, and shown as a tooltip with the shortcut.

import type { ComponentProps, ReactNode } from "react";
import { BUSY } from "./button.tsx";
import { classes } from "./classes.ts";
import { Tooltip } from "./tooltip.tsx";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  label: string;
  icon: ReactNode;
  shortcut?: string | undefined;
  size?: "small" | "normal";
  /** As for Button: it ignores presses and keeps the focus. */
  busy?: boolean;
  /** A switch that is on. */
  pressed?: boolean;
}

export function IconButton({
  label,
  icon,
  shortcut,
  size = "normal",
  busy,
  pressed,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        type="button"
        {...rest}
        {...(busy && BUSY)}
        aria-label={label}
        aria-pressed={pressed}
        className={classes(
          "inline-flex shrink-0 items-center justify-center rounded-md transition-colors duration-120",
          "disabled:cursor-default disabled:opacity-40 aria-disabled:cursor-default aria-disabled:opacity-40",
          size === "small" ? "size-6" : "size-8",
          pressed ? "bg-selected text-accent" : "text-muted hover:bg-hover hover:text-text",
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
