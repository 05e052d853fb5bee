// FirstTiles: four ways to start, on the canvas of a workflow without nodes.

import { FileTerminal, Globe, LayoutTemplate, type LucideIcon, SquareTerminal } from "lucide-react";
import { type MouseEvent, useEffect, useRef } from "react";
import { focusSoon } from "../ui/focus.ts";
import type { Bench } from "./bench.ts";
import { KINDS } from "./kinds.ts";
import { addKind, below } from "./moves.ts";

export function FirstTiles({ bench }: { bench: Bench }) {
  const first = useRef<HTMLUListElement>(null);
  // After New, the keyboard is at the first tile.
  useEffect(() => focusSoon(() => first.current?.querySelector("button")), []);
  const add = (id: string) => () => {
    const kind = KINDS.find((one) => one.id === id);
    if (kind !== undefined) addKind(bench, kind);
  };
  const tiles: [LucideIcon, title: string, says: string, run: (event: MouseEvent) => void][] = [
    [Globe, "HTTP request", "Fill in a form. It writes a curl command.", add("http")],
    [
      SquareTerminal,
      "Paste curl",
      "One or more commands, as a browser copies them.",
      () => bench.setBox({ kind: "curl" }),
    ],
    [FileTerminal, "Script", "Several lines of bash, Python, or Node.js.", add("script")],
    [
      LayoutTemplate,
      "From an example",
      "Requests, pages, retries, webhooks, models.",
      ({ currentTarget }) => bench.setBox({ kind: "add", screen: below(currentTarget), where: {}, first: true }),
    ],
  ];
  return (
    <section
      aria-label="Start here"
      data-part="start"
      className="flex max-w-xl flex-col items-center gap-3 p-4 text-center"
    >
      <h2 className="text-lg font-semibold">What should happen first?</h2>
      <ul ref={first} className="grid w-full gap-3 text-left sm:grid-cols-2">
        {tiles.map(([Icon, title, says, run]) => (
          <li key={title} className="contents">
            <button
              type="button"
              onClick={run}
              className="flex min-h-20 items-start gap-3 rounded-lg border border-edge/60 bg-node p-4 text-left hover:border-accent hover:bg-hover"
            >
              <Icon size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
              <span>
                <span className="block font-semibold">{title}</span>
                <span className="block text-sm text-muted">{says}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">Or paste a curl command anywhere, or press A to search.</p>
    </section>
  );
}
