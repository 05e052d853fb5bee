// A command that is ended while it prints a secret: the part that it printed is not shown either.

import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { folder } from "../cli/curlew.ts";
import { hunt } from "../secrets/hunt.ts";

vi.setConfig({ testTimeout: 120_000 });

/** All of it except the last letter, and then nothing more. */
const STOPS = 't=$TOKEN; printf "got %s" "${t%?}"; printf "%s" "${t%?}" >&2; ';
const DOCUMENT = `curlew: 1
name: Cut
secrets: [TOKEN]
defaults: { continueOnError: true, env: { inherit: [TOKEN] } }
nodes:
  - { id: late, type: cli, data: { title: Its time is over, timeout: 1s, content: ${JSON.stringify(`${STOPS}sleep 60`)} } }
  - { id: killed, type: cli, data: { title: It is killed, content: ${JSON.stringify(`${STOPS}kill -9 $$`)} } }
`;

test("by its time limit, or by a signal", async () => {
  const TOKEN = `${randomBytes(24).toString("base64url")}.`;
  const it = folder({ "cut.flow.yaml": DOCUMENT });
  const { stdout, stderr } = await it.run("run cut.flow.yaml --json", { env: { TOKEN } });
  expect(stdout.match(/"type":"attempt.(?:failed|timed-out)"/g), stderr).toHaveLength(2);
  expect(hunt(it.home, { stdout, stderr }, [TOKEN.slice(0, -1)])).toEqual([]);
});
