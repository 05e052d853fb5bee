// A preview through the API: the rendered commands; nothing runs, nothing is saved (spec 2.2, 2.3).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PreviewStep, Problem } from "../../src/api/shapes.ts";
import { served } from "./served.ts";

const TEXT = `
curlew: 1
name: shown
inputs: { who: { type: string } }
secrets: [TOKEN]
nodes:
  - id: hello
    type: cli
    data:
      title: Say hello
      content: 'touch ran; echo "hello \${who}" "\${TOKEN}"'
      needsUserApproval: true
      timeout: 5s
  - { id: bye, type: text, data: { title: Bye, content: "bye \${1}" } }
edges:
  - hello -> bye
`;

test("each node is shown with its command; secrets are shown as names", async () => {
  const it = await served({}, {});
  const ask = (more: object) => it.api("POST", "/preview", { path: "shown.flow.yaml", text: TEXT, ...more });
  const { items } = (await (await ask({ inputs: { who: "ada" } })).json()) as { items: PreviewStep[] };
  expect(items).toMatchObject([
    {
      ...{ id: "hello", type: "cli", approval: "needed", timeout: "5s" },
      command: 'touch ran; echo "hello ada" "‹secret TOKEN›"',
    },
    { id: "bye", after: ["hello"], command: "bye ‹value of hello›" },
  ]);
  const one = (await (await ask({ node: "hello" })).json()) as { items: PreviewStep[] };
  expect(one.items.map(({ command }) => command)).toEqual(['touch ran; echo "hello ‹who›" "‹secret TOKEN›"']);
  expect((await ask({ node: "no" })).status).toBe(404);
  const wrong = await it.api("POST", "/preview", { path: "shown.flow.yaml", text: "curlew: 1\nnodes: 3\n" });
  expect([wrong.status, ((await wrong.json()) as Problem).diagnostics?.length]).toEqual([422, expect.any(Number)]);
  expect((await it.api("POST", "/preview", { path: "../x.flow.yaml", text: TEXT })).status).toBe(400);
  expect([existsSync(join(it.folder, "shown.flow.yaml")), existsSync(join(it.folder, "ran"))]).toEqual([false, false]);
});
