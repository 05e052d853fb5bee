// use-search: looks for a text in the whole output, on the server, and steps through what was found (`/`, n, N).

import { useEffect, useRef, useState } from "react";
import type { OutputSource } from "./source.ts";

export interface Search {
  /** What is marked. Empty: nothing is searched for. */
  text: string;
  setText: (text: string) => void;
  lines: readonly number[];
  /** The end of the output was not reached. */
  more: boolean;
  /** Line of the match that is looked at. */
  current: number | undefined;
  step: (by: 1 | -1) => void;
  busy: boolean;
}

const typingMs = 200;

export function useSearch(source: OutputSource, go: (line: number) => Promise<void>): Search {
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ lines: number[]; next: number | undefined }>({ lines: [], next: undefined });
  const [current, setCurrent] = useState<number | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const goTo = useRef(go);
  goTo.current = go;

  useEffect(() => {
    setFound({ lines: [], next: undefined });
    setCurrent(undefined);
    if (text === "") return;
    let gone = false;
    const timer = setTimeout(async () => {
      setBusy(true);
      try {
        const { items, next } = await source.search(text, undefined);
        if (gone) return;
        const lines = [...new Set(items.map(({ line }) => line))];
        setFound({ lines, next });
        if (lines[0] !== undefined) {
          setCurrent(lines[0]);
          await goTo.current(lines[0]);
        }
      } catch {
        // The view says that the server does not answer.
      } finally {
        if (!gone) setBusy(false);
      }
    }, typingMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [text, source]);

  async function step(by: 1 | -1): Promise<void> {
    let { lines, next } = found;
    if (lines.length === 0) return;
    const at = current === undefined ? -1 : lines.indexOf(current);
    if (at + by >= lines.length && next !== undefined) {
      const more = await source.search(text, next);
      lines = [...new Set([...lines, ...more.items.map(({ line }) => line)])];
      next = more.next;
      setFound({ lines, next });
    }
    const line = lines[(at + by + lines.length) % lines.length];
    setCurrent(line);
    if (line !== undefined) await goTo.current(line);
  }

  return {
    ...{ text, setText, current, busy, lines: found.lines, more: found.next !== undefined },
    step: (by) => void step(by).catch(() => undefined),
  };
}
