// JsonTree: a value as a collapsible tree. Hidden characters in keys and strings are made visible.

import { useState } from "react";
import { visible } from "../../../base/visible.ts";
import { plainText } from "./ansi.ts";
import type { LogItem } from "./log.ts";

const SHOWN_MAX = 200;

export function JsonTree({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const [open, setOpen] = useState(depth < 2);
  const label = name === undefined ? null : <span className="text-muted">{visible(name)}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div style={{ paddingLeft: depth * 12 }} className="break-words whitespace-pre-wrap">
        {label}
        <span className={typeof value === "string" ? "text-succeeded" : "text-running"}>
          {visible(JSON.stringify(value) ?? "")}
        </span>
      </div>
    );
  const entries = Object.entries(value);
  const brackets = Array.isArray(value) ? "[]" : "{}";
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        style={{ paddingLeft: depth * 12 }}
        className="text-left hover:bg-hover"
      >
        {label}
        <span className="text-muted">{open ? brackets[0] : `${brackets[0]} ${entries.length} ${brackets[1]}`}</span>
      </button>
      {open &&
        entries
          .slice(0, SHOWN_MAX)
          .map(([key, inner]) => <JsonTree key={key} name={key} value={inner} depth={depth + 1} />)}
      {open && entries.length > SHOWN_MAX && (
        <div style={{ paddingLeft: (depth + 1) * 12 }} className="text-muted">
          … {entries.length - SHOWN_MAX} more
        </div>
      )}
    </div>
  );
}

/** Longer values are shown as text, because parsing them would be slow. */
const CHARACTERS_MAX = 200_000;

/** A quick approximation, because it is called for every visible line. */
export function maybeJson({ text }: LogItem): boolean {
  const first = text.charCodeAt(0);
  if ((first !== 0x7b && first !== 0x5b) || text.length < 12 || text.length > CHARACTERS_MAX) return false;
  const last = text.trimEnd().at(-1);
  return first === 0x7b ? last === "}" : last === "]";
}

/** Undefined if it is not JSON after all. */
export function jsonOf(item: LogItem): unknown {
  try {
    return JSON.parse(plainText(item.text));
  } catch {
    return undefined;
  }
}
