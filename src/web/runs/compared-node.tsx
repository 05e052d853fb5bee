// ComparedNode: one node in two runs: state, time as bars of the same scale, and a line diff of values that differ.

import { visible } from "../../base/visible.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { Chip } from "../ui/chip.tsx";
import { classes } from "../ui/classes.ts";
import { Code } from "../ui/facts.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { LOOKS, lookOf } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { duration } from "../ui/words.ts";
import { commandOf, type NodePair, noneOf } from "./compare.ts";

const WORDS = { state: "state", value: "value", command: "command", missing: "only in one" };

export interface ComparedNodeProps {
  pair: NodePair;
  /** The longest time of all nodes: the scale of the bars. */
  longest: number;
  runs: readonly [string, string];
}

export function ComparedNode({ pair, longest, runs }: ComparedNodeProps) {
  const { a, b, differs } = pair;
  const texts = [
    ...(differs.includes("command") ? [{ what: "command" as const, a: a && commandOf(a), b: b && commandOf(b) }] : []),
    ...(differs.includes("value") ? [{ what: "value" as const, a: a?.value, b: b?.value }] : []),
  ];
  return (
    <li className="border-b border-line px-4 py-3 last:border-0">
      <div className="grid items-center gap-x-8 gap-y-1.5 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <div className="min-w-0">
          <div className="truncate font-medium">{pair.title}</div>
          <div className="flex items-center gap-2">
            <span className="truncate font-mono text-xs text-muted">{pair.path}</span>
            {differs.map((what) => (
              <Chip key={what}>{WORDS[what]}</Chip>
            ))}
          </div>
        </div>
        <Half node={a} took={pair.tookA} longest={longest} run={runs[0]} label="A" />
        <Half node={b} took={pair.tookB} longest={longest} run={runs[1]} label="B" />
      </div>
      {texts.map((text) => (
        <div key={text.what} className="mt-2 grid gap-3 md:grid-cols-2">
          <Text text={text.a} label={`A: ${text.what}`} none={noneOf(a, text.what)} />
          <Text text={text.b} label={`B: ${text.what}`} none={noneOf(b, text.what)} />
        </div>
      ))}
    </li>
  );
}

interface HalfProps {
  node: NodeView | undefined;
  took: number | undefined;
  longest: number;
  run: string;
  label: string;
}

function Half({ node, took, longest, run, label }: HalfProps) {
  if (node === undefined) return <span className="text-muted">{label}: not there</span>;
  const look = lookOf(node.status, node.waitingFor);
  return (
    <RunLink id={run} node={node.path} className="flex min-h-6 items-center gap-3 rounded-md hover:bg-hover">
      <span className="w-4 text-xs text-muted">{label}</span>
      <StateIcon status={node.status} waitingFor={node.waitingFor} className="w-28" />
      <span className="h-1.5 flex-1 rounded-full bg-hover">
        <span
          className={classes("block h-full rounded-full", LOOKS[look].fill)}
          style={{ width: took === undefined ? 0 : `${Math.max(2, (100 * took) / longest)}%` }}
        />
      </span>
      <span className="w-16 text-right text-sm tabular-nums text-muted">
        {took === undefined ? "" : duration(took)}
      </span>
    </RunLink>
  );
}

function Text({ text, label, none }: { text: string | undefined; label: string; none: string }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 text-xs text-muted">{label}</figcaption>
      <Code label={label}>
        {text ? visible(text) : <span className="text-muted">{text === "" ? "empty" : none}</span>}
      </Code>
    </figure>
  );
}
