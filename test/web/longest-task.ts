// longest-task: how long a page was held up at most, counted in time of the processor, which is the same on a machine that is busy.

import type { Page } from "playwright-core";

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  args?: { name?: string };
  /** Of the thread's processor time, in microseconds. */
  tdur?: number;
}

/** Milliseconds of the longest task of a main thread of this browser while `work` goes on. */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["toplevel"] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter((event) => event.name === "thread_name" && event.args?.name === "CrRendererMain");
  const isOfPage = ({ pid, tid }: TraceEvent) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  const tasks = traceEvents.filter((event) => event.name === "ThreadControllerImpl::RunTask" && isOfPage(event));
  if (tasks.length === 0) throw new Error("The trace of the browser holds no task of a page.");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}
