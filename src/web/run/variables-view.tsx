// VariablesView: the values of variables and accumulators over time, newest first (spec ui 6.4). Secret values never
// appear.

import type { Value } from "../../base/value.ts";
import { visibleLine } from "../../base/visible.ts";
import { count, exactTime, size, timeOfDay } from "../ui/words.ts";
import { useShownRun } from "./run-store.ts";
import { variablesOf } from "./variables.ts";

const SHOWN_MAX = 50;
const TEXT_MAX = 300;

export function VariablesView({ onSelect }: { onSelect: (path: string) => void }) {
  const { model } = useShownRun();
  const all = variablesOf(model);
  if (all.length === 0)
    return <p className="p-4 text-muted">This workflow has no variables. Variable and Accumulator nodes set them.</p>;
  return (
    <section tabIndex={0} aria-label="Variables" className="flex h-full flex-col gap-4 overflow-auto p-4">
      {all.map(({ name, node, kind, secret, changes }) => (
        <div key={node}>
          <h2 className="flex items-baseline gap-2">
            <code className="font-semibold">{name}</code>
            <span className="text-sm text-muted">
              {kind}, {secret ? "secret" : count(changes.length, "value")}
            </span>
          </h2>
          {changes.length === 0 && <p className="text-sm text-muted">No value yet</p>}
          <ol className="mt-1 flex flex-col">
            {changes
              .slice(-SHOWN_MAX)
              .reverse()
              .map(({ seq, at, path, value, added }) => (
                <li key={`${seq} ${valueText(value)}`} className="flex items-baseline gap-3 font-mono text-sm">
                  <span title={exactTime(at)} className="w-24 shrink-0 text-muted tabular-nums max-sm:hidden">
                    {timeOfDay(at)}
                  </span>
                  <button
                    type="button"
                    onClick={() => onSelect(path)}
                    className="min-h-6 w-40 shrink-0 truncate text-left text-muted hover:underline"
                  >
                    {path}
                  </button>
                  <span className="min-w-0 flex-1 truncate">
                    {added ? "+ " : ""}
                    {secret ? "***" : valueText(value)}
                  </span>
                </li>
              ))}
          </ol>
          {changes.length > SHOWN_MAX && (
            <p className="text-sm text-muted">{count(changes.length - SHOWN_MAX, "older value")} in the events</p>
          )}
        </div>
      ))}
    </section>
  );
}

function valueText(value: Value): string {
  if ("text" in value)
    return visibleLine(value.text.length > TEXT_MAX ? `${value.text.slice(0, TEXT_MAX)}…` : value.text);
  if ("file" in value) return `${size(value.bytes)}, in the output of its node`;
  return `${count(value.count, "part")} joined as ${value.joined}`;
}
