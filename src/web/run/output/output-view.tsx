// OutputView: the output of one attempt (spec ui 6.4). Only visible rows are rendered, the end is followed until the
// user scrolls up, the server searches, and each line has a URL.

import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
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
import { stdoutPath, usePart } from "../value/source.ts";
import { isGarbled } from "../value/value.ts";
import { HexView } from "../value/value-body.tsx";
import { LogLine } from "./line.tsx";
import type { GapRow as Gap, LineRow } from "./log.ts";
import { OutputBar } from "./output-bar.tsx";
import { type Attempt, OutputSource, type OutputStream } from "./source.ts";
import { type Search, useSearch } from "./use-search.ts";

export interface OutputViewProps {
  run: string;
  path: string;
  attempt: AttemptView;
  line: number | undefined;
  onLine: (line: number) => void;
}

const ROW_PX = 18;
/** How long scrolling may continue after a wheel, touch or key event. */
const HAND_MS = 1_000;
/** The command and its standard input are above the first line. */
const HEAD_ROWS = 2;
/** JSON in an output with this many lines is unfolded at first. */
const FEW_LINES = 5;
const STDIN_SHOWN = 200;

export function OutputView({ run, path, attempt, line, onLine }: OutputViewProps) {
  const [chosen, setStream] = useState<OutputStream>("both");
  const isSecret = attempt.stdout?.secret === true;
  const stream = isSecret ? "stderr" : chosen;
  const [wrap, setWrap] = useState(true);
  const [asText, setAsText] = useState(false);
  const which: Attempt = useMemo(() => ({ run, path, number: attempt.number }), [run, path, attempt.number]);
  const source = useSource(which, stream, line);
  const scroller = useRef<HTMLDivElement>(null);
  const { log } = source;
  const isBinary = !asText && stream !== "stderr" && isGarbled(firstLines(log));
  const rows = useVirtualizer({
    count: log.rowCount + HEAD_ROWS,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 30,
  });
  const { follow, setFollow, unseen, handlers } = useFollow(source, rows, line === undefined);
  const go = async (number: number): Promise<void> => {
    setFollow(false);
    await source.lineAt(number);
    const row = log.rowOf(number);
    if (row !== undefined) requestAnimationFrame(() => rows.scrollToIndex(row + HEAD_ROWS, { align: "center" }));
  };
  const search = useSearch(which, stream, (number) => void go(number));
  // Scrolls to the line of the URL once, when it is loaded.
  const wentTo = useRef(false);
  useEffect(() => {
    if (line === undefined || !source.loaded || wentTo.current) return;
    wentTo.current = true;
    void go(line);
  });
  const link = (number: number): void => {
    wentTo.current = true;
    onLine(number);
    void copyText(addressOf(which, number), `Copied the address of line ${number}`);
  };
  // Keeps the visible rows loaded, however much output follows.
  const top = log.row(Math.max(0, (rows.range?.startIndex ?? 0) - HEAD_ROWS));
  const near = follow || top === undefined ? undefined : top.kind === "gap" ? top.from : top.part;
  useEffect(() => {
    source.near = near;
  }, [near, source]);

  return (
    <div className="flex h-full flex-col">
      <OutputBar
        {...{ which, stream, setStream, wrap, setWrap, follow, search, link }}
        line={search.current ?? (top?.kind === "line" ? top.number : undefined)}
        onFollow={() => setFollow(!follow)}
        facts={source.loaded && !isSecret ? factsOf(log) : ""}
      />
      {isSecret && <p className="px-3 pt-2 text-sm text-muted">Its stdout is a secret, so Curlew did not keep it.</p>}
      {source.problem !== undefined && <Problem problem={source.problem} />}
      <div className="relative min-h-0 flex-1">
        {isBinary ? (
          <BinaryOutput {...{ which }} done={log.complete} onText={() => setAsText(true)} />
        ) : (
          <Lines {...{ source, rows, scroller, handlers, wrap, path, attempt, line, search, link }} />
        )}
        {!isBinary && !follow && unseen > 0 && (
          <Button size="small" kind="primary" className="absolute right-6 bottom-3" onClick={() => setFollow(true)}>
            {count(unseen, "new line")}
          </Button>
        )}
      </div>
    </div>
  );
}

