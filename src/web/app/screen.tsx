// Screen: the layout of a scrolling screen: a heading, its actions and the content. The editor and the run view fill
// the window and use only `TopBar` (top-bar.tsx).

import type { ReactNode } from "react";
import { classes } from "../ui/classes.ts";
import { TopBar } from "./top-bar.tsx";

export interface ScreenProps {
  title: string;
  actions?: ReactNode;
  /** Use the full width, for tables. */
  wide?: boolean;
  children?: ReactNode;
}

export function Screen({ title, actions, wide, children }: ScreenProps) {
  return (
    <>
      <TopBar title={title} actions={actions} />
      <div tabIndex={0} className="h-full overflow-auto focus-visible:outline-offset-[-2px]">
        <div className={classes("mx-auto px-4 py-6 sm:px-6", wide ? "max-w-7xl" : "max-w-5xl")}>{children}</div>
      </div>
    </>
  );
}
