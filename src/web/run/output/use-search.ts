// use-search: searches the whole output on the server and moves between matches (`/`, n, N).

import { useEffect, useRef, useState } from "react";
import type { OutputMatches } from "../../../api/shapes.ts";
import type { OutputSource } from "./source.ts";

export interface Search {
  /** The highlighted text. Empty: no search. */
  text: string;
  setText: (text: string) => void;
  found: number;
  /** The current match, from 1; 0: none. */
  at: number;
  /** The search has not reached the end of the output. */
  more: boolean;
  /** Line of the current match. */
  current: number | undefined;
  step: (by: 1 | -1) => void;
  busy: boolean;
  /** A long line was searched only in part. */
  cut: boolean;
  /** The last line searched so far, while a large output is being searched. */
  reached: number | undefined;
}

const typingMs = 200;

export function useSearch(source: OutputSource, go: (line: number) => Promise<void>): Search {
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ matches: number[]; next: number | undefined }>(NONE);
  const [current, setCurrent] = useState(-1);
  const [cut, setCut] = useState(false);
  const [busy, setBusy] = useState(false);
  const wanted = useRef(text);
  wanted.current = text;
  const goTo = useRef(go);
  goTo.current = go;

  useEffect(() => {
    setFound(NONE);
    setCurrent(-1);
    setCut(false);
    setBusy(false);
    if (text === "") return;
    let gone = false;
    const timer = setTimeout(async () => {
      setBusy(true);
      const look = async (after: number | undefined) => {
        const answer = await source.search(text, after);
        if (!gone && answer.cut) setCut(true);
        return answer;
      };
      try {
        let answer = await look(undefined);
        // Each request takes a bounded time, so finding a match may need several.
        while (!gone && answer.items.length === 0 && answer.next !== undefined) {
          setFound({ matches: [], next: answer.next });
          answer = await look(answer.next);
        }
        if (gone) return;
        const matches = matchesOf(answer);
        setFound({ matches, next: answer.next });
        const [first] = matches;
        if (first === undefined) return;
        setCurrent(0);
        await goTo.current(first);
      } catch {
        // The view reports that the server does not respond.
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
    let { matches, next } = found;
    if (matches.length === 0 || busy) return;
    // Searching a large output takes time, and the search text may change before it ends.
    const isWanted = () => wanted.current === text;
    setBusy(current + by >= matches.length && next !== undefined);
    try {
      while (current + by >= matches.length && next !== undefined) {
        const more = await source.search(text, next);
        if (!isWanted()) return;
        matches = [...matches, ...matchesOf(more)];
        next = more.next;
        setFound({ matches, next });
        if (more.cut) setCut(true);
      }
    } finally {
      if (isWanted()) setBusy(false);
    }
    const at = (current + by + matches.length) % matches.length;
    setCurrent(at);
    const match = matches[at];
    if (match !== undefined) await goTo.current(match);
  }

  return {
    ...{ text, setText, busy, cut, found: found.matches.length, at: current + 1, more: found.next !== undefined },
    current: found.matches[current],
    reached: busy ? found.next : undefined,
    step: (by) => void step(by).catch(() => undefined),
  };
}

const NONE: { matches: number[]; next: number | undefined } = { matches: [], next: undefined };

/** Line numbers. */
function matchesOf({ items }: OutputMatches): number[] {
  return items.map(({ line }) => line);
}
