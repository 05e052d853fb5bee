// Declared secrets that changed or disappeared between the start of a run and its continuation. The former value stays
// a secret of the run.

import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { type Folder, folder } from "../cli/curlew.ts";
import { hunt } from "./hunt.ts";

vi.setConfig({ testTimeout: 60_000 });

const TEXTS = `curlew: 1
name: Renewed
secrets: [TOKEN]
inputs: { note: { type: string, default: "" } }
finally: [tidy]
nodes:
  - { id: head, type: variable, data: { title: Header, variableName: header, content: "Bearer \${TOKEN}" } }
  - { id: listed, type: text, data: { title: Listed, content: '["a \${TOKEN}", "b"]' } }
  - { id: each, type: loop-start, data: { title: Each, items: "\${1}" } }
  - { id: gate, type: cli, data: { title: Gate, content: "true", needsUserApproval: true } }
  - { id: uses, type: cli, data: { title: Uses, content: 'printf "%s\\n" "\${header}" "\${item}" "\${note}"; printf "%s" "\${header}" | base64 >&2' } }
  - { id: done, type: loop-end, data: { title: Done } }
  - { id: tidy, type: cli, data: { title: Tidy, content: 'printf "%s" "\${header}" "\${note}"; printf "%s" "\${header}" | base64 >&2' } }
edges: [listed -> each -> gate -> uses -> done]
`;

const word = (): string => randomBytes(18).toString("base64url");

async function looks(it: Folder, env: Record<string, string>): Promise<Record<string, string>> {
  const printed: Record<string, string> = {};
  for (const args of ["runs show latest --json", "runs logs latest", "approvals --json"])
    for (const [stream, text] of Object.entries(await it.run(args, { env })))
      printed[`${args} (${stream})`] = String(text);
  return printed;
}

test("a secret that is renewed while the run waits: later output still masks what was made from the former value", async () => {
  const [before, after] = [word(), word()];
  const it = folder({ "a.flow.yaml": TEXTS });
  const first = await it.run(["run", "a.flow.yaml", "--input", `note=pay ${before}`], { env: { TOKEN: before } });
  expect(first.code, first.stderr).toBe(3);
  const env = { TOKEN: after };
  const printed: Record<string, string> = {};
  for (const pass of ["gate[0]", "gate[1]"])
    printed[pass] = JSON.stringify(await it.run(["approve", "latest", pass], { env }));
  Object.assign(printed, await looks(it, env));
  expect(printed["runs show latest --json (stdout)"]).toContain("succeeded");
  expect(hunt(it.home, { ...printed, first: JSON.stringify(first) }, [before, after])).toEqual([]);
});

test("a secret that disappeared: cancelling the run shows the former value nowhere", async () => {
  const before = word();
  const it = folder({ "a.flow.yaml": TEXTS });
  const first = await it.run(["run", "a.flow.yaml", "--input", `note=pay ${before}`], { env: { TOKEN: before } });
  expect(first.code, first.stderr).toBe(3);
  const cancelled = await it.run("runs cancel latest");
  expect(cancelled.code, cancelled.stderr).toBe(0);
  const printed = await looks(it, {});
  expect(printed["runs show latest --json (stdout)"]).toContain("cancelled");
  expect(hunt(it.home, { ...printed, cancelled: JSON.stringify(cancelled) }, [before])).toEqual([]);
});
