// ValueBody: one value as a tree, a table, indented JSON, text, an image or hex, with a filter (spec ui-2 item 4). A
// press on a part copies its reference. Values are untrusted: they become text nodes and images, never markup.

import { Copy, Download } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { create } from "zustand";
import { visible } from "../../../base/visible.ts";
import { sentence } from "../../client/queries.ts";
import { copyText } from "../../ui/copy.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Segments } from "../../ui/segments.tsx";
import { toast } from "../../ui/toast.tsx";
import { TypedSearch } from "../../ui/typed-search.tsx";
import { count, grouped, size } from "../../ui/words.ts";
import { filteredRows, summary, tableOf } from "./rows.ts";
import type { Part } from "./source.ts";
import { TableView } from "./table-view.tsx";
import { TreeView } from "./tree-view.tsx";
import { type Content, contentOf, hexLines, type Members, partText, prettyJson } from "./value.ts";

export interface ValueBodyProps {
  part: Part;
  label: string;
  onSave: () => Promise<void>;
  /** The reference of a part. Absent: a press copies the part itself. */
  reference?: (members: Members) => string;
}

const MODES = { image: "Image", table: "Table", tree: "Tree", json: "JSON", raw: "Raw", hex: "Hex" } as const;
type Mode = keyof typeof MODES;

/** The mode that the user chose last, for values that have it. */
const useChosen = create<{ mode: Mode | undefined }>(() => ({ mode: undefined }));

export function ValueBody({ part, label, onSave, reference }: ValueBodyProps) {
  const content = useMemo(() => contentOf(part.bytes, part.isWhole), [part]);
  const table = useMemo(() => tableOf(content.json), [content]);
  const modes = modesOf(content, table !== undefined);
  const chosen = useChosen(({ mode }) => mode);
  const mode = chosen !== undefined && modes.includes(chosen) ? chosen : modes[0]!;
  const [filter, setFilter] = useState("");
  const [active, setActive] = useState<Members>([]);
  const press = (members: Members, value: unknown): void => {
    const text = reference?.(members) ?? partText(value);
    void copyText(text, reference === undefined ? "Copied" : `Copied ${visible(text)}`);
  };
  const shown = mode === "table" && active.length === 0 ? (table?.members ?? []) : active;
  const isFiltered = mode !== "image" && mode !== "hex";
  const rows = table !== undefined && mode === "table" ? filteredRows(table, filter).length : undefined;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-b border-line px-2 py-1 text-sm">
        {modes.length > 1 && (
          <Segments
            label="Show the value as"
            options={modes.map((one) => [one, MODES[one]] as const)}
            isOn={(one) => one === mode}
            onPress={(one) => useChosen.setState({ mode: one })}
          />
        )}
        {isFiltered && (
          <TypedSearch label="Filter the value" placeholder="Filter" value={filter} onChange={setFilter} />
        )}
        <span className="ml-auto flex items-center gap-1">
          {content.text !== undefined && part.isWhole && (
            <IconButton
              size="small"
              label="Copy the value"
              icon={<Copy />}
              onClick={() => void copyText(content.text ?? "")}
            />
          )}
          <IconButton
            size="small"
            label="Download the value"
            icon={<Download />}
            onClick={() => void onSave().catch((reason: unknown) => toast(sentence(reason)))}
          />
        </span>
      </div>
      {!part.isWhole && (
        <p className="shrink-0 border-b border-line px-3 py-1 text-sm text-waiting">
          The value is too large to show. This is its first {size(part.bytes.length)}. Download it to see all of it.
        </p>
      )}
      <div className="min-h-0 flex-1">
        {mode === "tree" && (
          <TreeView value={content.json} {...{ filter, label }} onPress={press} onActive={setActive} />
        )}
        {mode === "table" && table !== undefined && (
          <TableView {...{ table, filter, label }} onPress={press} onActive={setActive} />
        )}
        {(mode === "json" || mode === "raw") && <TextView {...{ content, mode, filter, label }} />}
        {mode === "image" && <ImageView {...{ content, label }} />}
        {mode === "hex" && <HexView bytes={part.bytes} label={label} />}
      </div>
      <footer className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-t border-line px-3 text-sm text-muted">
        <span>{factsOf(content, rows, table?.members)}</span>
        {reference !== undefined && content.kind !== "binary" && (
          <CopyReference text={reference(mode === "tree" || mode === "table" ? shown : [])} />
        )}
      </footer>
    </div>
  );
}

