// Tabs: switches between views of a screen. The caller holds the selected tab, usually in the URL.

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";

export interface Tab {
  id: string;
  label: ReactNode;
  content: ReactNode;
}

export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (id: string) => void;
  /** At the right of the tabs. */
  actions?: ReactNode;
  className?: string;
}

export function Tabs({ label, tabs, value, onChange, actions, className }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className={classes("flex min-h-0 flex-col", className)}>
      <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line px-2">
        {/* Scrolling clips, so the padding leaves room for the focus ring of a tab. */}
        <Radix.List aria-label={label} className="-mx-1 flex min-w-0 gap-1 overflow-x-auto p-1">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.id}
              value={tab.id}
              className="tab h-8 shrink-0 rounded-md px-2.5 text-muted transition-colors duration-120 hover:text-text data-[state=active]:font-semibold data-[state=active]:text-text"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        <div className="ml-auto flex items-center gap-1">{actions}</div>
      </div>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.id}
          value={tab.id}
          className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
