// OutputBar: the controls of an output: stream, size, search, follow, wrap and download.

import { ArrowDownToLine, ChevronDown, ChevronUp, Download, Link2, WrapText } from "lucide-react";
import { useRef } from "react";
import { useActions } from "../../app/actions.ts";
import { sentence } from "../../client/queries.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { grouped } from "../../ui/words.ts";
import { type Attempt, download, type OutputStream } from "./source.ts";
import type { Search } from "./use-search.ts";

export interface OutputBarProps {
  which: Attempt;
  facts: string;
  stream: OutputStream;
  setStream: (stream: OutputStream) => void;
  wrap: boolean;
  setWrap: (wrap: boolean) => void;
  follow: boolean;
  onFollow: () => void;
  search: Search;
  /** The line to link to: the current match, or the line with the keyboard focus. */
  line: number | undefined;
  link: (line: number) => void;
}

export function OutputBar({
  which,
  facts,
  stream,
  setStream,
  wrap,
  setWrap,
  follow,
  onFollow,
  search,
  line,
  link,
}: OutputBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useActions("Output", [
    { id: "output.search", title: "Search the output", keys: "/", run: () => field.current?.focus() },
    {
      id: "output.next",
      title: "Next match",
      keys: "N",
      held: true,
      disabled: search.found === 0,
      run: () => search.step(1),
    },
    {
      id: "output.previous",
      title: "Match before",
      keys: "Shift+N",
      held: true,
      disabled: search.found === 0,
      run: () => search.step(-1),
    },
    {
      id: "output.link",
      title: "Copy the address of the line",
      words: "permalink link",
      disabled: line === undefined,
      run: () => line !== undefined && link(line),
    },
    { id: "output.wrap", title: "Wrap long lines", run: () => setWrap(!wrap) },
    { id: "output.follow", title: "Follow the output", run: onFollow },
  ]);
  const save = (what: OutputStream) => download(which, what).catch((reason: unknown) => toast(sentence(reason)));
  const { found, at, more, cut } = search;
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-2 py-0.5 text-sm">
      <select
        aria-label="Stream"
        value={stream}
        onChange={(event) => setStream(event.target.value as OutputStream)}
        className="h-7 rounded-md border border-line bg-panel px-1.5"
      >
        <option value="both">stdout + stderr</option>
        <option value="stdout">stdout</option>
        <option value="stderr">stderr</option>
      </select>
      <span className="truncate text-muted tabular-nums max-sm:hidden">{facts}</span>
      <span className="flex items-center gap-1 max-sm:contents sm:ml-auto">
        <input
          ref={field}
          type="search"
          aria-label="Search the output"
          placeholder="Search /"
          value={search.text}
          onChange={(event) => search.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") search.step(event.shiftKey ? -1 : 1);
            if (event.key === "Escape") {
              search.setText("");
              field.current?.blur();
            }
          }}
          className="h-7 w-44 rounded-md border border-edge/70 bg-bg px-2 max-sm:w-28 max-sm:flex-1"
        />
        {search.text !== "" && (
          <span role="status" className="text-muted tabular-nums">
            {search.busy
              ? `…${!search.reached ? "" : ` line ${grouped(search.reached)}`}`
              : found === 0
                ? `nothing found${cut ? " in the first MB of each line" : ""}`
                : `${at} of ${found}${more ? "+" : ""}${cut ? ", in the first MB of each line" : ""}`}
          </span>
        )}
        <IconButton
          size="small"
          label="Match before"
          shortcut="Shift+N"
          icon={<ChevronUp />}
          disabled={found === 0}
          onClick={() => search.step(-1)}
        />
        <IconButton
          size="small"
          label="Next match"
          shortcut="N"
          icon={<ChevronDown />}
          disabled={found === 0}
          onClick={() => search.step(1)}
        />
        <IconButton
          size="small"
          label={line === undefined ? "Copy the address of a line" : `Copy the address of line ${line}`}
          icon={<Link2 />}
          disabled={line === undefined}
          onClick={() => line !== undefined && link(line)}
        />
        <IconButton
          size="small"
          label="Follow the output"
          icon={<ArrowDownToLine />}
          pressed={follow}
          onClick={onFollow}
        />
        <IconButton
          size="small"
          label="Wrap long lines"
          icon={<WrapText />}
          pressed={wrap}
          onClick={() => setWrap(!wrap)}
        />
        <Menu
          label="Download"
          trigger={
            <button
              type="button"
              aria-label="Download the output"
              className="inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
            >
              <Download />
            </button>
          }
          items={[
            { label: "both, as they came", onSelect: () => void save("both") },
            { label: "stdout, as it is", onSelect: () => void save("stdout") },
            { label: "stderr, as it is", onSelect: () => void save("stderr") },
          ]}
        />
      </span>
    </div>
  );
}
