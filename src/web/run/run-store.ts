// run-store: the state of a run page: the model, the chosen iterations, and the moment being viewed (spec ui 6.4).
//   T1. Events are applied in batches. The next batch waits four times as long as the last one took, so that rendering
//       keeps up.
//   T2. To view a moment, the run is folded again from the first event (scheduler/state.ts S1). Moving forward
//       continues the fold.
//   T3. The first read may take seconds. Nothing is shown before it is complete, so that no old state looks current.

import { createContext, useContext, useEffect, useState } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import type { Problem } from "../../api/shapes.ts";
import { ownProblem } from "../client/api.ts";
import { followRun, type RunEvents } from "../client/run-events.ts";
import type { Chosen } from "./overlay.ts";
import { RunModel } from "./run-model.ts";

export interface RunPage {
  id: string;
  /** T3. Absent until the events so far have been read. */
  model: RunModel | undefined;
  /** Changes whenever `model`, a mutable object, changes. */
  version: number;
  read: number;
  problem: Problem | undefined;
  chosen: Chosen;
  nowMs: number;
  /** The moment being viewed, and the run as it was then. */
  moment: { atMs: number; model: RunModel } | undefined;
}

export type RunStore = StoreApi<RunPage> & {
  /** Without a pass, the newest is shown again. */
  choosePass(loop: string, pass: number | undefined): void;
  showPath(path: string): void;
  /** Undefined: back to now. */
  lookAt(atMs: number | undefined): void;
  end(): void;
};

export const RunContext = createContext<RunStore | undefined>(undefined);

export function openRun(id: string): RunStore {
  const store = createStore<RunPage>(() => ({
    ...{ id, model: undefined, version: 0, read: 0, problem: undefined },
    ...{ chosen: new Map(), nowMs: Date.now(), moment: undefined },
  }));
  let followed: RunEvents | undefined;
  let model: RunModel | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = 0;
  const leave = followRun(id, (state) => {
    followed = state;
    timer ??= setTimeout(take, pauseMs);
  });
  const ticker = setInterval(tick, 500);
  return Object.assign(store, { choosePass, showPath, lookAt, end });

  /** T1. */
  function take(): void {
    timer = undefined;
    if (followed === undefined) return;
    const before = performance.now();
    const { events, loaded, problem } = followed;
    const [first] = events;
    if (model === undefined && first !== undefined) model = RunModel.begin(first);
    if (model !== undefined) model.apply(events.slice(model.seq));
    const isDamaged = first !== undefined && model === undefined;
    const [read, version] = [events.length, store.getState().version + 1];
    const shown = { model: loaded ? model : undefined, problem: isDamaged ? damaged(id) : problem };
    store.setState({ ...shown, read, version, nowMs: Date.now() });
    pauseMs = loaded ? Math.min(1_000, Math.max(16, (performance.now() - before) * 4)) : 0;
  }

  /** Only active nodes have a running clock. */
  function tick(): void {
    const { model } = store.getState();
    if (model !== undefined && !model.isOver) store.setState({ nowMs: Date.now() });
  }

  function choosePass(loop: string, pass: number | undefined): void {
    store.setState(({ chosen }) => {
      const others = [...chosen].filter(([path]) => path !== loop);
      return { chosen: new Map(pass === undefined ? others : [...others, [loop, pass]]) };
    });
  }

  function showPath(path: string): void {
    const { model, chosen } = store.getState();
    if (model !== undefined && path.includes("[")) store.setState({ chosen: model.loops.choicesFor(path, chosen) });
  }

  /** T2. */
  function lookAt(atMs: number | undefined): void {
    const { model, moment } = store.getState();
    if (model === undefined || atMs === undefined) {
      store.setState({ moment: undefined });
      return;
    }
    const seq = Math.max(1, lastBefore(model, atMs));
    const from = moment !== undefined && moment.model.seq <= seq ? moment.model : model.rewound();
    from.apply(model.events.slice(from.seq, seq));
    store.setState({ moment: { atMs, model: from } });
  }

  function end(): void {
    leave();
    clearTimeout(timer);
    clearInterval(ticker);
  }
}

const damaged = (run: string) =>
  ownProblem("record-damaged", "The workflow of this run can't be read any more", {
    hint: `Its events are kept: curlew runs show ${run} --json`,
  });

/** `seq` of the last event up to a time. */
function lastBefore({ events }: RunModel, atMs: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(events[middle]!.at) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One store per run and page. It ends with the page. */
export function useRunOf(id: string | undefined): RunStore | undefined {
  const [store, setStore] = useState<RunStore>();
  useEffect(() => {
    if (id === undefined) return;
    const opened = openRun(id);
    setStore(opened);
    return () => opened.end();
  }, [id]);
  return store?.getState().id === id ? store : undefined;
}

export function useRunStore(): RunStore {
  const store = useContext(RunContext);
  if (store === undefined) throw new Error("outside of a run");
  return store;
}

export function useRunPage<Picked>(pick: (page: RunPage) => Picked): Picked {
  return useStore(useRunStore(), pick);
}

/** The run as displayed: now, or at the chosen moment. Renders again on every change. */
export function useShownRun(): { model: RunModel; nowMs: number; isPast: boolean } {
  const model = useRunPage((page) => page.moment?.model ?? page.model);
  useRunPage((page) => (page.moment === undefined ? page.version : page.moment.model.seq));
  const isPast = useRunPage((page) => page.moment !== undefined);
  const nowMs = useRunPage((page) => page.moment?.atMs ?? page.nowMs);
  if (model === undefined) throw new Error("no run yet");
  return { model, nowMs, isPast };
}
