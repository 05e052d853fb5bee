// OutputBar: the controls of an output: stream, size, search, follow, wrap and download.

import { ArrowDownToLine, ChevronDown, ChevronUp, Download, Link2, WrapText } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { type Action, useActions } from "../../app/actions.ts";
import { sentence } from "../../client/queries.ts";
import { inputClass } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Select } from "../../ui/select.tsx";
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
  /** The line to link to: the current match, or the top line. */
  line: number | undefined;
  link: (line: number) => void;
}

const STREAMS: readonly [OutputStream, string][] = [
  ["both", "stdout + stderr"],
  ["stdout", "stdout"],
  ["stderr", "stderr"],
];

export function OutputBar(props: OutputBarProps) {
  const { which, facts, stream, setStream, search } = props;
  const field = useRef<HTMLInputElement>(null);
  const controls = controlsOf(props);
  useActions("Output", [
    { id: "output.search", title: "Search the output", keys: "/", run: () => field.current?.focus() },
    ...controls.map(({ icon: _, pressed: __, ...action }) => action),
  ]);
  const save = (what: OutputStream) => void download(which, what).catch((reason: unknown) => toast(sentence(reason)));
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-2 py-0.5 text-sm">
      <Select
        aria-label="Stream"
        value={stream}
        onChange={(next) => setStream(next as OutputStream)}
        options={STREAMS}
        className="!w-auto"
      />
      <span className="truncate text-muted tabular-nums max-sm:hidden">{facts}</span>
      <span className="flex items-center gap-1 max-sm:contents sm:ml-auto">
        <SearchField search={search} field={field} />
        {controls.map(({ id, title, keys, icon, pressed, disabled, run }) => (
          <IconButton
            key={id}
            size="small"
            label={title}
            shortcut={keys}
            {...{ icon, pressed, disabled }}
            onClick={run}
          />
        ))}
        <Menu
          label="Download"
          trigger={<IconButton size="small" label="Download the output" icon={<Download />} />}
          items={[
            { label: "both, as they came", onSelect: () => save("both") },
            { label: "stdout, as it is", onSelect: () => save("stdout") },
            { label: "stderr, as it is", onSelect: () => save("stderr") },
          ]}
        />
      </span>
    </div>
  );
}

type Control = Action & { icon: ReactNode; pressed?: boolean };

/** Each is a button and an action of the palette. */
function controlsOf({ search, line, link, wrap, setWrap, follow, onFollow }: OutputBarProps): Control[] {
  const match = { held: true, disabled: search.found === 0 };
  const [up, down] = [<ChevronUp key="up" />, <ChevronDown key="down" />];
  const place = line === undefined ? "a line" : `line ${line}`;
  const copy = { disabled: line === undefined, run: () => line !== undefined && link(line) };
  return [
    { id: "output.previous", title: "Previous match", keys: "Shift+N", icon: up, ...match, run: () => search.step(-1) },
    { id: "output.next", title: "Next match", keys: "N", icon: down, ...match, run: () => search.step(1) },
    { id: "output.link", title: `Copy the address of ${place}`, words: "permalink link", icon: <Link2 />, ...copy },
    { id: "output.follow", title: "Follow the output", icon: <ArrowDownToLine />, pressed: follow, run: onFollow },
    { id: "output.wrap", title: "Wrap long lines", icon: <WrapText />, pressed: wrap, run: () => setWrap(!wrap) },
  ];
}

type Field = RefObject<HTMLInputElement | null>;

function SearchField({ search, field }: { search: Search; field: Field }) {
  return (
    <>
      <input
        ref={field}
        type="search"
        aria-label="Search the output"
        placeholder="Search /"
        value={search.text}
        onChange={(event) => search.setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") search.step(event.shiftKey ? -1 : 1);
          if (event.key !== "Escape") return;
          search.setText("");
          field.current?.blur();
        }}
        className={`${inputClass} h-8 !w-44 max-sm:!w-28 max-sm:flex-1`}
      />
      {search.text !== "" && (
        <span role="status" className="text-muted tabular-nums">
          {resultOf(search)}
        </span>
      )}
    </>
  );
}

function resultOf({ busy, reached, found, at, more, cut }: Search): string {
  if (busy) return reached === undefined ? "…" : `… line ${grouped(reached)}`;
  if (found === 0) return `nothing found${cut ? " in the first MB of each line" : ""}`;
  return `${at} of ${found}${more ? "+" : ""}${cut ? ", in the first MB of each line" : ""}`;
}
