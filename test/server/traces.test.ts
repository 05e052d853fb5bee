// Runs as traces, received by a real OTLP server over HTTP (spec 2.4).

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { StartedRun } from "../../src/api/shapes.ts";
import { inARow } from "../cli/curlew.ts";
import { served } from "./served.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number; message?: string };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** The spans so far; `until` resolves at so many spans. */
async function receiver() {
  const spans: Span[] = [];
  const waiting: (() => void)[] = [];
  let whole = "";
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      whole += body;
      if (request.url !== "/v1/traces") throw new Error(`asked for ${request.url}`);
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.setHeader("content-type", "application/json").end("{}");
      for (const look of waiting.splice(0)) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const until = async (count: number): Promise<Span[]> => {
    while (spans.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    return spans;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, until, text: () => whole };
}

const attribute = (span: Span | undefined, key: string) => {
  const value = span?.attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

test("a run is a span with its attempts below it, and a subflow's below the attempt that started it; no value is sent", async () => {
  const sink = await receiver();
  const env = { PATH: process.env.PATH, OTEL_EXPORTER_OTLP_ENDPOINT: `${sink.url}/` };
  vi.stubEnv("OTEL_SERVICE_NAME", "flows");
  onTestFinished(() => void vi.unstubAllEnvs());
  const it = await served(
    {
      "inner.flow.yaml": inARow({ deep: "echo a-value-that-stays-here" }),
      "outer.flow.yaml":
        "curlew: 1\nname: Outer\nnodes:\n  - { id: first, type: cli, data: { title: F, content: 'echo another-value; exit 3', continueOnError: true } }\n  - { id: sub, type: subflow, data: { title: S, workflow: inner.flow.yaml } }\nedges: [first -> sub]\n",
    },
    { env: env as NodeJS.ProcessEnv },
  );
  const answer = await it.api("POST", "/workflows/outer.flow.yaml/runs?wait=30", {});
  const { id, status } = (await answer.json()) as StartedRun;
  expect(status).toBe("succeeded");
  const spans = await sink.until(5);
  const named = (name: string) => spans.find((span) => span.name === name);
  const [outer, first, sub, deep] = ["Outer", "first", "sub", "deep"].map(named);
  const inner = spans.find((span) => span.parentSpanId === sub?.spanId);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(outer?.parentSpanId ?? "").toBe("");
  expect([first?.parentSpanId, sub?.parentSpanId, deep?.parentSpanId]).toEqual([
    outer?.spanId,
    outer?.spanId,
    inner?.spanId,
  ]);
  expect(attribute(outer, "curlew.run.id")).toBe(id);
  expect([attribute(first, "curlew.exit_code"), attribute(first, "error.type"), first?.status.code]).toEqual([
    3,
    "exit-non-zero",
    2,
  ]);
  expect([attribute(outer, "curlew.run.status"), outer?.status.code]).toEqual(["succeeded", 1]);
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
  expect(sink.text()).not.toMatch(/a-value-that-stays-here|another-value|echo /);
  expect(sink.text()).toContain('"flows"');
});

test("a trace says what the environment says of this machine", async () => {
  const sink = await receiver();
  const env = { PATH: process.env.PATH, OTEL_EXPORTER_OTLP_ENDPOINT: sink.url };
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "team=a%20b%2Cc,service.name=nightly");
  onTestFinished(() => void vi.unstubAllEnvs());
  const it = await served({ "a.flow.yaml": inARow({ a: "true" }) }, { env });
  await it.api("POST", "/workflows/a.flow.yaml/runs?wait=20", {});
  await sink.until(2);
  const { resourceSpans } = JSON.parse(sink.text()) as { resourceSpans: { resource: Pick<Span, "attributes"> }[] };
  const all = resourceSpans[0]!.resource.attributes.map(({ key, value }) => [key, value.stringValue]);
  expect(Object.fromEntries(all)).toEqual({
    ...{ "service.name": "nightly", team: "a b,c" },
    "service.version": "0.0.0-test",
  });
});
