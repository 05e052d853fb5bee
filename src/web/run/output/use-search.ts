// use-search: searches the whole output on the server and moves between matches (`/`, n, N).

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Attempt, type OutputStream, searchOutput } from "./source.ts";

export interface Search {
  text: string;
  setText: (text: string) => void;
  found: number;
  /** The current match, from 1; 0: none. */
  at: number;
  /** The search has not reached the end of the output. */
  more: boolean;
  current: number | undefined;
  step: (by: 1 | -1) => void;
  busy: boolean;
  /** A long line was searched only in part. */
  cut: boolean;
  /** The last line searched so far, while a large output is being searched. */
  reached: number | undefined;
}

const typingMs = 200;
/** Where a search starts. */
const FIRST: number | undefined = undefined;

export function useSearch(which: Attempt, stream: OutputStream, go: (line: number) => void): Search {
  const [text, setText] = useState("");
  const wanted = useAfterTyping(text);
  /** The match to go to. It may not be loaded yet. */
  const [place, setPlace] = useState(0);
  const { data, isFetching, isError, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["output matches", which, stream, wanted],
    queryFn: ({ pageParam, signal }) => searchOutput(which, stream, { q: wanted, after: pageParam }, signal),
    initialPageParam: FIRST,
    getNextPageParam: ({ next }) => next,
    enabled: wanted !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const pages = data?.pages ?? [];
  const lines = pages.flatMap(({ items }) => items.map(({ line }) => line));
  const current = lines[place];
  const gone = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another search starts at its first match.
  useEffect(() => setPlace(0), [wanted, stream]);
  useEffect(() => {
    if (isFetching || isError) return;
    // Each request takes a bounded time, so finding a match may need several.
    if (current === undefined && hasNextPage) void fetchNextPage();
    const key = `${wanted} ${place} ${current}`;
    if (current === undefined || gone.current === key) return;
    gone.current = key;
    go(current);
  });
  return {
    ...{ text, setText, current, busy: isFetching, found: lines.length, at: current === undefined ? 0 : place + 1 },
    more: hasNextPage,
    cut: pages.some(({ cut }) => cut),
    reached: isFetching ? pages.at(-1)?.next : undefined,
    step(by) {
      if (isFetching || lines.length === 0) return;
      const next = place + by;
      setPlace(next < 0 ? lines.length - 1 : next === lines.length && !hasNextPage ? 0 : next);
    },
  };
}

/** The text after the user has paused. */
function useAfterTyping(text: string): string {
  const [wanted, setWanted] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text), text === "" ? 0 : typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return wanted;
}