const LINES_TRIED = 20;

function firstLines(log: OutputSource["log"]): string[] {
  return Array.from({ length: LINES_TRIED }, (_, at) => log.row(at)).flatMap((row) =>
    row?.kind === "line" && row.item.stream === "stdout" ? row.item.text : [],
  );
}

interface BinaryOutputProps {
  which: Attempt;
  done: boolean;
  onText: () => void;
}

/** In place of lines, which would be characters without meaning. */
function BinaryOutput({ which: { run, path, number }, done, onText }: BinaryOutputProps) {
  const { data } = usePart(stdoutPath(run, path, number), done);
  return (
    <div className="flex h-full flex-col bg-sunken">
      <p className="flex flex-wrap items-center gap-3 px-3 pt-2">
        The output is not text.
        <Button size="small" onClick={onText}>
          Show it as text
        </Button>
      </p>
      <div className="min-h-0 flex-1">{data && <HexView bytes={data.bytes} label={`Output of ${path} as hex`} />}</div>
    </div>
  );
}

type Rows = Virtualizer<HTMLDivElement, Element>;

interface LinesProps extends Pick<OutputViewProps, "path" | "attempt" | "line"> {
  source: OutputSource;
  rows: Rows;
  scroller: RefObject<HTMLDivElement | null>;
  handlers: ReturnType<typeof useFollow>["handlers"];
  wrap: boolean;
  search: Search;
  link: (line: number) => void;
}

function Lines({ source, rows, scroller, handlers, wrap, path, attempt, line, search, link }: LinesProps) {
  const { log } = source;
  const rowAt = (index: number): ReactNode => {
    if (index < HEAD_ROWS) return <HeadRow {...{ path, attempt, index, wrap }} />;
    const row = log.row(index - HEAD_ROWS);
    if (row === undefined) return null;
    if (row.kind === "gap") return <GapRow gap={row} onFill={() => void source.fill(row)} />;
    return (
      <LogLine
        {...{ row, wrap }}
        few={log.lineCount <= FEW_LINES}
        startMs={Date.parse(attempt.startedAt)}
        timed={log.timed}
        marked={row.number !== undefined && (row.number === line || row.number === search.current)}
        found={search.text === "" ? undefined : search.text}
        onNumber={link}
      />
    );
  };
  return (
    <div
      ref={scroller}
      role="log"
      aria-live="off"
      aria-label={`Output of ${path}, attempt ${attempt.number}`}
      tabIndex={0}
      {...handlers}
      className="h-full overflow-auto bg-sunken py-1"
    >
      <div style={{ height: rows.getTotalSize() }} className="relative min-w-max">
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={keyOf(index, log.row(index - HEAD_ROWS))}
            data-index={index}
            ref={rows.measureElement}
            style={{ transform: `translateY(${start}px)`, width: wrap ? scroller.current?.clientWidth : undefined }}
            className="absolute top-0 left-0 min-w-full"
          >
            {rowAt(index)}
          </div>
        ))}
      </div>
      {!source.loaded && <Skeleton className="p-4" />}
    </div>
  );
}

