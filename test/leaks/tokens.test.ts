// The hunt for tokens that the broker gets: what was issued while a workflow signs in, prints what it was handed, fails and is looked at
// again stands nowhere in plain: not in a file of the home, not in what is printed, not on a command line.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SampleApi } from "../../examples/sample-api/main.ts";
import { CREDENTIALS } from "../../examples/sample-api/seed.ts";
import { hunt } from "../secrets/hunt.ts";
import { has } from "../setup/machine.ts";
import { document, ENTRIES, env, shopWith, startSampleApi } from "../tokens/shop.ts";
import { watchCommandLines } from "./command-lines.ts";

vi.setConfig({ testTimeout: 240_000 });

let api: SampleApi;
beforeAll(async () => {
  api = await startSampleApi();
});
afterAll(() => api.close());

const COMMANDS = {
  fetch: 'curl --fail-with-body -sSv --max-time 60 "${api}/protected/oauth"',
  prints: 'cat "$CURL_HOME/.curlrc"; env; cat "$CURL_HOME/.curlrc" >&2; exit 3',
  encodes: 'base64 "$CURL_HOME/.curlrc"; od -An -tx1 -v "$CURL_HOME/.curlrc" | tr -d " \\n"; exit 4',
  echoes: 'curl -sS --max-time 60 "${api}/echo"',
};

for (const kind of ["credentials", "refresh"] as const)
  test.skipIf(!has("curl"))(`oauth2-${kind}: no token gets out`, async () => {
    const it = await shopWith(api, { "shop.flow.yaml": document(ENTRIES[kind], COMMANDS, ", continueOnError: true") });
    const printed: Record<string, string> = {};
    const keep = (name: string, { stdout, stderr }: { stdout: string; stderr: string }): void => {
      Object.assign(printed, { [`${name}: stdout`]: stdout, [`${name}: stderr`]: stderr });
    };
    const stop = watchCommandLines("shop.flow.yaml");
    keep("plain", await it.shop());
    await it.post("/oauth/revoke");
    keep("--json", await it.shop({}, "--json"));
    keep(
      "wrong",
      await it.shop({ env: { CLIENT_SECRET: "another-secret-of-it", REFRESH_TOKEN: "another-refresh-token" } }),
    );
    printed["command lines"] = stop();
    for (const args of [
      "runs show latest --json",
      "runs logs latest prints",
      "auth list",
      "auth list --json",
      "audit --json",
    ])
      keep(args, await it.run(args));
    const tokens = api.requests.flatMap(({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? []);
    const refresh = api.requests.flatMap(({ body }) => new URLSearchParams(body).get("refresh_token") ?? []);
    const secrets = [...new Set([...tokens, ...refresh, CREDENTIALS.clientSecret, env.REFRESH_TOKEN])];
    expect(secrets.length, "tokens that the server saw").toBeGreaterThan(2);
    // The server's own echo was masked, so somebody did look.
    expect(printed["plain: stdout"]).toContain("***");
    expect(hunt(it.home, printed, secrets).filter((place) => !place.includes("half"))).toEqual([]);
  });
