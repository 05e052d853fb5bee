// Palette: the command palette (spec ui 6.2.10): the screen's actions with their shortcuts, workflows, runs, and other
// entries.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command, defaultFilter } from "cmdk";
import { FileCode2, Play, Zap } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import type { WorkflowItem } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { runsQuery, useWaitingFor, workflowsQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Keys } from "../ui/keys.tsx";
import { useNow } from "../ui/now.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { useWayBack } from "../ui/way-back.ts";
import { ago } from "../ui/words.ts";
import { type Action, keysOf, NODES, useActionTable } from "./actions.ts";
import { closeOverlay } from "./overlays.ts";
import { useStartRun } from "./start-run.tsx";

export function Palette() {
  const { places, own } = useActionTable();
  const navigate = useNavigate();
  const start = useStartRun();
  const wayBack = useWayBack(true);
  const workflows = useQuery(workflowsQuery).data ?? [];
  const waitingFor = useWaitingFor();
  const runs = useInfiniteQuery(runsQuery({ limit: 50 })).data?.pages[0]?.items ?? [];
  const now = useNow();
  const [text, setText] = useState("");
  const go = (run: () => void) => () => {
    closeOverlay();
    run();
  };
  const headings = new Set([...places].reverse().map(({ name }) => name));
  const groups = byMatch(text, [
    // Several components may add entries under the same heading.
    ...[...headings].map((heading) => ({
      ...{ key: `place ${heading}`, heading },
      entries: places
        .filter(({ name }) => name === heading)
        .flatMap(({ actions }) => (heading === NODES ? typedFor(actions, text) : actions))
        .filter((action) => !action.disabled && !action.keysOnly)
        .map(
          (action): Entry => ({
            value: `${action.title} ${action.id}`,
            words: action.words,
            onSelect: go(action.run),
            children: (
              <>
                <Zap className="shrink-0 text-muted" />
                <span className="flex-1 truncate">{action.title}</span>
                <Shortcut keys={keysOf(action, own)} />
              </>
            ),
          }),
        ),
    })),
    {
      ...{ key: "workflows", heading: "Workflows" },
      entries: workflows.map(
        ({ path, name }): Entry => ({
          value: `${name} ${path} workflow`,
          onSelect: go(() => void navigate({ to: "/w/$path", params: { path } })),
          children: (
            <>
              <FileCode2 className="shrink-0 text-muted" />
              <span className="truncate">{name}</span>
              <span className="ml-auto truncate font-mono text-xs text-muted">{path}</span>
            </>
          ),
        }),
      ),
    },
    {
      ...{ key: "start", heading: "Run a workflow" },
      entries: startable(workflows, text).map(
        (item): Entry => ({
          value: `run ${item.name} ${item.path}`,
          words: "start execute",
          onSelect: go(() => start(item)),
          children: (
            <>
              <Play className="shrink-0 text-muted" />
              <span className="truncate">Run {item.name}</span>
              <span className="ml-auto truncate font-mono text-xs text-muted">{item.path}</span>
            </>
          ),
        }),
      ),
    },
    {
      ...{ key: "runs", heading: "Runs" },
      entries: runs.map(
        (run): Entry => ({
          value: `${run.workflow} ${run.status} ${run.id} run`,
          onSelect: go(() => void navigate({ to: "/runs/$id", params: { id: run.id } })),
          children: (
            <>
              <StateIcon status={run.status} waitingFor={waitingFor(run)} bare />
              <span className="truncate">{run.workflow}</span>
              <span className="truncate font-mono text-xs text-muted">{shortRunId(run.id)}</span>
              <span className="ml-auto shrink-0 text-xs text-muted">{ago(run.startedAt, now)}</span>
            </>
          ),
        }),
      ),
    },
  ]);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && closeOverlay()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={wayBack}
          className="fixed top-[10vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-panel shadow-2xl outline-none"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Command label="Command palette" loop filter={match}>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Go to a workflow, a run, or do something…"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-[14px] outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[56vh] overflow-auto p-1.5 [scroll-padding-block:8px]">
              <Command.Empty className="flex flex-col items-center gap-3 px-3 py-8 text-muted">
                No matches
                <Button onClick={go(() => void navigate({ to: "/runs", search: { text: text.trim() } }))}>
                  Search all runs for “{text.trim()}”
                </Button>
              </Command.Empty>
              {groups.map(({ key, heading, entries }) => (
                <Group key={key} heading={heading}>
                  {entries.map((entry) => (
                    <Item key={entry.value} {...entry} />
                  ))}
                </Group>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Excludes matches of single letters scattered within words. */
const scoreMin = 0.1;

function match(value: string, text: string, words?: string[]): number {
  const score = defaultFilter(value, text, words);
  return score < scoreMin ? 0 : score;
}

/** The group with the best match comes first. Without a query the order is unchanged. */
function byMatch<Group extends { entries: readonly Entry[] }>(text: string, groups: readonly Group[]): Group[] {
  if (text.trim() === "") return [...groups];
  const scores = ({ entries }: Group) => entries.map(({ value, words }) => match(value, text, words ? [words] : []));
  return groups
    .map((group) => ({ group, best: Math.max(0, ...scores(group)) }))
    .sort((one, other) => other.best - one.best)
    .map(({ group }) => group);
}

/** Workflows to run. A folder may have hundreds, so only matching ones are listed, or the first few after "run". */
function startable(workflows: readonly WorkflowItem[], text: string): readonly WorkflowItem[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const name = wanted.replace(/^(?:run|start|execute)\b\s*/, "");
  return workflows
    .filter((item) => item.errors === 0 && `${item.name} ${item.path}`.toLowerCase().includes(name))
    .slice(0, startableMax);
}

const startableMax = 20;
const nodesMax = 50;

/** A graph may have thousands of nodes. */
function typedFor(actions: readonly Action[], text: string): readonly Action[] {
  const wanted = text.toLowerCase();
  if (wanted === "") return [];
  return actions.filter(({ title, words }) => `${title} ${words}`.toLowerCase().includes(wanted)).slice(0, nodesMax);
}

/** Without entries there is no heading. */
function Group({ heading, children }: { heading: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface Entry {
  /** The text to match. Its beginning counts most. */
  value: string;
  words?: string | undefined;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ value, words, onSelect, children }: Entry) {
  return (
    <Command.Item
      value={value}
      keywords={words === undefined ? [] : [words]}
      onSelect={onSelect}
      className="flex h-8 items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-selected"
    >
      {children}
    </Command.Item>
  );
}

function Shortcut({ keys }: { keys: string | undefined }) {
  const first = keys?.split(" or ")[0];
  return first === undefined || first === "" ? null : <Keys keys={first} />;
}
