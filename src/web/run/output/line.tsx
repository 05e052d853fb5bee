// LogLine: one line of output: its number, time, stream and styled text (spec ui 6.4).

import { ChevronDown, ChevronRight } from "lucide-react";
import { memo, useState } from "react";
import { classes } from "../../ui/classes.ts";
import { copyText } from "../../ui/copy.tsx";
import { duration } from "../../ui/words.ts";
import { InlineTree } from "../value/tree-view.tsx";
import { jsonOf, partText } from "../value/value.ts";
import { type Piece, piecesOf, plainText } from "./ansi.ts";
import type { LineRow, LogItem } from "./log.ts";

export interface LogLineProps {
  row: LineRow;
  /** Start of the attempt. The gutter shows each line's time after it. */
  startMs: number;
  timed: boolean;
  wrap: boolean;
  /** JSON is unfolded at first, because there are few lines. */
  few: boolean;
  /** The line in the URL, or the current match. */
  marked: boolean;
  found: string | undefined;
  onNumber: (number: number) => void;
}

export const LogLine = memo(function LogLine({
  row,
  startMs,
  timed,
  wrap,
  few,
  marked,
  found,
  onNumber,
}: LogLineProps) {
  const { item, number } = row;
  const [isOpen, setOpen] = useState(few);
  const isJson = maybeJson(item);
  // A match is marked in the text.
  const tree = isOpen && isJson && found === undefined ? jsonOf(plainText(item.text)) : undefined;
  const isError = item.stream === "stderr";
  return (
    <div
      className={classes(
        "flex min-h-[18px] w-full font-mono text-sm pointer-coarse:min-h-6 has-focus-visible:bg-hover",
        marked && "bg-selected",
        isError && "bg-failed/5",
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        data-line={number}
        disabled={number === undefined}
        aria-label={number === undefined ? "Lines are being counted" : `Link to line ${number}`}
        onClick={() => number !== undefined && onNumber(number)}
        className="w-16 shrink-0 self-start pr-2 text-right text-muted tabular-nums select-none hover:text-text focus-visible:-outline-offset-2"
      >
        {number ?? "·"}
      </button>
      {timed && (
        <span className="w-20 shrink-0 pr-2 text-right text-muted tabular-nums select-none max-sm:hidden">
          {item.at === undefined ? "" : `+${duration(Math.max(0, Date.parse(item.at) - startMs))}`}
        </span>
      )}
      <span
        className={classes(
          "mr-2 w-6 shrink-0 border-r-2 text-xs select-none",
          isError ? "border-failed text-failed" : "border-transparent",
        )}
      >
        {isError ? "err" : ""}
      </span>
      {isJson ? (
        <button
          type="button"
          aria-expanded={tree !== undefined}
          aria-label={tree === undefined ? "Unfold the JSON" : "Fold the JSON"}
          onClick={() => setOpen(!isOpen)}
          className="mr-1 h-[18px] w-4 shrink-0 text-muted pointer-coarse:h-6 pointer-coarse:w-6 hover:text-text focus-visible:-outline-offset-2"
        >
          {tree === undefined ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
        </button>
      ) : null}
      {tree === undefined ? (
        <span className={classes("min-w-0 flex-1 pr-4", wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre")}>
          {piecesOf(item.text).map((piece, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move.
            <Look key={index} piece={piece} found={found} />
          ))}
        </span>
      ) : (
        <div className="min-w-0 flex-1 pr-4">
          <InlineTree
            value={tree}
            label={`JSON of line ${number ?? ""}`}
            onPress={(_, value) => void copyText(partText(value))}
          />
        </div>
      )}
    </div>
  );
});

/** Longer lines are shown as text, because parsing them would be slow. */
const CHARACTERS_MAX = 200_000;

/** A quick approximation, because it is called for every visible line. */
function maybeJson({ text }: LogItem): boolean {
  const first = text.charCodeAt(0);
  if ((first !== 0x7b && first !== 0x5b) || text.length < 12 || text.length > CHARACTERS_MAX) return false;
  return text.trimEnd().at(-1) === (first === 0x7b ? "}" : "]");
}

function Look({ piece, found }: { piece: Piece; found: string | undefined }) {
  const { text, colour, background, bold, dim, italic, underline, strike, ours } = piece;
  const shown = found === undefined || found === "" ? text : <Marked text={text} found={found} />;
  if (colour === undefined && background === undefined && !bold && !dim && !italic && !underline && !strike && !ours)
    return shown;
  return (
    <span
      style={{ color: ofName(colour), backgroundColor: ofName(background) }}
      className={classes(
        bold && "font-bold",
        (dim || ours) && "text-muted",
        italic && "italic",
        underline && "underline",
        strike && "line-through",
      )}
    >
      {shown}
    </span>
  );
}

function Marked({ text, found }: { text: string; found: string }) {
  const parts = text.split(new RegExp(`(${found.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")})`, "gi"));
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never move.
      <mark key={index} className="bg-waiting text-bg">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

/** The theme defines the sixteen named colours, so that they are readable in light and dark. */
const NAMES: Record<string, string> = {
  black: "var(--muted)",
  red: "var(--failed)",
  green: "var(--succeeded)",
  yellow: "var(--waiting)",
  blue: "var(--running)",
  magenta: "var(--cancelled)",
  cyan: "var(--accent)",
  white: "var(--text)",
};

function ofName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  return NAMES[name.replace(/^bright-/, "")] ?? `rgb(${name})`;
}
