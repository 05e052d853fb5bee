// Metrics for Prometheus: what the server did, and what is waiting (spec 2.4).
//   G1. Counters follow the bus: all events in this data directory from now on, from any process.
//   G2. prom-client is loaded at the first request. Earlier events are kept in short form and counted then.
// Names of workflows and nodes are not labels, because their number is unbounded.

import type { Histogram, Registry } from "prom-client";
import { limits } from "../base/limits.ts";
import type { Clock } from "../engine/clock.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { OPEN_STATUSES } from "../scheduler/statuses.ts";
import type { Store } from "../store/index.ts";
import type { EventBus } from "./events/event-bus.ts";

/** A name of WHAT, how it ended, and the seconds it took, where measured. */
type Seen = ["attempt" | "run" | "event", string, number];

const SECONDS = [0.005, 0.05, 0.25, 1, 5, 30, 120, 600, 3_600];
const LAG = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

interface Live {
  registry: Registry;
  count(seen: Seen): void;
}

export class Metrics {
  private seen: Seen[] = [];
  private live: Promise<Live> | undefined;
  private ready: Live | undefined;
  private readonly startedAtMs = new Map<string, number>();
  private readonly store: Store;
  private readonly clock: Clock;

  constructor(given: { store: Store; clock: Clock; bus: EventBus }) {
    this.store = given.store;
    this.clock = given.clock;
    given.bus.listen({
      onEvents: (events) => {
        for (const { event } of events) this.note(event);
      },
    });
  }

  /** In the Prometheus text format. */
  async text(): Promise<{ text: string; type: string }> {
    const { registry } = await this.loaded();
    return { text: await registry.metrics(), type: registry.contentType };
  }

  private note(event: RunEvent): void {
    const atMs = Date.parse(event.at);
    this.take(["event", event.type, Math.max(0, this.clock.nowMs() - atMs) / 1_000]);
    if (event.type === "run.started") this.startedAtMs.set(event.run, atMs);
    const [what, how = ""] = event.type.split(".");
    if (what === "attempt" && "end" in event) this.take(["attempt", how, event.end.durationMs / 1_000]);
    if (what === "run" && ENDS.has(how)) {
      const beganMs = this.startedAtMs.get(event.run);
      this.startedAtMs.delete(event.run);
      const ended = (fromMs: number): void => this.take(["run", how, Math.max(0, atMs - fromMs) / 1_000]);
      if (beganMs !== undefined) ended(beganMs);
      else void this.beganMs(event.run).then((fromMs = atMs) => ended(fromMs));
    }
  }

  private async beganMs(run: string): Promise<number | undefined> {
    const row = await this.store.journal.findRun(run);
    return row.ok ? Date.parse(row.value.startedAt) : undefined;
  }

  private take(seen: Seen): void {
    if (this.ready !== undefined) this.ready.count(seen);
    else if (this.seen.push(seen) > limits.figuresKept) void this.loaded();
  }

  /** G2. */
  private loaded(): Promise<Live> {
    this.live ??= this.load().then((live) => {
      for (const seen of this.seen.splice(0)) live.count(seen);
      this.ready = live;
      return live;
    });
    return this.live;
  }

  private async load(): Promise<Live> {
    const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import("prom-client");
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    // Without a measurement, these report 292 years or NaN.
    for (const name of ["min", "mean", "stddev"]) registry.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`);
    const registers = [registry];
    const labelNames = ["status"] as const;
    const { journal } = this.store;
    new Gauge({
      ...{ name: "curlew_runs", help: "Runs that have not ended, by status.", labelNames, registers },
      async collect() {
        const counts = await journal.openCounts();
        if (!counts.ok) return;
        for (const status of OPEN_STATUSES) this.set({ status }, 0);
        for (const { status, runs } of counts.value) this.inc({ status }, runs);
      },
    });
    new Gauge({
      ...{ name: "curlew_approvals_waiting", help: "Requests that are waiting for approval.", registers },
      async collect() {
        const counts = await journal.openCounts();
        if (counts.ok) this.set(counts.value.reduce((sum, { requests }) => sum + requests, 0));
      },
    });
    const events = new Counter({
      ...{ name: "curlew_events_total", help: "Events of the journal, by type.", labelNames: ["type"], registers },
    });
    const histogram = (name: string, help: string, buckets: number[]): Histogram<"status"> =>
      new Histogram({ name, help, buckets, labelNames, registers });
    const told = {
      run: histogram("curlew_run_duration_seconds", "Runs that ended, by how.", SECONDS),
      attempt: histogram("curlew_attempt_duration_seconds", "Attempts that ended, by how.", SECONDS),
    };
    const lag = new Histogram({
      ...{
        name: "curlew_event_lag_seconds",
        help: "Time from an event until subscribers received it.",
        buckets: LAG,
        registers,
      },
    });
    return {
      registry,
      count: ([what, how, seconds]) => {
        if (what !== "event") told[what].observe({ status: how }, seconds);
        else {
          events.inc({ type: how });
          lag.observe(seconds);
        }
      },
    };
  }
}

const ENDS = new Set(["succeeded", "failed", "cancelled", "timed-out"]);
