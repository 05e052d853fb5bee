// The inbox for webhook deliveries: each is stored, then acknowledged, then becomes a run (spec 2.5, 4.3).
//   I1. A delivery is acknowledged only after it is stored with the id of its run. A killed
//       server neither loses nor repeats it.
//   I2. Deliveries of a hook start in order of arrival. At most
//       limits.triggerRunsAtOnce of their runs are active at once.
//   I3. A replay is a new delivery with the same body, for the current version of the workflow or for another workflow.

import type { DeliveryStatus } from "../../api/shapes.ts";
import type { Log } from "../../app/log.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import type { RunHandle } from "../../engine/contract.ts";
import type { DeliveryRow, NewDelivery, ServerStore, StoreError } from "../../store/index.ts";
import { mayStartLater, type StartAsk } from "../triggers/starting.ts";
import { eventText } from "./event.ts";
import { deliveryText } from "./headers.ts";

export interface InboxDeps {
  store: ServerStore;
  log: Log;
  newRunId(): string;
  start(ask: StartAsk): Promise<Result<RunHandle | undefined, Failure>>;
  tell(id: string, hook: string, status: DeliveryStatus): void;
  isOthers(file: string): boolean;
}

export class Inbox {
  private readonly deps: InboxDeps;
  /** Deliveries that are not yet runs, by hook, oldest first. */
  private readonly open = new Map<string, DeliveryRow[]>();
  private readonly busy = new Set<string>();
  private readonly running = new Map<string, number>();
  private again: NodeJS.Timeout | undefined;
  /** Deliveries that were settled while the store was asked for the open ones. */
  private settled = new Set<string>();
  private closed = false;

  constructor(deps: InboxDeps) {
    this.deps = deps;
  }

  /** Starts runs for deliveries that an earlier server, or another one of the cluster, acknowledged. */
  async begin(): Promise<void> {
    this.settled = new Set();
    const open = await this.deps.store.deliveries.open();
    if (!open.ok) {
      this.later(open.error.code);
      return;
    }
    const isOurs = ({ id, file }: DeliveryRow) => !this.settled.has(id) && !this.deps.isOthers(file);
    for (const row of open.value.filter(isOurs)) this.add(row);
    this.dispatch();
  }

  /** The number of the hook's deliveries that are not yet runs. */
  waiting(hook: string): number {
    return this.open.get(hook)?.length ?? 0;
  }

  /** I1. `again`: the delivery was already known. */
  async receive(delivery: NewDelivery): Promise<Result<{ row: DeliveryRow; again: boolean }, StoreError>> {
    const received = await this.deps.store.deliveries.receive(delivery);
    if (!received.ok) return received;
    const { row, again } = received.value;
    this.deps.tell(row.id, row.hook, again ? "duplicate" : row.status);
    if (row.status === "received" && !again) {
      this.add(row);
      setImmediate(() => this.dispatch());
    }
    return received;
  }

  async refuse(delivery: Omit<DeliveryRow, "n" | "status" | "id"> & { reason: string }): Promise<void> {
    const refused = await this.deps.store.deliveries.refuse({ ...delivery, id: this.deps.newRunId() });
    if (refused.ok) this.deps.tell(refused.value.id, delivery.hook, "refused");
  }

  /** I3. Undefined if there is no such delivery, or its body was not kept. */
  async replay(id: string, nowMs: number, file?: string): Promise<Result<DeliveryRow | undefined, StoreError>> {
    const found = await this.deps.store.deliveries.find(id);
    if (!found.ok) return found;
    const { value: row } = found;
    if (row?.body === undefined) return ok(undefined);
    const received = await this.receive({
      ...{ id: this.deps.newRunId(), run: this.deps.newRunId(), hook: row.hook, file: file ?? row.file },
      ...{ receivedAt: new Date(nowMs).toISOString(), headers: row.headers ?? {}, query: row.query ?? {} },
      ...{ body: row.body, replayOf: row.id },
      senderId: row.senderId,
    });
    return received.ok ? ok(received.value.row) : received;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.again);
  }

  private add(row: DeliveryRow): void {
    const rows = this.open.get(row.hook) ?? [];
    if (rows.some(({ id }) => id === row.id)) return;
    // I2. The store's answers may change places.
    this.open.set(
      row.hook,
      [...rows, row].sort((a, b) => a.n - b.n),
    );
  }

  private dispatch(): void {
    if (this.closed) return;
    for (const [hook, rows] of this.open) {
      const [row] = rows;
      const isFull = (this.running.get(hook) ?? 0) >= limits.triggerRunsAtOnce;
      if (row !== undefined && !this.busy.has(hook) && !isFull) void this.start(hook, row);
    }
  }

  private async start(hook: string, row: DeliveryRow): Promise<void> {
    this.busy.add(hook);
    try {
      const begun = await this.startRun(row);
      if (this.closed) return;
      if (!begun.ok && mayStartLater(begun.error.code)) return this.later(begun.error.code);
      const status = begun.ok ? "started" : "failed";
      const reason = begun.ok ? undefined : begun.error.message;
      const settled = await this.deps.store.deliveries.settle(row.id, status, reason);
      if (!settled.ok) return this.later(settled.error.code);
      this.settled.add(row.id);
      const left = this.open.get(hook)?.filter(({ id }) => id !== row.id);
      this.open.set(hook, left ?? []);
      this.deps.tell(row.id, hook, status);
      if (begun.ok && begun.value !== undefined) this.follow(hook, begun.value);
      if (!begun.ok)
        this.deps.log.warn({ hook, delivery: row.id, code: begun.error.code }, "a delivery started no run");
      setImmediate(() => this.dispatch());
    } finally {
      this.busy.delete(hook);
    }
  }

  private async startRun(row: DeliveryRow): Promise<Result<RunHandle | undefined, Failure>> {
    const found = await this.deps.store.deliveries.find(row.id);
    if (!found.ok) return found;
    const { body, headers = {}, query } = found.value ?? {};
    const event = eventText(body ?? new Uint8Array(), headers["content-type"]);
    const delivery = deliveryText(row, { headers, query });
    return this.deps.start({
      run: row.run ?? "",
      file: row.file,
      startedBy: { kind: "webhook", by: row.hook, at: row.receivedAt },
      ...{ event, delivery },
    });
  }

  private follow(hook: string, handle: RunHandle): void {
    this.running.set(hook, (this.running.get(hook) ?? 0) + 1);
    const over = (): void => {
      this.running.set(hook, (this.running.get(hook) ?? 1) - 1);
      this.dispatch();
    };
    handle.done.then(over, over);
  }

  private later(code: string): void {
    this.deps.log.error({ code }, "the store does not respond; Curlew will check deliveries again");
    clearTimeout(this.again);
    this.again = setTimeout(() => void this.begin(), limits.triggerAgainMs).unref();
  }
}
