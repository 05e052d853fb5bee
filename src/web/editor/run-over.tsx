// run-over: the run whose states the editor shows: its overlay on the canvas, its chip in the bar, and the bar that
// leads from a failure to the retry. The URL names the run (`?run=`).
//   O1. The document may have changed since the run. Edited nodes are marked, and nodes that the run did not have show
//       their design.
//   O2. A retry from here runs the file as it is now (run/changes.ts C1).

import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { RotateCcw, Wrench, X } from "lucide-react";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { at } from "../../api/address.ts";
import { shortRunId } from "../../base/ids.ts";
import { useActions } from "../app/actions.ts";
import type { CanvasEdge } from "../canvas/model.ts";
import { ask } from "../client/api.ts";
import { sentence } from "../client/queries.ts";
import {
  changesBetween,
  changesWords,
  type FileChanges,
  NO_CHANGES,
  recordedWorkflow,
  retryFrom,
} from "../run/changes.ts";
import { FailureBrief } from "../run/failure-card.tsx";
import { carriedIn, OverlayMaker } from "../run/overlay.ts";
import { idOf } from "../run/paths.ts";
import type { RunModel } from "../run/run-model.ts";
import type { RunPage } from "../run/run-store.ts";
import { retryRun } from "../run/use-actions.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { LOOKS, styleOfState, wordOf } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { toast } from "../ui/toast.tsx";
import type { Bench } from "./bench.ts";

type Shown = Pick<RunPage, "model" | "version" | "chosen" | "nowMs">;

const NO_RUN = createStore<Shown>(() => ({ model: undefined, version: 0, chosen: new Map(), nowMs: 0 }));

/** The run as it is now. Renders again on every change of it. */
export function useRunOver({ run }: Pick<Bench, "run">): Shown {
  return useStore(run ?? NO_RUN) as Shown;
}

/** O1. The edits since the run. */
export function useEdits({ state }: Pick<Bench, "state">, model: RunModel | undefined): FileChanges {
  const { workflow } = state.readable.parsed;
  return useMemo(
    () => (model === undefined ? NO_CHANGES : changesBetween(recordedWorkflow(model.started), workflow)),
    [model, workflow],
  );
}