/** Follows the end of the output until the user scrolls up, and says how many lines arrived after that. */
function useFollow(source: OutputSource, rows: Rows, initially: boolean) {
  const [follow, setFollowing] = useState(initially);
  const seen = useRef<number>(undefined);
  const lastTop = useRef(0);
  // Rows of other heights than estimated and a found line scroll as well. Only scrolling by the user starts or stops
  // following.
  const handUntilMs = useRef(0);
  const { log } = source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is one object that changes; its version says so.
  useEffect(() => {
    if (follow) seen.current = log.lines;
    else seen.current ??= log.lines;
    // The start of unfolded JSON says more than its end.
    if (follow && log.lineCount > FEW_LINES) rows.scrollToIndex(log.rowCount + HEAD_ROWS - 1, { align: "end" });
  }, [source.version, follow, source, log, rows]);
  const announced = useRef(follow);
  useEffect(() => {
    if (announced.current === follow) return;
    announced.current = follow;
    say(follow ? "The output is followed" : "The output is not followed any more");
  }, [follow]);
  const setFollow = (next: boolean): void => {
    handUntilMs.current = 0;
    setFollowing(next);
  };
  const onHand = (): void => {
    handUntilMs.current = performance.now() + HAND_MS;
  };
  const handlers = {
    onScroll({ currentTarget: element }: { currentTarget: HTMLElement }): void {
      const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < ROW_PX * 2;
      const isByHand = performance.now() < handUntilMs.current;
      if (isByHand && (atEnd || element.scrollTop < lastTop.current)) setFollowing(atEnd);
      lastTop.current = element.scrollTop;
    },
    onWheel: onHand,
    // The scroll bar sends no event when it is released.
    onPointerDown(): void {
      handUntilMs.current = Number.POSITIVE_INFINITY;
    },
    onTouchMove: onHand,
    onKeyDown: onHand,
  };
  const unseen = Math.max(0, (log.lines ?? 0) - (seen.current ?? log.lines ?? 0));
  return { follow, setFollow, unseen, handlers };
}

function factsOf(log: OutputSource["log"]): string {
  const { lines, bytes, complete } = log;
  const last = log.row(log.rowCount - 1);
  // A final line without a newline counts as a line.
  const shown = last?.kind === "line" ? (last.number ?? 0) : 0;
  const counted = lines === undefined ? "" : `${count(Math.max(lines, shown), "line")} · `;
  return `${counted}${size(bytes)}${complete ? "" : " so far"}`;
}

/** On the page of the run, also from the editor. */
function addressOf({ run, path, number }: Attempt, line: number): string {
  const url = new URL(`/runs/${run}`, location.origin);
  url.search = String(new URLSearchParams({ node: path, attempt: String(number), tab: "output", line: String(line) }));
  return url.href;
}

function keyOf(index: number, row: LineRow | Gap | undefined): string {
  if (row === undefined) return `head ${index}`;
  return row.kind === "line" ? `${row.part} ${row.index}` : `gap ${row.from}`;
}

/**
 * The command and its standard input, as far as the page knows their values. Left-aligned, because the columns of the
 * lines are unknown before the first one arrives, and nothing must move then.
 */
function HeadRow({ path, attempt, index, wrap }: { path: string; attempt: AttemptView; index: number; wrap: boolean }) {
  const { model } = useShownRun();
  const node = model.node(path);
  const last = node?.attempts.at(-1)?.number === attempt.number ? node : undefined;
  const command = (last && commandGiven(model, last)) ?? attempt.command ?? "";
  return (
    <div
      className={classes(
        "min-h-[18px] px-4 font-mono text-sm text-muted",
        wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre",
      )}
    >
      {index === 0 ? `$ ${oneLine(command)}` : `stdin: ${stdinFacts(attempt, last && stdinOf(model, last))}`}
    </div>
  );
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

function GapRow({ gap, onFill }: { gap: Gap; onFill: () => void }) {
  return (
    <div className="sticky left-0 flex w-fit items-center gap-2 py-1 pl-44 text-sm text-muted">
      {gap.lines === undefined ? size(gap.to - gap.from) : count(gap.lines, "line")} not loaded
      <Button size="small" onClick={onFill}>
        Load the middle
      </Button>
    </div>
  );
}

/** One source per attempt and stream. It ends with the view. */
function useSource(attempt: Attempt, stream: OutputStream, line: number | undefined): OutputSource {
  const first = useRef(line);
  const source = useMemo(() => new OutputSource(attempt, stream), [attempt, stream]);
  useEffect(() => {
    void source.open(first.current);
    return () => source.end();
  }, [source]);
  useSyncExternalStore(source.subscribe, () => source.version);
  return source;
}
