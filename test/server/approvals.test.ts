// Approvals through the API: requests are shown and answered, and the run continues in the server, whoever answered
// (spec 2.4, 3.5).

import { existsSync, readFileSync, rmSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApprovalItem, Session, StartedRun } from "../../src/api/shapes.ts";
import { giveAnswer } from "../../src/engine/answer.ts";
import { pendingOf } from "../../src/engine/pending.ts";
import { isAlive, thisProcess } from "../../src/engine/recovery/owner.ts";
import { MAIN, started } from "../cli/curlew.ts";
import { storeOf } from "../setup/on-postgres.ts";
import { refused, start, view } from "./asking.ts";
import { type Served, served, servedIn } from "./served.ts";
import { follow, ofType } from "./streams.ts";

const GATE = `
curlew: 1
name: gated
inputs: { word: { type: string, default: one } }
nodes:
  - id: gate
    type: cli
    data: { title: Ship it, content: 'echo "\${word}" >> shipped; cat shipped', cwd: ., needsUserApproval: true }
`;

const SHORT = GATE.replace(
  "needsUserApproval: true",
  "needsUserApproval: true, approval: { timeout: 300ms, onTimeout: approve }",
);

async function waiting(it: Served, count = 1): Promise<ApprovalItem[]> {
  return expect
    .poll(() => list(it), { timeout: 10_000 })
    .toHaveLength(count)
    .then(() => list(it));
}

async function list(it: Served): Promise<ApprovalItem[]> {
  return ((await (await it.api("GET", "/approvals")).json()) as { items: ApprovalItem[] }).items;
}

const ended = (it: Served, id: string) =>
  follow(it, `/runs/${id}/events`).then((own) => own.until(ofType("run.succeeded")));

test("a request is shown as a card and granted by its id; the run continues and records who answered", async () => {
  const it = await served({ "gate.flow.yaml": GATE });
  const run = await start(it, "gate.flow.yaml", {}, "?wait=30");
  expect(run.status).toBe("waiting");
  const [item] = await waiting(it);
  expect(item).toMatchObject({
    ...{ run: run.id, workflow: "gated", workflowPath: "gate.flow.yaml", path: "gate", title: "Ship it" },
    reasons: [{ code: "needs-approval" }],
    detail: { command: 'echo "${word}" >> shipped; cat shipped', rendered: 'echo "one" >> shipped; cat shipped' },
  });
  expect(item!.lastApproved).toBeUndefined();
  // Two runs wait at once, and the one that began later is approved first.
  const later = await start(it, "gate.flow.yaml", {}, "?wait=30");
  const other = (await list(it)).find(({ run }) => run === later.id);
  await it.api("POST", `/approvals/${other!.id}/grant`, {});
  await ended(it, later.id);
  expect((await waiting(it))[0]!.lastApproved).toMatchObject({ identical: true });
  const granted = await it.api("POST", `/approvals/${item!.id}/grant`, {});
  expect([granted.status, await granted.json()]).toEqual([200, { run: run.id, path: "gate", answer: "granted" }]);
  await ended(it, run.id);
  const shown = await view(it, run.id);
  expect(shown.result).toBe("one\none");
  expect(shown.nodes[0]!.approvals).toMatchObject([
    { answer: "granted", by: userInfo().username, door: "api", from: { host: hostname(), address: "127.0.0.1" } },
  ]);
  expect(await refused(await it.api("POST", `/approvals/${item!.id}/grant`, {}))).toEqual([409, "not-waiting"]);
  expect(await refused(await it.api("POST", `/approvals/${run.id}-1/grant`, {}))).toEqual([404, "not-found"]);
  expect(await list(it)).toEqual([]);
});

test("the next request shows the differences from the approved one, and an edit runs instead", async () => {
  const it = await served({ "gate.flow.yaml": GATE });
  await start(it, "gate.flow.yaml", {}, "?wait=30");
  const [first] = await waiting(it);
  await it.api("POST", `/approvals/${first!.id}/grant`, {});
  await ended(it, first!.run);
  await start(it, "gate.flow.yaml", {}, "?wait=30");
  const [same] = await waiting(it);
  expect(same!.lastApproved).toMatchObject({ by: userInfo().username, identical: true });
  await it.api("POST", `/approvals/${same!.id}/reject`, { reason: "not today" });
  const other = await start(it, "gate.flow.yaml", { inputs: { word: "two" } }, "?wait=30");
  const [changed] = await waiting(it);
  expect(changed!.lastApproved?.diff).toContain('+echo "two" >> shipped');
  const unfit = await it.api("POST", `/approvals/${changed!.id}/grant`, { edited: "echo ${1}" });
  expect(await refused(unfit)).toEqual([422, "edit-unusable"]);
  await it.api("POST", `/approvals/${changed!.id}/grant`, { edited: 'echo "edited ${word}"' });
  await ended(it, other.id);
  expect((await view(it, other.id)).result).toBe("edited two");
  // The edit was approved last, not the original: so the same request is not "as approved before".
  await start(it, "gate.flow.yaml", { inputs: { word: "two" } }, "?wait=30");
  const [again] = await waiting(it);
  expect(again!.lastApproved).toMatchObject({
    identical: true,
    edited: { from: 'echo "${word}" >> shipped; cat shipped', to: 'echo "edited ${word}"' },
  });
});

