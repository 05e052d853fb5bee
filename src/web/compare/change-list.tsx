// ChangeList: the differences between two versions of a file or between two runs, in groups. The lines of the chosen one
// are below it.

import { type ReactNode, useMemo } from "react";
import { visible } from "../../base/visible.ts";
import { useActions } from "../app/actions.ts";
import { ChangeSign } from "../canvas/change-sign.tsx";
import type { ChangeKind } from "../canvas/overlay.ts";
import { classes } from "../ui/classes.ts";
import { changedLines, DiffLines } from "../ui/diff-lines.tsx";
import { focusSoon } from "../ui/focus.ts";
import { inGroups } from "../ui/groups.ts";

export interface Entry {
  /** "node:fetch", "edge:fetch->send", "member:inputs", or "text": the whole text. */
  key: string;
  kind: ChangeKind;
  title: string;
  /** The lines of each version. Absent for an edge. */
  lines?: { before: string; after: string };
  note?: string;
}

/** By the beginning of the keys. */
const GROUPS = { input: "Inputs", node: "Nodes", edge: "Edges", member: "Settings", text: "Text" };
const groupOf = ({ key }: Entry) => key.replace(/:.*/s, "") as keyof typeof GROUPS;

interface ChangeListProps {
  entries: readonly Entry[];
  chosen: string;
  onChoose: (key: string) => void;
  details: (id: string, entry: Entry) => ReactNode;
  children?: ReactNode;
}

export function ChangeList({ entries, chosen, onChoose, details, children }: ChangeListProps) {
  const step = (by: number): void => {
    const at = entries.findIndex(({ key }) => key === chosen) + by;
    const { key } = entries[Math.max(0, Math.min(entries.length - 1, at))]!;
    onChoose(key);
    focusSoon(() => document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(key)}"]`));
  };
  useActions("Compare", [
    { id: "compare.next", title: "Next change", keys: "J", held: true, run: () => step(1) },
    { id: "compare.previous", title: "Previous change", keys: "K", held: true, run: () => step(-1) },
  ]);
  return (
    <nav aria-label="Changes" className="flex flex-col gap-3 p-3">
      {children}
      {inGroups(GROUPS, entries, groupOf).map(({ id, title, items }) => (
        <section key={id} aria-label={title}>
          <h2 className="px-2 text-sm font-semibold text-muted">{title}</h2>
          <ul>
            {items.map((entry) => (
              <li key={entry.key} className="[contain-intrinsic-height:auto_32px] [content-visibility:auto]">
                <ChangeButton {...{ entry, onChoose }} isChosen={entry.key === chosen} />
                {entry.key === chosen && entry.lines !== undefined && (
                  <div className="flex flex-col gap-2 px-2 pt-1 pb-3">
                    {id === "node" && (
                      <p className="flex gap-3 text-sm">
                        <code className="min-w-0 flex-1 break-words text-muted">{entry.key.slice(5)}</code>
                        {details(entry.key.slice(5), entry)}
                      </p>
                    )}
                    <ChangedLines entry={entry} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface ChangeButtonProps extends Pick<ChangeListProps, "onChoose"> {
  entry: Entry;
  isChosen: boolean;
}

function ChangeButton({ entry: { key, kind, title }, isChosen, onChoose }: ChangeButtonProps) {
  return (
    <button
      type="button"
      data-entry={key}
      aria-current={isChosen}
      onClick={() => onChoose(key)}
      className={classes(
        "flex min-h-8 w-full items-start gap-2 rounded-md px-2 py-1.5 text-left",
        isChosen ? "bg-selected" : "hover:bg-hover",
      )}
    >
      <ChangeSign kind={kind} />
      <span className="min-w-0 flex-1 break-words">{title}</span>
      <span className="text-sm text-muted">{kind}</span>
    </button>
  );
}

export function ChangedLines({ entry: { lines, note } }: { entry: Entry }) {
  const shown = useMemo(() => (lines === undefined ? [] : changedLines(lines.before, lines.after)), [lines]);
  return (
    <>
      {note !== undefined && <p>{visible(note)}</p>}
      {shown.length > 0 && <DiffLines lines={shown} tall="full" />}
    </>
  );
}
