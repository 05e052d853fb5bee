// The hunt for tokens that Curlew fetches: a workflow signs in, prints its token, fails, and is looked at again. The
// token is nowhere in plain: not in a file of the data directory, not in printed output, not on a command line.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SampleApi } from "../../examples/sample-api/main.ts";
import { CREDENTIALS } from "../../examples/sample-api/seed.ts";
import { serve } from "../http/server.ts";
import { hunt } from "../secrets/hunt.ts";
import { start, view } from "../server/asking.ts";
import { served } from "../server/served.ts";
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
    keep("plain", await it.start(`run shop.flow.yaml --input api=${api.url}`, { env }).done);
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
    // The server's own echo was masked, so the token was there to be found.
    expect(printed["plain: stdout"]).toContain("***");
    expect(hunt(it.home, printed, secrets).filter((place) => !place.includes("half"))).toEqual([]);
  });

test.skipIf(!has("curl"))("two runs of a server that wait for one token: neither shows it", async () => {
  const asked = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  const access = "t0ken-that-two-runs-waited-for";
  const { url } = await serve(async ({ url: path, headers }, response) => {
    if (!path.startsWith("/token")) return void response.end(`you said ${headers.authorization}\n`);
    asked.resolve();
    await both.promise;
    response.end(JSON.stringify({ access_token: access, token_type: "Bearer", expires_in: 3600 }));
  });
  const entry = `{ type: oauth2-client-credentials, tokenUrl: "${url}/token", clientId: me, clientSecret: hush-hush }`;
  const text = document(entry, { fetch: `curl -sSv --max-time 60 ${url}/echo` });
  const it = await served({ "shop.flow.yaml": text.replace("inputs: { api: { type: string } }\n", "") });
  const runs = [await start(it, "shop.flow.yaml"), await start(it, "shop.flow.yaml")];
  await asked.promise;
  const isAt = async (id: string) => (await view(it, id)).nodes[0]?.status === "running";
  await expect.poll(async () => (await Promise.all(runs.map(({ id }) => isAt(id)))).every(Boolean)).toBe(true);
  both.resolve();
  for (const { id } of runs) await expect.poll(async () => (await view(it, id)).status).toBe("succeeded");
  const shown = Object.fromEntries(
    await Promise.all(runs.map(async ({ id }) => [id, JSON.stringify(await view(it, id))] as const)),
  );
  expect(hunt(it.home, shown, [access])).toEqual([]);
});
