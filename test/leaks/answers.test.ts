// Your answers are recorded, but no secret of the run is, declared or fetched. This holds for each command and route,
// and whether or not the answering process has worked on the run.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ApprovalItem, Page } from "../../src/api/shapes.ts";
import { folder, MAIN, started } from "../cli/curlew.ts";
import { hunt } from "../secrets/hunt.ts";
import { start, view } from "../server/asking.ts";
import { type Served, served, servedIn } from "../server/served.ts";
import { document, ENTRIES, shopWith, startSampleApi } from "../tokens/shop.ts";

vi.setConfig({ testTimeout: 60_000 });

const DOCUMENT = `curlew: 1
name: gate
secrets: [TOKEN]
nodes:
  - { id: fetch, type: cli, data: { title: F, content: "cat ../fetched.txt" } }
  - { id: held, type: variable, data: { title: H, variableName: token, secret: true } }
  - { id: inner, type: subflow, data: { title: S, workflow: inner.flow.yaml, inputs: { given: "\${token}" } } }
edges: [fetch -> held -> inner]
`;
const INNER = `curlew: 1
name: inner
inputs: { given: { type: string } }
secrets: [TOKEN]
nodes:
  - { id: gate, type: cli, data: { title: G, needsUserApproval: true, content: 'printf %s "\${given}\${TOKEN}" | wc -c' } }
`;
const FILES = { "flows/gate.flow.yaml": DOCUMENT, "flows/inner.flow.yaml": INNER };
const secret = () => `${randomBytes(12).toString("base64url")}'"é %/${randomBytes(9).toString("base64url")}`;

test("on the command line, whether or not the run continues there", async () => {
  const [TOKEN, fetched] = [secret(), secret()];
  const it = folder({ ...FILES, "fetched.txt": fetched });
  const printed: Record<string, string> = {};
  const run = async (args: string[], env = {}) => {
    const ran = await it.run(args, { env: { TOKEN, ...env } });
    printed[args.slice(0, 2).join(" ")] = ran.stdout + ran.stderr;
    return ran;
  };
  for (const more of [[], ["--detach"]]) {
    expect((await run(["run", "flows/gate.flow.yaml"])).code).toBe(3);
    const EDITOR = join(it.path, "editor");
    it.write("editor", `#!/bin/sh\nprintf 'echo %s' "$WRITTEN" > "$1"\n`);
    for (const WRITTEN of [TOKEN, fetched]) {
      const edited = await it.run(["approve", "latest", "inner/gate", "--edit", ...more], {
        env: { TOKEN, EDITOR: `sh ${EDITOR}`, WRITTEN: `'${WRITTEN.replaceAll("'", "'\\''")}'` },
      });
      expect(edited).toMatchObject({ code: 2, stderr: expect.stringContaining("error[edit-unusable]") });
      printed[`an edit ${more}`] = `${printed[`an edit ${more}`] ?? ""}${edited.stdout}${edited.stderr}`;
    }
    await run(["reject", "latest", "inner/gate", "--reason", `not ${TOKEN} nor ${fetched}`, ...more]);
    if (more.length > 0) await run(["runs", "resume", "latest"]);
    expect((await run(["runs", "show", "latest"])).stdout).toContain("not *** nor ***");
  }
  expect(hunt(it.home, printed, [TOKEN, fetched])).toEqual([]);
});

test("with --detach, a secret that cannot be read masks nothing, and does not prevent an answer", async () => {
  const [TOKEN, fetched] = [secret(), secret()];
  const it = folder({ ...FILES, "fetched.txt": fetched });
  expect((await it.run("run flows/gate.flow.yaml", { env: { TOKEN } })).code).toBe(3);
  const rejected = await it.run(["reject", "latest", "inner/gate", "--detach", "--reason", `not ${fetched}`]);
  expect(rejected.code, rejected.stderr).toBe(0);
  expect(hunt(it.home, {}, [fetched])).toEqual([]);
});

test("every process of the data directory knows a token that Curlew holds, whoever fetched it", async () => {
  const api = await startSampleApi();
  onTestFinished(() => api.close());
  const gate = "  - { id: gate, type: cli, data: { title: G, needsUserApproval: true, content: echo go } }";
  const text = `${document(ENTRIES.credentials)}${gate}\nedges: [fetch -> gate]\n`;
  const shop = await shopWith(api, { "shop.flow.yaml": text });
  expect((await shop.shop()).code).toBe(3);
  const token = /^Bearer (.+)$/.exec(api.requests.at(-1)!.headers.authorization ?? "")![1]!;
  const EDITOR = `sh ${join(shop.path, "editor")}`;
  shop.write("editor", `printf 'echo %s' ${token} > "$1"\n`);
  const printed: Record<string, string> = {};
  const answered = async (args: string[]) => {
    const { code, stdout, stderr } = await shop.run(args, { env: { EDITOR } });
    printed[args.join(" ").replaceAll(token, "TOKEN")] = stdout + stderr;
    return { code, stderr };
  };
  expect(await answered(["approve", "latest", "gate", "--edit", "--detach"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[edit-unusable]"),
  });
  const server = await servedIn(shop.home, shop.path);
  const { id } = (await waiting(server))!;
  const edited = await server.api("POST", `/approvals/${id}/grant`, { edited: `echo ${token} "` });
  expect(edited.status).toBe(422);
  printed["an edit over HTTP"] = await edited.text();
  await server.close();
  expect(await answered(["reject", "latest", "gate", "--detach", "--reason", `not ${token}`])).toMatchObject({
    code: 0,
  });
  expect(await answered(["runs", "show", "latest", "--json"])).toMatchObject({ code: 0 });
  expect(JSON.stringify(printed)).toContain("not ***");
  expect(hunt(shop.home, printed, [token])).toEqual([]);
});

const waiting = async (it: Served) =>
  ((await (await it.api("GET", "/approvals")).json()) as Page<ApprovalItem>).items[0];

test("through a server, in a run that it started and in one that another process started", async () => {
  const [TOKEN, fetched] = [secret(), secret()];
  const it = await served({ "gate.flow.yaml": DOCUMENT, "inner.flow.yaml": INNER });
  writeFileSync(join(dirname(it.folder), "fetched.txt"), fetched);
  expect((await it.api("PUT", "/secrets/TOKEN", { value: TOKEN })).status).toBe(204);
  const printed: Record<string, string> = {};
  for (const begin of [
    () => start(it, "gate.flow.yaml", {}, "?wait=30"),
    () => started(process.execPath, [MAIN, "run", "gate.flow.yaml"], it.folder, {}, it.home).done,
  ]) {
    await begin();
    const { id, run } = (await waiting(it))!;
    for (const text of [TOKEN, fetched]) {
      const edited = await it.api("POST", `/approvals/${id}/grant`, {
        edited: `echo '${text.replaceAll("'", "'\\''")}'`,
      });
      expect(edited.status).toBe(422);
      printed[`an edit of ${run}`] = await edited.text();
    }
    const rejected = await it.api("POST", `/approvals/${id}/reject`, { reason: `not ${TOKEN} nor ${fetched}` });
    expect(rejected.status).toBe(200);
    await expect.poll(async () => (await view(it, run)).status).toBe("failed");
    printed[run] = await (await it.api("GET", `/runs/${run}`)).text();
    expect(JSON.stringify(printed)).toContain("not *** nor ***");
  }
  expect(hunt(it.home, printed, [TOKEN, fetched]).filter((place) => !place.startsWith("secrets."))).toEqual([]);
});