/** The overlay of the canvas, and the data of its edges. Undefined without a run. */
export function useOverlay(bench: Bench) {
  const { run } = bench;
  const { model, version, chosen, nowMs } = useRunOver(bench);
  const { nodes } = useEdits(bench, model);
  const [maker] = useState(() => new OverlayMaker());
  const edited = useMemo(() => new Set(nodes.map(({ id }) => id)), [nodes]);
  const onPass = useCallback(
    (loop: string, pass: number) => run?.choosePass(model?.loops.shownPath(loop, chosen) ?? loop, pass),
    [run, model, chosen],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model is one object that changes; its version says so.
  return useMemo(
    () =>
      model && {
        overlay: maker.make(model, chosen, nowMs, onPass, edited),
        carried: (edge: CanvasEdge) => carriedIn(model, chosen, edge),
      },
    [maker, model, version, chosen, nowMs, onPass, edited],
  );
}

/** "Run 1m83 failed · 2 min ago", with a cross that removes the states from the canvas. */
export function RunChip({ bench }: { bench: Bench }) {
  const { model } = useRunOver(bench);
  if (model === undefined) return null;
  const { status, waitingFor, endedAt, started } = model;
  const look = LOOKS[styleOfState(status, waitingFor)];
  return (
    <span
      className={classes(
        "inline-flex h-6 min-w-0 items-center rounded-full border text-xs @min-[26rem]:shrink-0 @max-[16rem]:hidden",
        look.border,
      )}
    >
      <Link
        to="/runs/$id"
        params={{ id: started.run }}
        title="Open the run"
        className={classes("flex min-w-0 items-center gap-1 rounded-full pl-2 hover:underline", look.text)}
      >
        <StateIcon status={status} waitingFor={waitingFor} bare="silent" size={12} />
        <span className="truncate">
          {nameOf(model)} <span className="@max-[24rem]:sr-only">{wordOf(status, waitingFor)}</span>
        </span>
        <span className="whitespace-nowrap @max-[30rem]:hidden">
          {endedAt !== undefined && (
            <>
              · <Ago at={endedAt} />
            </>
          )}
        </span>
      </Link>
      <RemoveStates bench={bench} label="Remove the states of this run" />
    </span>
  );
}

/** "Run 1m83", "Test of Publish the report". */
function nameOf({ started, graph }: RunModel): string {
  const { only, run } = started;
  if (only === undefined) return `Run ${shortRunId(run)}`;
  const id = idOf(only.node ?? only.to ?? "");
  const title = graph.nodes[graph.indexOf.get(id) ?? -1]?.node.data.title ?? id;
  return only.node === undefined ? `Run to ${title}` : `Test of ${title}`;
}

export function useCancel({ runId }: Bench) {
  return useMutation({
    mutationFn: () => ask<void>(at("runs", runId ?? "", "cancel"), { method: "POST" }),
    onError: (reason) => toast(sentence(reason)),
  });
}

/** Over the canvas: where a failed run can be retried, or where a waiting one is approved. */
export function RunBar({ bench }: { bench: Bench }) {
  const { model } = useRunOver(bench);
  const edits = useEdits(bench, model);
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: async (from: string) => {
      await bench.save();
      return retryRun(model?.started.run ?? "", { from, current: true });
    },
    // The retry of a subflow is one of the outer run.
    onSuccess: ({ id }) =>
      model?.started.trigger.kind === "subflow"
        ? void navigate({ to: "/runs/$id", params: { id } })
        : bench.started(id),
    onError: (reason) => toast(sentence(reason)),
  });
  const from = model === undefined ? "" : retryFrom(model, edits);
  const retryNow = () => bench.whenValid(() => retry.isPending || retry.mutate(from));
  const canRetry = model?.failure !== undefined && model.isOver && model.started.only === undefined;
  useActions("Editor", [
    {
      id: "editor.retry",
      title: "Retry the failed run",
      keys: "Shift+R",
      words: "again fix",
      disabled: !canRetry,
      run: retryNow,
    },
    {
      id: "editor.states",
      title: "Remove the states of the run",
      disabled: model === undefined,
      run: () => bench.showRun(undefined),
    },
  ]);
  if (model === undefined) return null;
  const [asking] = model.waiting();
  if (asking !== undefined && !model.isOver)
    return (
      <Bar bench={bench} label="Approval">
        <StateIcon status="waiting" bare="silent" />
        <span className="min-w-0 truncate">
          <strong className="font-semibold">{titleAt(model, asking.path)}</strong> waits for your approval
        </span>
        <Button kind="primary" size="small" onClick={() => bench.show("run")}>
          Review
        </Button>
      </Bar>
    );
  const { failure, started } = model;
  if (failure === undefined || !canRetry) return null;
  const isChanged = edits.nodes.length + edits.others.length > 0;
  return (
    <Bar bench={bench} label="Fixing a run">
      <Wrench size={14} className="shrink-0 text-waiting" aria-hidden="true" />
      <span className="flex min-w-0 gap-1 whitespace-nowrap">
        <span className="@max-[32rem]:hidden">Fixing run {shortRunId(started.run)} ·</span>
        <button
          type="button"
          title="Show the failed node"
          className="min-w-0 truncate font-semibold underline decoration-muted underline-offset-2"
          onClick={() => {
            bench.run?.showPath(failure.path);
            bench.showNode(idOf(failure.path));
            bench.openInspector();
          }}
        >
          {isChanged ? changesWords(edits) : titleAt(model, failure.path)}
        </button>
        <span>{isChanged ? "changed" : "failed"}</span>
      </span>
      <Button
        kind="primary"
        size="small"
        icon={<RotateCcw size={13} />}
        shortcut="Shift+R"
        busy={retry.isPending}
        onClick={retryNow}
      >
        Retry from {idOf(from) === idOf(failure.path) ? "here" : titleAt(model, from)}
      </Button>
    </Bar>
  );
}

/** Why the selected node failed, above its fields. */
export function FailedNode({ bench }: { bench: Bench }) {
  const { model, chosen } = useRunOver(bench);
  const [id, ...others] = bench.selected;
  const path = id === undefined || others.length > 0 ? undefined : model?.loops.shownPath(id, chosen);
  const node = path === undefined ? undefined : model?.node(path);
  if (model === undefined || node === undefined) return null;
  return <FailureBrief {...{ model, node }} className="max-h-1/3 shrink-0 overflow-y-auto border-b border-line p-4" />;
}

/** In the middle of the canvas, beside a drawer. In narrow windows, its cross replaces that of the chip. */
function Bar({ bench, label, children }: { bench: Bench; label: string; children: ReactNode }) {
  const { view, hasCanvas, frame } = bench;
  return (
    <div
      style={{ right: frame.covered }}
      className={classes(
        "pointer-events-none @container absolute left-0 z-10 flex justify-center px-3",
        view === "source" || !hasCanvas ? "bottom-4" : "top-20",
      )}
    >
      <section
        aria-label={label}
        className="pointer-events-auto flex min-w-0 items-center gap-2.5 rounded-lg border border-waiting bg-node py-1.5 pr-2 pl-3 shadow-lg"
      >
        {children}
        <RemoveStates bench={bench} label="Close, and remove the states" />
      </section>
    </div>
  );
}

function RemoveStates({ bench, label }: { bench: Bench; label: string }) {
  return (
    <IconButton
      size="small"
      label={label}
      icon={<X size={13} aria-hidden="true" />}
      onClick={() => bench.showRun(undefined)}
    />
  );
}

function titleAt(model: RunModel, path: string): string {
  return model.node(path)?.title ?? idOf(path);
}
