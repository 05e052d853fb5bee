// facts: labelled facts, sections with a heading, and untrusted text in a code block.

import type { ReactNode } from "react";

export type Fact = [label: string, text: ReactNode | undefined];

export interface FactListProps {
  /** Facts without text are left out. */
  facts: readonly Fact[];
  label?: string;
  /** The labels are names of the user, such as headers or references, and the texts are values. */
  names?: boolean;
}

export function FactList({ facts, label, names }: FactListProps) {
  const shown = facts.filter(([, text]) => text !== undefined && text !== "" && text !== false);
  if (shown.length === 0) return null;
  const columns = names
    ? "grid-cols-[fit-content(40%)_minmax(0,1fr)] font-mono text-sm wrap-anywhere"
    : "grid-cols-[96px_minmax(0,1fr)] break-words";
  return (
    <dl aria-label={label} className={`grid gap-x-3 gap-y-1 ${columns}`}>
      {shown.map(([name, text]) => (
        <div key={name} className="contents">
          <dt className="truncate text-muted" title={names ? name : undefined}>
            {name}
          </dt>
          <dd className={names ? "line-clamp-3 min-w-0" : "min-w-0"}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold text-muted">{title}</h3>
      {children}
    </section>
  );
}

export interface CodeProps {
  children: ReactNode;
  label: string;
  tall?: boolean | "full";
  /** It starts scrolled to its end. */
  fromEnd?: boolean;
}

const toEnd = (part: HTMLElement | null) => part?.scrollTo(0, part.scrollHeight);

/** It scrolls, unless it is `full`. Callers make hidden characters visible. */
export function Code({ children, label, tall, fromEnd }: CodeProps) {
  return (
    <section
      ref={fromEnd ? toEnd : undefined}
      tabIndex={0}
      aria-label={label}
      className={`min-w-0 overflow-auto rounded-md border border-line bg-sunken text-left ${tall === "full" ? "" : tall ? "max-h-96" : "max-h-56"}`}
    >
      <pre className="p-2.5 break-words whitespace-pre-wrap">{children}</pre>
    </section>
  );
}
