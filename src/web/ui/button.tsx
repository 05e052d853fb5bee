// Button: a button with a text label. Use `primary` once per view and `danger` for actions that cannot be undone.
//   U1. A busy button ignores presses and keeps the focus, which a disabled button would lose.

import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";
import { Shortcut } from "./keys.tsx";

/** A small button of a row. `of` names the row, for screen readers. */
export function RowButton({ text, of, ...rest }: ButtonProps & { text: string; of: string }) {
  return (
    <Button size="small" aria-label={`${text} ${of}`} {...rest}>
      {text}
    </Button>
  );
}

export interface ButtonProps extends ComponentProps<"button"> {
  kind?: "plain" | "primary" | "quiet" | "danger";
  size?: "small" | "normal";
  icon?: ReactNode;
  /** Shown after the label. The actions table handles the key itself (app/actions.ts). */
  shortcut?: string | undefined;
  busy?: boolean;
}

/** U1. A busy button does not submit its form either. */
export const BUSY = {
  "aria-busy": true,
  "aria-disabled": true,
  onClick: (event: { preventDefault: () => void }): void => event.preventDefault(),
};

const KINDS = {
  plain: "border border-edge/60 bg-node text-text hover:bg-hover",
  primary: "border border-transparent bg-accent text-on-accent font-semibold shadow-sm hover:brightness-110",
  quiet: "border border-transparent text-muted hover:bg-hover hover:text-text",
  danger: "border border-failed/60 text-failed bg-node hover:bg-failed/10",
};

export function Button({
  kind = "plain",
  size = "normal",
  icon,
  shortcut,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(busy && BUSY)}
      className={classes(
        "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-lg font-medium whitespace-nowrap transition-colors duration-120",
        "disabled:cursor-default disabled:opacity-50 aria-busy:cursor-default aria-busy:opacity-50",
        size === "small" ? "h-6 px-2 text-sm" : "h-8 px-3",
        KINDS[kind],
        className,
      )}
    >
      {icon}
      {children}
      {shortcut && <Shortcut keys={shortcut} />}
    </button>
  );
}
