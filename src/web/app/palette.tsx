// Palette: everything by typing (spec ui 6.2.10): the actions of this place with their keys, workflows, runs, and what places add.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { FileCode2, Zap } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { shortRunId } from "../../base/ids.ts";
import { runsQuery, workflowsQuery } from "../client/queries.ts";
import { useWaitingFor } from "../client/waits.ts";
import { Keys } from "../ui/keys.tsx";
import { useNow } from "../ui/now.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { ago } from "../ui/words.ts";
import { type Action, keysOf, useActionTable } from "./actions.ts";
import { NODES } from "./node-actions.ts";
import { closeOverlay, takeTypedAhead } from "./overlays.ts";

export function Palette() {
  const { places, own } = useActionTable();
  const navigate = useNavigate();
  const workflows = useQuery(workflowsQuery).data ?? [];
  const waitingFor = useWaitingFor();
  const runs = useInfiniteQuery(runsQuery({ limit: 50 })).data?.pages[0]?.items ?? [];
  const now = useNow();
  const [text, setText] = useState("");
  // In front of what is typed into its field, which has the focus from the first moment.
  const takeAhead = () => {
    const ahead = takeTypedAhead();
    setText((typed) => typed + ahead);
  };
  const go = (run: () => void) => () => {
    closeOverlay();
    run();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && closeOverlay()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[10vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-panel shadow-2xl outline-none"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Command label="Command palette" loop>
            <Command.Input
              value={text}
              onValueChange={setText}
              onFocus={takeAhead}
              placeholder="Go to a workflow, a run, or do something…"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-[14px] outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[56vh] overflow-auto p-1.5 [scroll-padding-block:8px]">
              <Command.Empty className="px-3 py-8 text-center text-muted">Nothing matches.</Command.Empty>
              {[...places].reverse().map(({ name, actions }) => (
                <Group key={name} heading={name}>
                  {(name === NODES ? typedFor(actions, text) : actions)
                    .filter((action) => !action.disabled && !action.keysOnly)
                    .map((action) => (
                      <Item
                        key={action.id}
                        value={`${action.id} ${action.title}`}
                        words={action.words}
                        onSelect={go(action.run)}
                      >
                        <Zap size={14} aria-hidden="true" className="shrink-0 text-muted" />
                        <span className="flex-1 truncate">{action.title}</span>
                        <Shortcut keys={keysOf(action, own)} />
                      </Item>
                    ))}
                </Group>
              ))}
              <Group heading="Workflows">
                {workflows.map(({ path, name }) => (
                  <Item
                    key={path}
                    value={`workflow ${path} ${name}`}
                    onSelect={go(() => void navigate({ to: "/w/$path", params: { path } }))}
                  >
                    <FileCode2 size={14} aria-hidden="true" className="shrink-0 text-muted" />
                    <span className="truncate">{name}</span>
                    <span className="ml-auto truncate font-mono text-xs text-muted">{path}</span>
                  </Item>
                ))}
              </Group>
              <Group heading="Runs">
                {runs.map((run) => (
                  <Item
                    key={run.id}
                    value={`run ${run.id} ${run.workflow} ${run.status}`}
                    onSelect={go(() => void navigate({ to: "/runs/$id", params: { id: run.id } }))}
                  >
                    <StateIcon status={run.status} waitingFor={waitingFor(run)} bare />
                    <span className="truncate">{run.workflow}</span>
                    <span className="truncate font-mono text-xs text-muted">{shortRunId(run.id)}</span>
                    <span className="ml-auto shrink-0 text-xs text-muted">{ago(run.startedAt, now)}</span>
                  </Item>
                ))}
              </Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const nodesMax = 50;

/** A drawing may have thousands. */
function typedFor(actions: readonly Action[], text: string): readonly Action[] {
  const wanted = text.toLowerCase();
  if (wanted === "") return [];
  return actions.filter(({ title, words }) => `${title} ${words}`.toLowerCase().includes(wanted)).slice(0, nodesMax);
}

/** Nothing in it, no heading. */
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

interface ItemProps {
  value: string;
  words?: string | undefined;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ value, words, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      {...(words === undefined ? {} : { keywords: [words] })}
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
