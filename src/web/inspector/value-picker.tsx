// ValuePicker: the parents' last outputs as trees. Clicking a member inserts it into the text (ui 6.3).

import { useState } from "react";
import { parsed } from "../code/complete.ts";
import { toast } from "../ui/toast.tsx";
import { usePanel } from "./context.ts";
import { parentsOf } from "./scope.ts";

/** Maximum number of members shown per value, and of levels that can be opened. */
const MEMBERS_MOST = 100;
const DEPTH_MOST = 8;

export function ValuePicker() {
  const { graph, node, last } = usePanel();
  const parents = parentsOf(graph, node?.id ?? "").flatMap((parent) => {
    const held = last.of(parent.node ?? "");
    return held === undefined ? [] : [{ ...parent, value: parsed(held.text) }];
  });
  if (parents.length === 0) return null;
  return (
    <details className="rounded-md border border-line p-3">
      <summary className="min-h-6 cursor-pointer text-xs font-semibold tracking-wide text-muted uppercase">
        Insert a value of {last.words}
      </summary>
      <ul className="mt-2 flex flex-col gap-1">
        {parents.map(({ name, from, value }) => (
          <Member key={name} root={name} members={[]} label={`\${${name}} ${from}`} value={value} />
        ))}
      </ul>
    </details>
  );
}

interface MemberProps {
  root: string;
  members: readonly (string | number)[];
  label: string;
  value: unknown;
}

function Member({ root, members, label, value }: MemberProps) {
  const [open, setOpen] = useState(members.length === 0);
  const inner = innerOf(value);
  const insert = async () => {
    const { insertReference } = await import("../code/insert.ts");
    if (!insertReference(root, members)) toast("Put the cursor where it belongs first.");
  };
  return (
    <li className="min-w-0">
      <div className="flex min-w-0 items-baseline gap-1">
        {inner.length > 0 && members.length < DEPTH_MOST ? (
          <button
            type="button"
            aria-expanded={open}
            aria-label={`${open ? "Close" : "Open"} ${label}`}
            className="size-6 shrink-0 rounded-md text-muted hover:bg-hover"
            onClick={() => setOpen(!open)}
          >
            {open ? "−" : "+"}
          </button>
        ) : (
          <span className="size-6 shrink-0" />
        )}
        <button
          type="button"
          className="min-h-6 min-w-0 truncate rounded-md px-1 text-left font-mono text-xs hover:bg-hover"
          onClick={() => void insert()}
        >
          <span className="text-accent">{label}</span> <span className="text-muted">{shown(value)}</span>
        </button>
      </div>
      {open && inner.length > 0 && (
        <ul className="ml-4 flex flex-col">
          {inner.map(([key, member]) => (
            <Member key={key} root={root} members={[...members, key]} label={String(key)} value={member} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Members that a reference can name (spec 1.3). */
function innerOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.slice(0, MEMBERS_MOST).map((item, index) => [index, item]);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key))
    .slice(0, MEMBERS_MOST);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} items`;
  if (typeof value === "object" && value !== null) return `${Object.keys(value).length} members`;
  const text = typeof value === "string" ? value : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
