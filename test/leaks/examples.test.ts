// The examples that use credentials run against the real sample API, once with the right ones and once with others. No
// byte of either is in the history, in printed output, or in a command line.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type SampleApi, startSampleApi } from "../../examples/sample-api/main.ts";
import { folder } from "../cli/curlew.ts";
import { hunt } from "../secrets/hunt.ts";
import { has } from "../setup/machine.ts";
import { watchCommandLines } from "./command-lines.ts";

vi.setConfig({ testTimeout: 120_000 });

const EXAMPLES = join(import.meta.dirname, "../../examples");
const right = parseEnv(readFileSync(join(EXAMPLES, "sample.env"), "utf8")) as Record<string, string>;
const wrong = () =>
  Object.fromEntries(Object.keys(right).map((name) => [name, `${randomBytes(12).toString("base64")}'"é`]));

let api: SampleApi;
beforeAll(async () => {
  api = await startSampleApi();
});
afterAll(() => api.close());

for (const name of ["api-key", "bearer", "basic-auth", "oauth", "oauth-one-script", "auth-tokens"])
  test.skipIf(!has("curl") || !has("jq"))(`${name}: its credentials stay out of everything`, async () => {
    for (const [which, env] of Object.entries({ right, wrong: wrong() })) {
      const it = folder();
      const printed: Record<string, string> = {};
      const stop = watchCommandLines(`${name}.flow.yaml`);
      for (const args of ["", " --json"]) {
        const words = `run ${EXAMPLES}/${name}.flow.yaml --input api=${api.url}${args}`;
        const ran = await (args === "" ? it.start(words, { env }).done : it.run(words, { env }));
        expect(ran.code, ran.stderr).toBe(which === "right" ? 0 : 1);
        Object.assign(printed, { [`stdout${args}`]: ran.stdout, [`stderr${args}`]: ran.stderr });
      }
      printed["command lines"] = stop();
      // A user name is not a secret, and neither is the name of a client.
      const secrets = Object.entries(env).filter(([key]) => /KEY|TOKEN|PASSWORD|SECRET/.test(key));
      expect(
        hunt(
          it.home,
          printed,
          secrets.map(([, secret]) => secret),
        ).filter((place) => !place.includes("half")),
      ).toEqual([]);
    }
  });
