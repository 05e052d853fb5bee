// Dialog: a modal dialog. Escape closes it, and the focus returns to where it was. The first field gets the focus, or
// the default button, but not the close button.

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { useWayBack } from "./way-back.ts";

export interface DialogProps {
  open: boolean;
  /** Absent: it cannot be closed without an answer. */
  onClose?: () => void;
  title: string;
  description?: ReactNode;
  /** Buttons, the default one last. */
  actions?: ReactNode;
  wide?: boolean;
  children?: ReactNode;
}

export function Dialog({ open, onClose, title, description, actions, wide, children }: DialogProps) {
  const wayBack = useWayBack(open);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose?.()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          onOpenAutoFocus={beginInside}
          onCloseAutoFocus={wayBack}
          className={classes(
            "fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col",
            "rounded-lg border border-line bg-panel shadow-2xl outline-none",
            wide ? "max-w-3xl" : "max-w-lg",
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="mt-1 text-muted">{description}</div>
                </Radix.Description>
              )}
            </div>
            {onClose !== undefined && (
              <Radix.Close
                aria-label="Close"
                className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
              >
                <X size={16} />
              </Radix.Close>
            )}
          </header>
          <div data-part="content" className="min-h-0 flex-1 overflow-auto px-5 py-2">
            {children}
          </div>
          {actions !== undefined && (
            <footer data-part="actions" className="flex flex-wrap justify-end gap-2 px-5 pt-2 pb-4">
              {actions}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const FIRST = `[data-part=content] :is(input, textarea, select, [contenteditable=true]):not(:disabled), [data-part=actions] button:not(:disabled)`;

/** Not a button of the content: its tooltip would open and take the first Escape. */
function beginInside(event: Event): void {
  const first = (event.target as HTMLElement).querySelector<HTMLElement>(FIRST);
  if (first === null) return;
  event.preventDefault();
  first.focus();
}