test("an expired time limit wakes the run, even after a restart of the server", async () => {
  const it = await served({ "gate.flow.yaml": SHORT });
  const run = await start(it, "gate.flow.yaml", {}, "?wait=30");
  await ended(it, run.id);
  expect((await view(it, run.id)).nodes[0]!.approvals).toMatchObject([{ answer: "expired", as: "approve" }]);
  const other = await start(it, "gate.flow.yaml");
  await waiting(it);
  await it.close();
  const next = await servedIn(it.home, it.folder);
  await ended(next, other.id);
});

test("a waiting run is answered after a restart of the server, and the record distinguishes a browser's session from the API", async () => {
  const it = await served({ "gate.flow.yaml": GATE });
  const run = await start(it, "gate.flow.yaml", {}, "?wait=30");
  await it.close();
  const next = await servedIn(it.home, it.folder);
  const code = new URL(next.running.link()).hash.replace("#code=", "");
  const login = await fetch(`${next.url}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const { token } = (await login.json()) as Session;
  const [item] = await waiting(next);
  const answer = await next.api("POST", `/approvals/${item!.id}/grant`, {}, { authorization: `Bearer ${token}` });
  expect(answer.status).toBe(200);
  await ended(next, run.id);
  expect((await view(next, run.id)).nodes[0]!.approvals).toMatchObject([
    { door: "web", from: { session: expect.stringMatching(/^[0-9a-f]{12}$/) } },
  ]);
});

test("the right to start does not include the right to approve", async () => {
  const it = await served({ "gate.flow.yaml": GATE });
  const made = (await (await it.api("POST", "/server/login", { rights: ["read", "run"] })).json()) as { url: string };
  const login = await fetch(`${it.url}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: new URL(made.url).hash.replace("#code=", "") }),
  });
  const { token } = (await login.json()) as Session;
  const as = { authorization: `Bearer ${token}` };
  const run = (body: unknown) => it.api("POST", "/workflows/gate.flow.yaml/runs?wait=30", body, as);
  expect(await refused(await run({ approve: ["gate"] }))).toEqual([403, "right-missing"]);
  expect(((await (await run({})).json()) as StartedRun).status).toBe("waiting");
  const [item] = await waiting(it);
  expect(await refused(await it.api("POST", `/approvals/${item!.id}/grant`, {}, as))).toEqual([403, "right-missing"]);
  const inAdvance = await start(it, "gate.flow.yaml", { approve: ["gate"] }, "?wait=30");
  expect(inAdvance.status).toBe("succeeded");
});

test("an answer by hand wakes the run, also if another process holds its claim when the server is called", async () => {
  const it = await served({ "gate.flow.yaml": GATE });
  const { id } = await start(it, "gate.flow.yaml", {}, "?wait=30");
  const events = await follow(it, `/runs/${id}/events`);
  const store = await storeOf(it.home);
  const row = await store.journal.findRun(id);
  const [pending] = row.ok ? await pendingOf(row.value, store) : [];
  await giveAnswer(pending!, { grant: true }, store, (text) => text);
  await store.journal.claim(id, thisProcess(), isAlive);
  await events.until(ofType("approval.granted"));
  expect(await refused(await it.api("POST", `/runs/${id}/resume`))).toEqual([409, "run-claimed"]);
  await store.journal.release(id);
  await store.close();
  await events.until(ofType("run.succeeded"));
});

test("approved and rejected at once over two interfaces: one answer counts, and the command runs at most once, accordingly", async () => {
  const it = await served({ "gate.flow.yaml": GATE });
  for (const isRejected of [false, true]) {
    const run = await start(it, "gate.flow.yaml");
    const [item] = await waiting(it);
    const cli = (...args: string[]) =>
      started(process.execPath, [MAIN, ...args], it.folder, {}, it.home).done.then(({ code }) => code);
    const grant = async () => (await it.api("POST", `/approvals/${item!.id}/grant`, {})).status;
    const byHand = Promise.all([cli("approve", run.id, "gate"), cli("approve", run.id, "gate")]);
    const others = isRejected ? [cli("reject", run.id, "gate", "--reason", "no")] : [grant(), grant(), grant()];
    const codes = [...(await byHand), ...(await Promise.all(others))];
    await expect.poll(async () => (await view(it, run.id)).status).toMatch(/succeeded|failed/);
    const { status, nodes } = await view(it, run.id);
    const shipped = existsSync(join(it.folder, "shipped")) ? readFileSync(join(it.folder, "shipped"), "utf8") : "";
    expect(shipped).toBe(status === "succeeded" ? "one\n" : "");
    expect(
      codes.filter((code) => code === 0 || code === 200),
      JSON.stringify(codes),
    ).toHaveLength(1);
    expect(nodes[0]?.approvals?.filter(({ answer }) => answer !== undefined)).toHaveLength(1);
    // Sent again, the answer that counted no longer counts.
    expect(await refused(await it.api("POST", `/approvals/${item!.id}/grant`, {}))).toEqual([409, "not-waiting"]);
    rmSync(join(it.folder, "shipped"), { force: true });
  }
}, 60_000);
