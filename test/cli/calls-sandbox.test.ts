// Calls in a sandbox are recorded as outside, and a command that tampers with its report harms no one (spec 3.6, 4.2).

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSampleApi } from "../../examples/sample-api/server.ts";
import { has } from "../setup/machine.ts";
import { folder } from "./curlew.ts";

let api: Awaited<ReturnType<typeof startSampleApi>>;
beforeAll(async () => {
  api = await startSampleApi();
});
afterAll(() => api.close());

const document = (content: string, more: string): string =>
  `curlew: 1\nname: Boxed\nsecrets: [TOKEN]\nnodes:\n  - id: a\n    type: cli\n    data: { title: a, content: ${JSON.stringify(content)}, ${more} }\n`;

interface Attempt {
  http?: { method: string; url: string; status: number }[];
}

async function attemptOf(
  content: string,
  more: string,
): Promise<Attempt & { code: number; stdout: string; stderr: string }> {
  const it = folder({ "work/note": "", "a.flow.yaml": document(content, `cwd: work, safetyLevel: advanced, ${more}`) });
  const ran = await it.run(["run", "a.flow.yaml"], { env: { TOKEN: "token-of-a-test" } });
  const shown = await it.run(["runs", "show", "latest", "--json"]);
  expect(shown.code, ran.stderr).toBe(0);
  const { nodes } = JSON.parse(shown.stdout);
  for (const run of readdirSync(join(it.home, "runs"), { withFileTypes: true }))
    for (const name of run.isDirectory() ? readdirSync(join(it.home, "runs", run.name)) : [])
      if (name === "http-calls")
        expect(readdirSync(join(it.home, "runs", run.name, name)).filter((left) => left !== "version")).toEqual([]);
  return { ...nodes[0].attempts[0], code: ran.code, stdout: ran.stdout, stderr: ran.stderr };
}

const calls = ({ http = [] }: Attempt): string[] =>
  http.map(({ method, url, status }) => `${method} ${new URL(url).pathname} ${status}`);

const plain = "curl -s U/status/404; curl -s -o f U/api/users/1; curl -sI U/status/200";
const content = (): string => plain.replaceAll("U", api.url);

if (has("bwrap")) {
  test("read-only: with credentials, by curl and by curlew http", async () => {
    const ran = await attemptOf(
      `${content()} >/dev/null; curlew http GET ${api.url}/echo | jq -r .headers.authorization; curl -s ${api.url}/echo | jq -r .headers.authorization`,
      'sandbox: read-only, auth: { type: bearer, token: "${TOKEN}" }',
    );
    expect(ran.code).toBe(0);
    expect(ran.stdout).not.toContain("null");
    expect(calls(ran)).toEqual([
      "GET /status/404 404",
      "GET /api/users/1 200",
      "HEAD /status/200 200",
      "GET /echo 200",
      "GET /echo 200",
    ]);
  });

  for (const sandbox of ["no-network", "strict"])
    test(`${sandbox}: rejected calls, and calls to allowed hosts`, async () => {
      const refused = await attemptOf(`curl -sS ${api.url}/api/users/1; true`, `sandbox: ${sandbox}`);
      expect(refused.http).toMatchObject([{ method: "GET", status: 0, exitCode: 7 }]);
      const secure = plain.replaceAll("U", api.httpsUrl).replaceAll(/ -s/g, " -ks");
      const { hostname: host } = new URL(api.httpsUrl);
      const allowed = await attemptOf(secure, `sandbox: ${sandbox}, egress: { allow: ["${host}"] }`);
      expect(calls(allowed)).toEqual(["GET /status/404 404", "GET /api/users/1 200", "HEAD /status/200 200"]);
    });

  test("httpErrors: fail works in a sandbox", async () => {
    const ran = await attemptOf(`curl -s ${api.url}/status/404`, "sandbox: read-only, httpErrors: fail");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("error[http-error]") });
  });

  test("a sandboxed command cannot read another's reports, and its links are not followed", async () => {
    const ran = await attemptOf(
      `mkdir "$CURLEW_HTTP.dir"; touch "$CURLEW_HTTP.dir/f"; chmod 0 "$CURLEW_HTTP.dir"; ln -s /etc/passwd "$CURLEW_HTTP.link"; mkfifo "$CURLEW_HTTP.pipe"; ls "\${CURLEW_HTTP%/*}/.."; curl -s ${api.url}/status/204`,
      "sandbox: read-only",
    );
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^\S+\.box\n$/);
    expect(calls(ran)).toEqual(["GET /status/204 204"]);
  });
}

test("a report that isn't a file causes no failure", async () => {
  const ran = await attemptOf(
    `mkdir -p "$CURLEW_HTTP.dir/deep"; ln -s /etc/passwd "$CURLEW_HTTP.link"; mkfifo "$CURLEW_HTTP.pipe"; curl -s ${api.url}/status/204`,
    "timeout: 20s",
  );
  expect(ran.code).toBe(0);
  expect(calls(ran)).toEqual(["GET /status/204 204"]);
});
