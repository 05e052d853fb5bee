// A safe node's questions and errors, as seen from a shell.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "./curlew.ts";

const flow = (content: string, more = "", head = "") =>
  `curlew: 1\nname: N\n${head}nodes:\n  - id: n\n    type: cli\n    data:\n      title: N\n      content: ${JSON.stringify(content)}\n${more}`;

test("a command that deletes waits for approval, runs when approved, and is announced beforehand", async () => {
  const it = folder({ "a.flow.yaml": flow("rm -r gone && printf done"), "gone/x": "" });
  const told = await it.run("validate a.flow.yaml");
  expect(told).toMatchObject({ code: 0 });
  expect(told.stdout + told.stderr).toContain("asks-approval");
  const waiting = await it.run("run a.flow.yaml");
  expect(waiting.code).toBe(3);
  expect(waiting.stderr).toContain("It deletes: rm removes folders.");
  expect(existsSync(join(it.path, "gone"))).toBe(true);
  expect(await it.run("run a.flow.yaml --yes --quiet")).toMatchObject({ code: 0, stdout: "done\n" });
  expect(existsSync(join(it.path, "gone"))).toBe(false);
});

test("--dry-run shows the commands that ask, with the reason", async () => {
  const head = "inputs: { method: { type: string, default: GET } }\n";
  const it = folder({ "a.flow.yaml": flow('curl -fm9 -X "${method}" https://127.0.0.1:1/', "", head) });
  const steps = async (args: string) =>
    JSON.parse((await it.run(`run a.flow.yaml --dry-run --json ${args}`)).stdout).steps;
  const asks = [{ code: "deletes", message: "It deletes: curl sends DELETE." }];
  expect((await steps("--input method=DELETE"))[0]).toMatchObject({ approval: "needed", asks });
  const text = (await it.run("run a.flow.yaml --dry-run --input method=DELETE")).stdout;
  expect(text).toMatch(/approval +needed\n +because +It deletes: curl sends DELETE\./);
});

test("--dry-run shows how a call signs in, and what waits inside subflows", async () => {
  const it = folder({
    "a.flow.yaml": `curlew: 1
name: Outer
secrets: [TOKEN]
auth: { shop: { type: bearer, token: "\${TOKEN}" } }
nodes:
  - { id: call, type: cli, data: { title: C, auth: shop, content: "curl -fm9 https://127.0.0.1:1/" } }
  - { id: key, type: cli, data: { title: K, auth: { type: header, name: X-Key, value: "\${TOKEN}" }, content: "curl -fm9 https://127.0.0.1:1/" } }
  - { id: sub, type: subflow, data: { title: S, workflow: b.flow.yaml, inputs: { method: DELETE } } }
`,
    "b.flow.yaml": `curlew: 1
name: Middle
inputs: { method: { type: string } }
nodes:
  - { id: send, type: cli, data: { title: Send, content: 'curl -fm9 -X "\${method}" https://127.0.0.1:1/' } }
  - { id: deep, type: subflow, data: { title: D, workflow: c.flow.yaml } }
`,
    "c.flow.yaml": `curlew: 1
name: Inner
nodes:
  - { id: gate, type: cli, data: { title: Gate, needsUserApproval: true, content: "echo gate" } }
`,
  });
  const env = { TOKEN: "tops3cret-value" };
  const { steps } = JSON.parse(
    (await it.run("run a.flow.yaml --dry-run --json --approve sub/deep/gate", { env })).stdout,
  );
  expect(steps.map(({ auth }: { auth?: string }) => auth)).toEqual(["bearer (shop)", "header X-Key", undefined]);
  expect(steps[2].inside).toEqual([
    {
      path: "sub/send",
      title: "Send",
      command: 'curl -fm9 -X "DELETE" https://127.0.0.1:1/',
      approval: "needed",
      asks: [{ code: "deletes", message: "It deletes: curl sends DELETE." }],
    },
    { path: "sub/deep/gate", title: "Gate", command: "echo gate", approval: "given in advance" },
  ]);
  const text = (await it.run("run a.flow.yaml --dry-run", { env })).stdout;
  expect(text).toMatch(/auth +bearer \(shop\)/);
  expect(text).toMatch(/inside +sub\/send: approval needed\. It deletes: curl sends DELETE\.\n/);
  expect(text).toMatch(/inside +sub\/deep\/gate: approval needed\n/);
  expect(text).not.toContain("tops3cret");
});

test("a URL that is not https is an error before anything starts", async () => {
  const head = "inputs: { api: { type: string, default: 'https://127.0.0.1:1' } }\n";
  const it = folder({
    "a.flow.yaml": flow('touch started; curl -fm9 "$API/x"', '      env: { static: { API: "${api}" } }\n', head),
    "b.flow.yaml": flow("curl -fm9 http://api.example/x"),
  });
  const refused = await it.run("run a.flow.yaml --input api=http://api.example");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("$API/x is not https, but this workflow allows only https.");
  expect(existsSync(join(it.path, "started"))).toBe(false);
  const wrong = await it.run("run b.flow.yaml");
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("http-not-allowed");
});
