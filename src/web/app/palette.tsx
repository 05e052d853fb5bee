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
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { Keys } from "../ui/keys.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { useWayBack } from "../ui/way-back.ts";
import { type Action, keysOf, NODES, useActionTable } from "./actions.ts";
import { closeOverlay } from "./overlays.ts";
import { useStartRun } from "./start-run.tsx";

interface Entry {
  /** The text to match. Its beginning counts most. */
  value: string;
  words?: string;
  icon: ReactNode;
  label: string;
  detail: ReactNode;
  run: () => void;
}

interface Group {
  heading: string;
  entries: Entry[];
}

export function Palette() {
  const navigate = useNavigate();
  const wayBack = useWayBack(true);
  const [text, setText] = useState("");
  const actions = useActionGroups(text);
  const places = usePlaceGroups(text);
  const choose = (run: () => void) => () => {
    closeOverlay();
    run();
  };
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
              className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[56vh] overflow-auto p-1.5 [scroll-padding-block:8px]">
              <Command.Empty className="flex flex-col items-center gap-3 px-3 py-8 text-muted">
                No matches
                <Button onClick={choose(() => void navigate({ to: "/runs", search: { text: text.trim() } }))}>
                  Search all runs for “{text.trim()}”
                </Button>
              </Command.Empty>
              {byMatch(text, [...actions, ...places]).map(({ heading, entries }) => (
                <Command.Group
                  key={heading}
                  heading={heading}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
                >
                  {entries.map(({ value, words, icon, label, detail, run }) => (
                    <Command.Item
                      key={value}
                      value={value}
                      keywords={words === undefined ? [] : [words]}
                      onSelect={choose(run)}
                      className="flex h-8 items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-selected"
                    >
                      <span className="shrink-0 text-muted">{icon}</span>
                      <span className="flex-1 truncate">{label}</span>
                      <span className="truncate text-xs text-muted">{detail}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The actions of this screen, by heading. Several components may add actions under the same heading. */
function useActionGroups(text: string): Group[] {
  const { places, own } = useActionTable();
  const headings = new Set([...places].reverse().map(({ name }) => name));
  return [...headings].map((heading) => ({
    heading,
    entries: places
      .filter(({ name }) => name === heading)
      .flatMap(({ actions }) => (heading === NODES ? typedFor(actions, text) : actions))
      .filter((action) => !action.disabled && !action.keysOnly)
      .map((action) => {
        const keys = keysOf(action, own)?.split(" or ")[0];
        return {
          value: `${action.title} ${action.id}`,
          words: action.words,
          icon: <Zap />,
          label: action.title,
          detail: keys && <Keys keys={keys} />,
          run: action.run,
        };
      }),
  }));
}

/** Workflows to open, workflows to run, and recent runs. */
function usePlaceGroups(text: string): Group[] {
  const navigate = useNavigate();
  const start = useStartRun();
  const waitingFor = useWaitingFor();
  const workflows = useQuery(workflowsQuery).data ?? [];
  const runs = useInfiniteQuery(runsQuery({ limit: 50, tests: false })).data?.pages[0]?.items ?? [];
  return [
    {
      heading: "Open a workflow",
      entries: workflows.map(({ path, name }) => ({
        value: `${name} ${path} workflow`,
        icon: <FileCode2 />,
        label: name,
        detail: <code>{path}</code>,
        run: () => void navigate({ to: "/w/$path", params: { path } }),
      })),
    },
    {
      heading: "Run a workflow",
      entries: startable(workflows, text).map((item) => ({
        value: `run ${item.name} ${item.path}`,
        words: "start execute",
        icon: <Play />,
        label: `Run ${item.name}`,
        detail: <code>{item.path}</code>,
        run: () => start(item),
      })),
    },
    {
      heading: "Recent runs",
      entries: runs.map((run) => ({
        value: `${run.workflow} ${run.status} ${run.id} run`,
        icon: <StateIcon status={run.status} waitingFor={waitingFor(run)} bare />,
        label: run.workflow,
        detail: (
          <>
            <code>{shortRunId(run.id)}</code> <Ago at={run.startedAt} />
          </>
        ),
        run: () => void navigate({ to: "/runs/$id", params: { id: run.id } }),
      })),
    },
  ];
}

/** Excludes matches of single letters scattered within words. */
const scoreMin = 0.1;

function match(value: string, text: string, words?: string[]): number {
  const score = defaultFilter(value, text, words);
  return score < scoreMin ? 0 : score;
}

/** Groups with entries, the one with the best match first. Without a query the order is unchanged. */
function byMatch(text: string, groups: readonly Group[]): Group[] {
  const shown = groups.filter(({ entries }) => entries.length > 0);
  if (text.trim() === "") return shown;
  const best = ({ entries }: Group) =>
    Math.max(...entries.map(({ value, words }) => match(value, text, words === undefined ? [] : [words])));
  return shown
    .map((group) => ({ group, score: best(group) }))
    .sort((one, other) => other.score - one.score)
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
