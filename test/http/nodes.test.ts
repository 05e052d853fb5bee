// `curlew http` inside nodes: it is on the PATH, signs in with the node's auth, records calls like curl's, and obeys
// the sandbox (spec 3.6, 4.2).

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";
import { serve } from "./server.ts";

const workflow = (content: string, more = "", document = "") => `curlew: 1
name: Calls
${document}secrets: [TOKEN]
auth: { api: { type: bearer, token: "\${TOKEN}" } }
nodes:
  - id: call
    type: cli
    data:
      title: Call
      ${more}
      content: ${JSON.stringify(content)}
`;
const env = { TOKEN: "the-token-of-the-test" };

function filesUnder(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test("a node's auth signs in, and the token is in no argument, variable, output or file afterwards", async () => {
  const { url, seen } = await serve((_, response) => void response.end("answer\n"));
  const it = folder({
    "a.flow.yaml": workflow(
      `curlew http GET ${url}/a --auth api && curlew http GET ${url}/b && ! grep -zq the-token /proc/self/environ`,
      "auth: api",
    ),
  });
  const ran = await it.run("run a.flow.yaml", { env });
  expect(ran).toMatchObject({ code: 0, stdout: "answer\nanswer\n" });
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(`Bearer ${env.TOKEN}`));
  const holding = filesUnder(it.home).filter((file) => readFileSync(file).includes(env.TOKEN));
  expect(holding).toEqual([]);
  const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
  expect(nodes[0].attempts[0].http).toMatchObject([
    { method: "GET", url: `${url}/a`, status: 200, client: "curlew http" },
    { method: "GET", url: `${url}/b`, status: 200, receivedBytes: 7 },
  ]);
}, 60_000);

test("a failure is explained with its exit code, like curl's", async () => {
  const { url } = await serve((_, response) => void response.writeHead(401).end("no"));
  const it = folder({ "a.flow.yaml": workflow(`curlew http GET ${url}`) });
  const ran = await it.run("run a.flow.yaml", { env });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("error[http-error]");
  it.write("b.flow.yaml", workflow("curlew http GET http://127.0.0.1:1/"));
  expect((await it.run("run b.flow.yaml", { env })).stderr).toContain("error[curl-connect]");
}, 60_000);

test("a safe node calls https only, egress: any calls all", async () => {
  const it = folder();
  it.write("a.flow.yaml", workflow("host=example.com; curlew http GET http://$host/ --plain-http"));
  const refused = await it.run("run a.flow.yaml --yes", { env });
  expect(refused.stderr).toContain("http-not-allowed");
  // Nothing leaves this machine: the proxy does not exist.
  it.write("b.flow.yaml", workflow("host=example.com; curlew http GET http://$host/", "", "egress: any\n"));
  const allowed = await it.run("run b.flow.yaml --yes", { env: { ...env, http_proxy: "http://127.0.0.1:1" } });
  expect(allowed.stderr).toContain("error[curl-connect]");
}, 60_000);

const SANDBOX = "bwrap";
const noSandbox = spawnSync(SANDBOX, ["--ro-bind", "/", "/", "true"]).status !== 0;
test.skipIf(noSandbox)(
  "it is there in every sandbox, and gets out of none",
  async () => {
    const { url, seen } = await serve((_, response) => void response.end("answer\n"));
    const it = folder();
    for (const mode of ["read-only", "no-network", "strict"]) {
      it.write(
        `${mode}.flow.yaml`,
        workflow(`curlew http GET ${url}/${mode}`, `{ auth: api, sandbox: ${mode} }`).replace(
          / {6}\{ (.*?), (.*?) \}\n/,
          "      $1\n      $2\n",
        ),
      );
      const ran = await it.run(`run ${mode}.flow.yaml`, { env });
      if (mode === "read-only") expect(ran).toMatchObject({ code: 0, stdout: "answer\n" });
      else expect(ran.stderr).toContain("error[curl-connect]");
    }
    expect(seen.map(({ url: path }) => path)).toEqual(["/read-only"]);
  },
  90_000,
);
