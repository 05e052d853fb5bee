// Sends finished runs as traces if OTEL_EXPORTER_OTLP_ENDPOINT is set (spec 2.4).
//   O3. Otherwise nothing of OpenTelemetry is loaded. Failures to send are logged,
//       and nothing waits for them (queue.ts).

import { limits } from "../../base/limits.ts";
import { isRunEnd } from "../../scheduler/event.ts";
import type { Store } from "../../store/index.ts";
import type { ServerContext, ServerPart } from "../context.ts";
import { TraceQueue } from "./queue.ts";
import { RunSpans, type SpanData } from "./spans.ts";

export const tracesPart: ServerPart = {
  name: "traces",
  start: async (context) => {
    const url = addressIn(context.env);
    if (url === undefined) return { close: async () => {} };
    const { send, shutdown } = await exporter(url, context);
    const { store, bus, log } = context;
    const queue = new TraceQueue({
      send: async (run) => send(await spansOfRun(run, store)),
      tell: (level, about, text) => log[level](about, text),
    });
    const end = bus.listen({
      onEvents: (events) => {
        for (const { event } of events) if (isRunEnd(event)) queue.add(event.run);
      },
    });
    return {
      close: async () => {
        end();
        const patience = new Promise<void>((resolve) => setTimeout(resolve, limits.serverCloseMs).unref());
        await Promise.race([queue.done().then(shutdown), patience]);
      },
    };
  },
};

/** As specified by OTLP: the endpoint for traces is used unchanged, the general one gets the path for traces. */
function addressIn(env: NodeJS.ProcessEnv): string | undefined {
  if (env.OTEL_SDK_DISABLED === "true") return undefined;
  if (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return base ? `${base.replace(/\/+$/, "")}/v1/traces` : undefined;
}

/** Read page by page, so that a run of millions of events needs little memory and does not block other work. */
async function spansOfRun(run: string, store: Store): Promise<SpanData[]> {
  let outermost = run;
  for (let depth = 0; depth <= limits.subflowDepthMax; depth++) {
    const row = await store.journal.findRun(outermost);
    if (!row.ok || row.value.parent === undefined) break;
    outermost = row.value.parent.run;
  }
  const spans = new RunSpans(outermost);
  for (let from = 1; ; from += limits.journalPageEvents) {
    const page = await store.journal.read(run, from, limits.journalPageEvents);
    if (!page.ok) return [];
    for (const event of page.value) spans.take(event);
    if (page.value.length < limits.journalPageEvents) return spans.made();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function exporter(url: string, { version }: ServerContext) {
  const [{ OTLPTraceExporter }, { detectResources, envDetector, resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const otlp = new OTLPTraceExporter({ url });
  const own = resourceFromAttributes({ "service.name": "curlew", "service.version": version });
  const resource = own.merge(detectResources({ detectors: [envDetector] }));
  const fixed = { ...NOTHING_MORE, resource, instrumentationScope: { name: "curlew", version } };
  const some = (spans: SpanData[]): Promise<void> =>
    new Promise((resolve, reject) =>
      otlp.export(
        spans.map((span) => ({ ...fixed, ...readable(span) })),
        ({ code, error }) => (Number(code) === 0 ? resolve() : reject(error ?? new Error("refused"))),
      ),
    );
  return {
    send: async (spans: SpanData[]) => {
      for (let at = 0; at < spans.length; at += SPANS_AT_ONCE) await some(spans.slice(at, at + SPANS_AT_ONCE));
    },
    shutdown: () => otlp.shutdown(),
  };
}

const SPANS_AT_ONCE = 512;
const NOTHING_MORE = {
  links: [],
  events: [],
  ended: true,
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
};
/** Constants of the specification: span kind internal, flag sampled, status ok and error. */
const [INTERNAL, SAMPLED, OK, ERROR] = [0, 1, 1, 2];

function readable({ name, traceId, spanId, parentId, startMs, endMs, attributes, error }: SpanData) {
  const context = (id: string) => ({ traceId, spanId: id, traceFlags: SAMPLED });
  return {
    name,
    kind: INTERNAL,
    spanContext: () => context(spanId),
    ...(parentId === undefined ? {} : { parentSpanContext: context(parentId) }),
    startTime: time(startMs),
    endTime: time(endMs),
    duration: time(Math.max(0, endMs - startMs)),
    attributes: error === undefined ? attributes : { ...attributes, "error.type": error },
    status: error === undefined ? { code: OK } : { code: ERROR, message: error },
  };
}

function time(ms: number): [number, number] {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
}
