// OutputView: the output of one attempt (spec ui 6.4). Only visible rows are rendered, the end is followed until the
// user scrolls up, the server searches, and each line has a URL.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { visible } from "../../../base/visible.ts";
import type { AttemptView } from "../../../scheduler/view.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { copyText } from "../../ui/copy.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { say } from "../../ui/toast.tsx";
import { count, size } from "../../ui/words.ts";
import { commandGiven, stdinOf } from "../given.ts";
import { useShownRun } from "../run-store.ts";
import { LogLine } from "./line.tsx";
import type { GapRow as Gap, LineRow } from "./log.ts";
import { OutputBar } from "./output-bar.tsx";
import { type Attempt, OutputSource, type OutputStream } from "./source.ts";
import { useSearch } from "./use-search.ts";

export interface OutputViewProps {
  run: string;
  path: string;
  attempt: AttemptView;
  /** The line in the URL. */
  line: number | undefined;
  onLine: (line: number) => void;
}

const ROW_PX = 18;
/** How long scrolling may continue after a wheel, touch or key event. */
const HAND_MS = 1_000;
/** The command and its standard input are above the first line. */
const HEAD_ROWS = 2;
/** Maximum characters of standard input shown there. */
const STDIN_SHOWN = 200;

export function OutputView({ run, path, attempt, line, onLine }: OutputViewProps) {
  const [stream, setStream] = useState<OutputStream>("both");
  const [wrap, setWrap] = useState(false);
  const [follow, setFollow] = useState(line === undefined);
  const [unseen, setUnseen] = useState(0);
  const which: Attempt = useMemo(() => ({ run, path, number: attempt.number }), [run, path, attempt.number]);
  const source = useSource(which, stream, line);
  const scroller = useRef<HTMLDivElement>(null);
  const seen = useRef(0);
  const { log } = source;
  const rows = useVirtualizer({
    count: log.rowCount + HEAD_ROWS,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 30,
  });
  const show = (row: number | undefined): void => {
    if (row !== undefined) requestAnimationFrame(() => rows.scrollToIndex(row + HEAD_ROWS, { align: "center" }));
  };
  const go = async (number: number): Promise<void> => {
    setFollow(false);
    await source.lineAt(number);
    show(log.rowOf(number));
  };
  const search = useSearch(source, go);
  const link = (number: number): void => {
    asked.current = true;
    onLine(number);
    void copyText(addressOf(number), `Copied the address of line ${number}`);
  };
  const { model } = useShownRun();
  const node = model.node(path);
  const isLast = node?.attempts.at(-1)?.number === attempt.number;
  const stdin = isLast ? stdinOf(model, node) : undefined;
  const command = (isLast ? commandGiven(model, node) : undefined) ?? attempt.command ?? "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is one object that changes; its version says so.
  useEffect(() => {
    if (follow) {
      seen.current = source.grown;
      setUnseen(0);
      if (log.rowCount > 0) rows.scrollToIndex(log.rowCount + HEAD_ROWS - 1, { align: "end" });
    } else setUnseen(source.grown - seen.current);
  }, [source.version, follow, source, log, rows]);
  // Keeps the visible rows loaded, however much output follows.
  const top = log.row(Math.max(0, (rows.range?.startIndex ?? 0) - HEAD_ROWS));
  const near = follow || top === undefined ? undefined : top.kind === "gap" ? top.from : top.part;
  useEffect(() => {
    source.near = near;
  }, [near, source]);
  const announced = useRef(follow);
  useEffect(() => {
    if (announced.current === follow) return;
    announced.current = follow;
    say(follow ? "The output is followed" : "The output is not followed any more");
  }, [follow]);
  // Scrolls to the line of the URL once, when it is loaded.
  const asked = useRef(false);
  useEffect(() => {
    if (line === undefined || !source.loaded || asked.current) return;
    asked.current = true;
    void go(line);
  });

  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < ROW_PX * 2;
    const isByHand = performance.now() < handUntilMs.current;
    if (atEnd || (isByHand && element.scrollTop < last.current)) setFollow(atEnd);
    last.current = element.scrollTop;
  };
  const last = useRef(0);
  // Rows of other heights than estimated scroll the page as well. Only scrolling by the user stops following.
  const handUntilMs = useRef(0);
  const onHand = (): void => {
    handUntilMs.current = performance.now() + HAND_MS;
  };
  const startFollowing = (): void => {
    handUntilMs.current = 0;
    setFollow(true);
  };

  return (
    <div className="flex h-full flex-col">
      <OutputBar
        {...{ which, stream, setStream, wrap, setWrap, follow, search, link }}
        line={search.current ?? (top?.kind === "line" ? top.number : undefined)}
        onFollow={() => (follow ? setFollow(false) : startFollowing())}
        facts={source.loaded ? factsOf(log) : ""}
      />
      {source.problem !== undefined && <Problem problem={source.problem} />}
      <div className="relative min-h-0 flex-1">
        <div
          ref={scroller}
          role="log"
          aria-live="off"
          aria-label={`Output of ${path}, attempt ${attempt.number}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          tabIndex={0}
          onScroll={onScroll}
          onWheel={onHand}
          // The scroll bar sends no event when it is released.
          onPointerDown={() => {
            handUntilMs.current = Number.POSITIVE_INFINITY;
          }}
          onTouchMove={onHand}
          onKeyDown={onHand}
          className="h-full overflow-auto bg-sunken py-1"
        >
          <div style={{ height: rows.getTotalSize() }} className="relative min-w-max">
            {rows.getVirtualItems().map((virtual) => (
              <div
                key={keyOf(virtual.index, log.row(virtual.index - HEAD_ROWS))}
                data-index={virtual.index}
                ref={rows.measureElement}
                style={{
                  transform: `translateY(${virtual.start}px)`,
                  width: wrap ? scroller.current?.clientWidth : undefined,
                }}
                className="absolute top-0 left-0 min-w-full"
              >
                {rowAt(virtual.index)}
              </div>
            ))}
          </div>
          {!source.loaded && <Skeleton className="p-4" />}
        </div>
        {!follow && unseen > 0 && (
          <Button size="small" kind="primary" className="absolute right-6 bottom-3" onClick={startFollowing}>
            {count(unseen, "new line")}
          </Button>
        )}
      </div>
    </div>
  );

  function rowAt(index: number): ReactNode {
    if (index < HEAD_ROWS) return <HeadRow {...{ attempt, command, index, stdin, wrap }} />;
    const row = log.row(index - HEAD_ROWS);
    if (row === undefined) return null;
    if (row.kind === "gap") return <GapRow gap={row} onFill={(from) => void source.fill(row, from)} />;
    return (
      <LogLine
        row={row}
        startMs={Date.parse(attempt.startedAt)}
        timed={log.timed}
        wrap={wrap}
        marked={row.number !== undefined && (row.number === line || row.number === search.current)}
        found={search.text === "" ? undefined : search.text}
        onNumber={link}
      />
    );
  }
}

function factsOf(log: OutputSource["log"]): string {
  const { lines, bytes, complete } = log;
  const last = log.row(log.rowCount - 1);
  // A final line without a newline counts as a line.
  const shown = last?.kind === "line" ? (last.number ?? 0) : 0;
  const counted = lines === undefined ? "" : `${count(Math.max(lines, shown), "line")} · `;
  return `${counted}${size(bytes)}${complete ? "" : " so far"}`;
}

function addressOf(line: number): string {
  const url = new URL(location.href);
  url.searchParams.set("line", String(line));
  return url.href;
}

function keyOf(index: number, row: LineRow | Gap | undefined): string {
  if (row === undefined) return `head ${index}`;
  return row.kind === "line" ? `${row.part} ${row.index}` : `gap ${row.from}`;
}

/** Left-aligned: the columns of the lines are unknown before the first one arrives, and nothing must move then. */
function HeadRow({ attempt, command, index, stdin, wrap }: HeadRowProps) {
  const text = index === 0 ? `$ ${oneLine(command)}` : `stdin: ${stdinFacts(attempt, stdin)}`;
  return (
    <div
      className={classes(
        "min-h-[18px] px-4 font-mono text-sm text-muted",
        wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre",
      )}
    >
      {text}
    </div>
  );
}

interface HeadRowProps {
  attempt: AttemptView;
  /** With the values that the page knows. */
  command: string;
  index: number;
  wrap: boolean;
  /** Standard input, if the page knows it. */
  stdin: string | undefined;
}

function stdinFacts({ stdin: given }: AttemptView, stdin: string | undefined): string {
  if (given === undefined) return "nothing";
  const facts = `${size(given.bytes)}, sha256 ${given.sha256.slice(0, 16)}…`;
  if (stdin === undefined) return facts;
  return `${oneLine(stdin.slice(0, STDIN_SHOWN))}${stdin.length > STDIN_SHOWN ? "…" : ""} · ${facts}`;
}

function oneLine(text: string): string {
  return visible(text.replace(/\n$/, "")).replaceAll("\n", " ⏎ ");
}

function GapRow({ gap, onFill }: { gap: Gap; onFill: (from: "top" | "bottom") => void }) {
  return (
    <div className="sticky left-0 flex w-fit items-center gap-2 py-1 pl-44 text-sm text-muted">
      {gap.lines === undefined ? size(gap.to - gap.from) : count(gap.lines, "line")} not loaded
      <Button size="small" onClick={() => onFill("top")}>
        Load the middle
      </Button>
      <Button size="small" onClick={() => onFill("bottom")}>
        From its end
      </Button>
    </div>
  );
}

/** One source per attempt and stream. It ends with the view. */
function useSource(attempt: Attempt, stream: OutputStream, line: number | undefined): OutputSource {
  const first = useRef(line);
  const holder = useMemo(() => {
    const listeners = new Set<() => void>();
    const source = new OutputSource(attempt, stream, () => {
      for (const listener of listeners) listener();
    });
    return { source, listeners };
  }, [attempt, stream]);
  useEffect(() => {
    void holder.source.open(first.current);
    return () => holder.source.end();
  }, [holder]);
  useSyncExternalStore(
    (listener) => {
      holder.listeners.add(listener);
      return () => holder.listeners.delete(listener);
    },
    () => holder.source.version,
  );
  return holder.source;
}
