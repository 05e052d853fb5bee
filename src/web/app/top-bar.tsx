// TopBar: the content of the top bar: a screen's name, facts and actions (spec ui 6.1). A screen can render it
// anywhere, and it appears in the shell's bar. It also sets the window title (notifications.tsx).

import { type ReactNode, useEffect } from "react";
import { createPortal } from "react-dom";
import { create } from "zustand";
import { visibleLine } from "../../base/visible.ts";
import { usePlace } from "./place.ts";

/** The shell's bar, once it is mounted. */
export const useBar = create<{ element: HTMLElement | null }>(() => ({ element: null }));

export interface TopBarProps {
  title: string;
  /** In place of the title, such as a name that can be edited. */
  heading?: ReactNode;
  facts?: ReactNode;
  actions?: ReactNode;
}

export function TopBar({ title, heading, facts, actions }: TopBarProps) {
  const element = useBar((state) => state.element);
  useEffect(() => usePlace.setState({ title }), [title]);
  if (element === null) return null;
  return createPortal(
    <>
      <h1 className="truncate font-semibold">{heading ?? visibleLine(title)}</h1>
      <div className="@container flex min-w-0 flex-1 items-center gap-3 overflow-hidden p-1 text-muted not-empty:min-w-14 lg:not-empty:min-w-48">
        {facts}
      </div>
      <div className="flex shrink-0 items-center gap-2">{actions}</div>
    </>,
    element,
  );
}

/** The actions on a workflow. The fixed width keeps the view switch in place between the editor and a run. */
export function Doing({ children }: { children: ReactNode }) {
  return <div className="flex items-center gap-2 lg:min-w-42">{children}</div>;
}
