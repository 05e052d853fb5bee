// A command that was adopted after kill -9 of its engine continues with current tokens (spec 3.4, 3.6).

import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SampleApi } from "../../examples/sample-api/main.ts";
import { made } from "../cli/curlew.ts";
import { has } from "../setup/machine.ts";
import { document, ENTRIES, env, shopWith, startSampleApi } from "./shop.ts";

let api: SampleApi;
beforeAll(async () => {
  api = await startSampleApi();
});
afterAll(() => api.close());

const CALLS = [
  ["curl", 'curl --fail-with-body -sS --max-time 60 "${api}/protected/oauth"'],
  ["curlew http", 'curlew http GET "${api}/protected/oauth"'],
];

describe.skipIf(!has("curl"))("the token of before ends", () => {
  test.each(CALLS)("%s", { timeout: 120_000 }, async (_, call) => {
    const content = `touch began; cat gate; ${call}; touch ended`;
    const it = await shopWith(api, { "shop.flow.yaml": document(ENTRIES.credentials, { fetch: content }) });
    execFileSync("mkfifo", [join(it.path, "gate")]);
    await it.settings({ lifetime: 2 });
    const run = it.start(`run shop.flow.yaml --input api=${api.url}`, { env });
    await made(join(it.path, "began"));
    const first = handed(it.home);
    run.process.kill("SIGKILL");
    await run.done;
    await it.settings({ lifetime: 600 });
    const resuming = it.start("runs resume latest --json", { env });
    await resuming.says('"attempt.adopted"', "stdout");
    while (handed(it.home) === first) await Promise.race([resuming.done, tick()]);
    closeSync(openSync(join(it.path, "gate"), "w"));
    const resumed = await resuming.done;
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    const shown = JSON.parse((await it.run("runs show latest --json")).stdout);
    expect(shown.nodes[0].attempts).toMatchObject([{ number: 1, http: [{ status: 200 }] }]);
    expect(shown.result).toContain("You came in by oauth");
    expect(await it.counters()).toMatchObject({ client_credentials: 2 });
  });
});

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

/** The token with which the attempt's calls sign in. */
function handed(home: string): string {
  const file = readdirSync(home, { recursive: true, encoding: "utf8" }).find((name) =>
    /auth-[^/]*\/\.curlrc$/.test(name),
  );
  return file === undefined ? "" : readFileSync(join(home, file), "utf8");
}
