// facts: labelled facts, sections with a heading, and untrusted text in a code block.

import type { ReactNode } from "react";

export type Fact = [label: string, text: ReactNode | undefined];

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-1">
      {facts.map(([label, text]) =>
        text === undefined || text === "" ? null : (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 break-words">{text}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-xs font-semibold tracking-wide text-muted uppercase">{title}</h3>
      {children}
    </section>
  );
}

/** It scrolls. Callers make hidden characters visible. */
export function Code({ children, label, tall }: { children: ReactNode; label: string; tall?: boolean }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      className={`min-w-0 overflow-auto rounded-md border border-line bg-sunken text-left ${tall ? "max-h-96" : "max-h-56"}`}
    >
      <pre className="p-2.5 break-words whitespace-pre-wrap">{children}</pre>
    </section>
  );
}