function CopyReference({ text }: { text: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      · copy as
      <button
        type="button"
        onClick={() => void copyText(text, `Copied ${visible(text)}`)}
        className="min-h-6 min-w-0 truncate rounded px-1 font-mono text-accent hover:bg-hover"
      >
        {visible(text)}
      </button>
    </span>
  );
}

/** The first is the one that says most. */
function modesOf({ kind, json, text }: Content, isTable: boolean): Mode[] {
  if (kind === "image") return text === undefined ? ["image", "hex"] : ["image", "raw"];
  if (kind === "binary") return ["hex"];
  if (json === undefined) return ["raw"];
  return isTable ? ["table", "tree", "json", "raw"] : ["tree", "json", "raw"];
}

function factsOf({ bytes, json, text, type }: Content, rows: number | undefined, members: Members = []): string {
  if (rows !== undefined)
    return `${count(rows, "row")}${members.length === 0 ? "" : ` of ${visible(String(members[0]))}`}`;
  const facts = [size(bytes.length)];
  if (json !== undefined) facts.unshift(summary(json));
  else if (type !== undefined) facts.unshift(type);
  else if (text !== undefined) facts.unshift(count(text.replace(/\n$/, "").split("\n").length, "line"));
  return facts.join(" · ");
}

/** Characters of a text on the page. */
const TEXT_SHOWN = 100_000;

function TextView({ content, mode, filter, label }: { content: Content; mode: Mode; filter: string; label: string }) {
  const all = content.text ?? "";
  const text = useMemo(() => {
    const start = all.slice(0, TEXT_SHOWN);
    return mode === "json" ? prettyJson(start) : start;
  }, [all, mode]);
  const wanted = filter.toLowerCase();
  const lines = text.split("\n");
  const kept = wanted === "" ? lines : lines.filter((line) => line.toLowerCase().includes(wanted));
  return (
    <section tabIndex={0} aria-label={label} className="h-full overflow-auto focus-visible:-outline-offset-2">
      {all.length > TEXT_SHOWN && (
        <p className="px-3 pt-2 text-sm text-waiting">
          These are the first {grouped(TEXT_SHOWN)} of {grouped(all.length)} characters. Download the value to see all.
        </p>
      )}
      {wanted !== "" && (
        <p className="px-3 pt-2 text-sm text-muted">
          {grouped(kept.length)} of {count(lines.length, "line")}
        </p>
      )}
      <pre className="p-3 font-mono text-sm break-words whitespace-pre-wrap">{visible(kept.join("\n"))}</pre>
      {all === "" && <p className="px-3 text-muted">The value is empty.</p>}
    </section>
  );
}

/** The page's policy allows images as data, not as a blob. An image runs no scripts and loads nothing. */
function ImageView({ content, label }: { content: Content; label: string }) {
  const { bytes, type, text } = content;
  const other = text === undefined ? MODES.hex : MODES.raw;
  const [source, setSource] = useState<string>();
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    setIsBroken(false);
    const reader = new FileReader();
    reader.onload = () => setSource(String(reader.result));
    reader.readAsDataURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
    return () => reader.abort();
  }, [bytes, type]);
  return (
    <section tabIndex={0} aria-label={label} className="flex h-full overflow-auto p-3 focus-visible:-outline-offset-2">
      {isBroken && (
        <p role="status" className="text-waiting">
          It begins like {type}, but the browser can't draw it. Look at {other}, or download it and open it in another
          program.
        </p>
      )}
      {source !== undefined && !isBroken && (
        <img
          src={source}
          onError={() => setIsBroken(true)}
          alt={label}
          className="m-auto max-h-full max-w-full rounded-md border border-line object-contain"
        />
      )}
    </section>
  );
}

const HEX_BYTES = 16_384;

export function HexView({ bytes, label }: { bytes: Uint8Array; label: string }) {
  const shown = useMemo(() => hexLines(bytes.subarray(0, HEX_BYTES)).join("\n"), [bytes]);
  return (
    <section tabIndex={0} aria-label={label} className="h-full overflow-auto focus-visible:-outline-offset-2">
      {bytes.length > HEX_BYTES && (
        <p className="px-3 pt-2 text-sm text-muted">
          These are the first {size(HEX_BYTES)}. Download the value to see the rest.
        </p>
      )}
      <pre className="p-3 font-mono text-sm">{shown}</pre>
    </section>
  );
}
