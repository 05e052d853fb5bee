// MachinesScreen: the machines of a cluster: state, runs, and last heartbeat, and which of them take runs (spec 6.2).
// A server of one machine has no such screen.

import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { RefreshCw, Server } from "lucide-react";
import { useState } from "react";
import { at } from "../../api/address.ts";
import type { MachineItem, Page } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { useActions } from "../app/actions.ts";
import { Screen } from "../app/screen.tsx";
import { ask } from "../client/api.ts";
import { keys, queryClient, sentence } from "../client/queries.ts";
import { Ago } from "../ui/ago.tsx";
import { Button, RowButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Empty } from "../ui/empty.tsx";
import { ConfirmDialog } from "../ui/form-dialog.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import type { Look } from "../ui/state.ts";
import { toast } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";

type Action = "drain" | "resume" | "forget";

/** No event tells about a heartbeat. */
const everyMs = 5000;

const machinesQuery = queryOptions({
  queryKey: keys.machines,
  queryFn: async ({ signal }) => (await ask<Page<MachineItem>>("/machines", { signal })).items,
  refetchInterval: everyMs,
});

async function decide(name: string, action: Action): Promise<void> {
  await ask(at("machines", name, action), { method: "POST" });
  await queryClient.invalidateQueries({ queryKey: keys.machines });
}

export function MachinesScreen() {
  const machines = useQuery(machinesQuery);
  const [forgotten, setForgotten] = useState<MachineItem>();
  const again = () => void machines.refetch();
  useActions("Machines", [{ id: "machines.again", title: "Look again", keys: "R", run: again }]);
  return (
    <Screen
      title="Machines"
      actions={
        <Button icon={<RefreshCw />} onClick={again}>
          Look again
        </Button>
      }
    >
      <QueryView query={machines} rows={4}>
        {(items) =>
          items.length === 0 ? (
            <Empty
              icon={<Server size={28} strokeWidth={1.5} />}
              title="No machines yet"
              docs={["explanation/many-machines", "Many machines"]}
            >
              A machine appears here when <code className="font-mono text-sm">curlew worker</code> or{" "}
              <code className="font-mono text-sm">curlew serve</code> starts on it.
            </Empty>
          ) : (
            <Panel title={count(items.length, "machine")}>
              <ul>
                {items.map((item) => (
                  <MachineRow
                    key={item.name}
                    item={item}
                    seenAt={machines.dataUpdatedAt - item.silentMs}
                    onForget={() => setForgotten(item)}
                  />
                ))}
              </ul>
            </Panel>
          )
        }
      </QueryView>
      {forgotten !== undefined && <ForgetDialog item={forgotten} onClose={() => setForgotten(undefined)} />}
    </Screen>
  );
}

const STATES: Record<MachineItem["state"], { look: Look; title: string }> = {
  live: { look: "succeeded", title: "It takes runs." },
  draining: { look: "waiting", title: "It takes no new runs." },
  silent: { look: "failed", title: "Its lease is over, and it has not said that it ends." },
  dead: { look: "cancelled", title: "Other machines take its runs over." },
  left: { look: "skipped", title: "It ended in order." },
};

interface MachineRowProps {
  item: MachineItem;
  /** By the clock of this browser, in milliseconds. */
  seenAt: number;
  onForget: () => void;
}

function MachineRow({ item, seenAt, onForget }: MachineRowProps) {
  const { name, labels, version, state, runs, slots } = item;
  const shown = visibleLine(name);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0 md:grid-cols-[minmax(0,1fr)_88px_260px_88px]">
      <div className="min-w-0">
        <h3 className="truncate font-mono text-sm font-semibold" title={shown}>
          {shown}
        </h3>
        {labels.length > 0 && (
          <ul aria-label={`Labels of ${shown}`} className="mt-1 flex flex-wrap gap-1">
            {labels.map((label) => (
              <li key={label} className="max-w-full">
                <Chip>{visibleLine(label)}</Chip>
              </li>
            ))}
          </ul>
        )}
      </div>
      <span title={STATES[state].title} className="justify-self-end md:justify-self-start">
        <Chip look={STATES[state].look}>{state}</Chip>
      </span>
      <p className="min-w-0 text-sm text-muted">
        {count(runs, "run")}, {count(slots, "slot")} · version{" "}
        <span className="break-words">{visibleLine(version)}</span>
        <br />
        last heartbeat <Ago at={new Date(seenAt).toISOString()} />
      </p>
      <Decision item={item} onForget={onForget} />
    </li>
  );
}

/** A machine whose lease is valid can only be drained. */
function Decision({ item: { name, state, runs }, onForget }: Pick<MachineRowProps, "item" | "onForget">) {
  const drains = state === "live";
  const change = useMutation({
    mutationFn: () => decide(name, drains ? "drain" : "resume"),
    onSuccess: () => toast(drains ? `${name} takes no new runs` : `${name} takes runs again`),
    onError: (error) => toast(sentence(error)),
  });
  const own = { of: visibleLine(name), className: "justify-self-end" };
  if (state === "live" || state === "draining")
    return (
      <RowButton {...own} text={drains ? "Drain" : "Resume"} busy={change.isPending} onClick={() => change.mutate()} />
    );
  return state !== "silent" && runs === 0 ? null : <RowButton {...own} text="Forget" onClick={onForget} />;
}

/** Says what is decided: the machine cannot be asked any more. */
function ForgetDialog({ item: { name, runs }, onClose }: { item: MachineItem; onClose: () => void }) {
  const shown = visibleLine(name);
  const waits = `${count(runs, "run")} no longer ${runs === 1 ? "waits" : "wait"}`;
  const follows = runs === 0 ? "It has no runs." : `Its ${waits} for it and can continue on other machines.`;
  const forget = async () => {
    await decide(name, "forget");
    toast(`Forgot ${shown}`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Forget ${shown}?`}
      description={`Do this only if ${shown} does not come back, or if its commands have ended. ${follows}`}
      action="Forget"
      onConfirm={forget}
      onClose={onClose}
    >
      <p className="text-sm text-muted">
        A command that was running there counts as lost, although it may still be at work. The node fails or runs again,
        as its <code className="font-mono">onLost</code> says.
      </p>
    </ConfirmDialog>
  );
}
