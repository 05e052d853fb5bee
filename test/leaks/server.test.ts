// A server, its runs and its clients. No secret, declared or fetched by a run, is in its data directory, its log, any
// response of its routes, its event streams, metrics, traces, or a command line.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ROUTES } from "../../src/api/routes.ts";
import type { ApprovalItem, Page, RunItem } from "../../src/api/shapes.ts";
import { hunt } from "../secrets/hunt.ts";
import { start, view } from "../server/asking.ts";
import { type Served, served } from "../server/served.ts";
import { follow } from "../server/streams.ts";
import { until } from "../server/until.ts";
import { watchCommandLines } from "./command-lines.ts";

vi.setConfig({ testTimeout: 60_000 });

const cli = (id: string, content: string, more = "") =>
  `  - { id: ${id}, type: cli, data: { title: ${id}, continueOnError: true, content: ${JSON.stringify(content)}${more} } }\n`;

/** FETCHED is in a file beside the served folder: the server knows it only as output of a command. */
const DOCUMENT = `curlew: 1
name: leaks
secrets: [TOKEN]
inputs: { note: { type: string, default: "" } }
nodes:
${cli("prints", 'printf \'<%s>\' "${TOKEN}"; printf %s "${TOKEN}" | base64; printf %s "${TOKEN}" >&2; exit 3')}${cli("counts", "printf '{\"t\":%s}' ${TOKEN|json}", ", output: { format: json, select: $error(t) }")}${cli("calls", "curl -sSf -m 2 -K -", `, stdin: { source: literal, literal: 'url = "http://127.0.0.1:9/?q=\${TOKEN|uri}"' }`)}${cli("signs", "curl -sSfv -m 2 http://127.0.0.1:9/", ', auth: { type: bearer, token: "${TOKEN}" }')}${cli("noted", "printf %s ${note}")}${cli("gate", 'printf %s "${TOKEN}"', ', needsUserApproval: true, approval: { prompt: "Send ${note}?" }')}${cli("fetch", "cat ../fetched.txt")}  - { id: held, type: variable, data: { title: H, variableName: token, secret: true } }
${cli("uses", 'printf %s "${token}"; printf %s "${token}" >&2; curl -sSf -m 2 http://127.0.0.1:9/', ', auth: { type: header, name: X-Key, value: "${token}" }')}${cli("text", 'printf "Bearer %s" "${1}"')}  - { id: inner, type: subflow, data: { title: S, continueOnError: true, workflow: inner.flow.yaml, inputs: { given: "\${TOKEN}" } } }
edges: [fetch -> held, held -> uses, held -> text]
`;
const INNER = `curlew: 1
name: inner
inputs: { given: { type: string } }
nodes:
${cli("inside", 'printf %s "${given}"; printf %s "${given}" >&2; exit 6')}`;

/** Everything that the trace collector got. */
async function traces(): Promise<{ url: string; text(): string }> {
  let whole = "";
  const sink = createServer((request, response) => {
    request.on("data", (part: Buffer) => (whole += part.toString("latin1")));
    request.on("end", () => response.setHeader("content-type", "application/json").end("{}"));
  });
  await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void sink.close());
  return { url: `http://127.0.0.1:${(sink.address() as AddressInfo).port}`, text: () => whole };
}

/** The response of every GET about this run, by its path. */
async function everyAnswer(it: Served, run: string, searched: string): Promise<Record<string, string>> {
  const { nodes } = await view(it, run);
  const paths = ROUTES.filter(({ method, path }) => method === "GET" && path !== "/events").flatMap(({ path }) => {
    const filled = path
      .replace("{id}", run)
      .replace("/workflows/{path}", "/workflows/leaks.flow.yaml")
      .replace("{n}", "1");
    return filled.includes("{path}") ? nodes.map((node) => filled.replace("{path}", node.path)) : [filled];
  });
  const said: Record<string, string> = {};
  for (const path of paths)
    for (const query of path.endsWith("/search")
      ? [`?q=${encodeURIComponent(searched)}`, "?q=.&regex=true"]
      : path.endsWith("/output")
        ? ["", "?stream=stderr"]
        : [""]) {
      const answer = await it.api("GET", path + query, undefined, { accept: "application/json" });
      said[path + query] = JSON.stringify([...answer.headers]) + (await answer.text());
    }
  return said;
}

test("a served run, approved, rejected and looked at through every route", async () => {
  const [TOKEN, FETCHED] = [0, 1].map(
    () => `${randomBytes(12).toString("base64")}'"é %/${randomBytes(9).toString("base64")}`,
  );
  const sink = await traces();
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  const env = { PATH, HOME, LANG, TMPDIR, CURLEW_KEYRING: "off", OTEL_EXPORTER_OTLP_ENDPOINT: sink.url };
  const it = await served({ "leaks.flow.yaml": DOCUMENT, "inner.flow.yaml": INNER }, { env: env as NodeJS.ProcessEnv });
  writeFileSync(join(dirname(it.folder), "fetched.txt"), FETCHED!);
  const stop = watchCommandLines("127.0.0.1:9");
  expect((await it.api("PUT", "/secrets/TOKEN", { value: TOKEN })).status).toBe(204);
  const stream = await follow(it, "/events");
  // Someone types the secret where it does not belong.
  const { id } = await start(it, "leaks.flow.yaml", { inputs: { note: `pay ${TOKEN}` } });
  const waiting = async () => ((await (await it.api("GET", "/approvals")).json()) as Page<ApprovalItem>).items[0];
  await until(async () => (await waiting()) !== undefined);
  const printed: Record<string, string> = { "the card": JSON.stringify(await waiting()) };
  const grant = await it.api("POST", `/approvals/${(await waiting())!.id}/grant`, { edited: `printf %s '${TOKEN}'` });
  printed["the answer to an edit"] = await grant.text();
  expect(grant.status).toBe(422);
  await it.api("POST", `/approvals/${(await waiting())!.id}/grant`, {});
  await until(async () => (await view(it, id)).status === "succeeded" || (await view(it, id)).status === "failed");
  const again = await start(it, "leaks.flow.yaml");
  await until(async () => (await waiting()) !== undefined);
  printed.rejection = await (
    await it.api("POST", `/approvals/${(await waiting())!.id}/reject`, { reason: `no: ${TOKEN}` })
  ).text();
  await until(async () => !["running", "waiting"].includes((await view(it, again.id)).status));
  await until(() => sink.text().includes("leaks"));
  for (const run of ((await (await it.api("GET", "/runs")).json()) as Page<RunItem>).items)
    Object.assign(printed, await everyAnswer(it, run.id, TOKEN!.slice(0, 12)));
  printed["server events"] = stream.messages.map(({ data }) => data).join("\n");
  printed.traces = sink.text();
  printed["command lines"] = stop();
  // The words around it are there: so the mask is visible.
  expect(JSON.stringify(printed)).toContain("<***>");
  expect(hunt(it.home, printed, [TOKEN!, FETCHED!]).filter((place) => !place.startsWith("secrets."))).toEqual([]);
});
