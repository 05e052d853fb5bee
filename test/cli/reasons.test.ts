// An explained failure everywhere it appears: at the end of a run, in `runs show`, as data, in an error branch. Masked
// everywhere.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { has } from "../setup/machine.ts";
import { eventsIn, folder } from "./curlew.ts";

vi.setConfig({ testTimeout: 120_000 });

const flow = (content: string, more = "") => `curlew: 1
name: Explained
${more}
nodes:
  - id: call
    type: cli
    data:
      title: Call
      mode: script
      content: ${JSON.stringify(content)}
`;

const WRAPPER = `for attempt in 1 2; do
  curl --silent --show-error --fail https://name.invalid/ && exit 0
  echo "Attempt $attempt of 2 failed, trying again" >&2
done
echo "Giving up after 2 attempts" >&2
exit 1`;
const SENTENCE =
  "The command exited with code 1 after a retry wrapper in it gave up after 2 attempts; the last time the host name name.invalid could not be resolved.";

test.runIf(has("curl"))("at the end of a run, in runs show, and as data", async () => {
  const it = folder({ "a.flow.yaml": flow(WRAPPER) });
  const ran = await it.run("run a.flow.yaml");
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toContain(`error[exit-non-zero]: Node "call" failed: ${SENTENCE}\n`);
  expect(ran.stderr).toContain(
    "  seen: curl: (6) Could not resolve host: name.invalid\n  seen: Giving up after 2 attempts\n",
  );
  expect(ran.stderr).toContain("  help: Check the spelling of the host, the network connection, and DNS.\n");
  expect(ran.stderr).toContain("  help: If waiting helps, give it more attempts and longer waits.\n");

  const shown = await it.run("runs show latest");
  expect(shown.stdout).toContain(`Node "call" failed: ${SENTENCE}`);
  expect(shown.stdout).toContain("seen: curl: (6) Could not resolve host: name.invalid\n");
  expect(shown.stdout).toContain("help: Check the spelling of the host");

  const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
  expect(nodes[0].attempts[0]).toMatchObject({
    cause: "exited(1)",
    code: "exit-non-zero",
    reason: "retries-exhausted",
    message: SENTENCE,
    evidence: ["curl: (6) Could not resolve host: name.invalid", "Giving up after 2 attempts"],
    hints: [
      "Check the spelling of the host, the network connection, and DNS.",
      "If waiting helps, give it more attempts and longer waits.",
    ],
    http: expect.any(Array),
  });
});

test.runIf(has("curl"))("in events", async () => {
  const it = folder({ "a.flow.yaml": flow("curl -sS https://name.invalid/ || exit 9") });
  const ran = await it.run("run a.flow.yaml --json");
  const events = eventsIn(ran);
  expect(events.find(({ type }) => type === "attempt.failed")).toMatchObject({
    failure: { code: "exit-non-zero", exitCode: 9, reason: "name-not-resolved", hints: [expect.any(String)] },
  });
});

test.runIf(has("curl"))("an error branch decides by the reason", async () => {
  const it = folder({
    "a.flow.yaml": `${flow("curl -sS https://name.invalid/")}  - { id: told, type: text, data: { title: Told, content: "\${1.reason}" } }
edges: [ "call:error -> told" ]
`,
  });
  expect(await it.run("run a.flow.yaml")).toMatchObject({ code: 0, stdout: "name-not-resolved\n" });
});

test.runIf(has("curl"))("a secret in the line that says so is masked everywhere", async () => {
  const it = folder({
    "a.flow.yaml": flow(`curl -sS "https://$HIDDEN.invalid/"`, "secrets: [HIDDEN]").replace(
      "content:",
      "env: { inherit: [HIDDEN] }\n      content:",
    ),
  });
  const env = { HIDDEN: "kestrel-under-cover" };
  const ran = await it.run("run a.flow.yaml", { env });
  expect(ran.stderr).toMatch(/The host name \*+.*\.invalid could not be resolved/);
  const shown = await it.run("runs show latest --json");
  expect(JSON.parse(shown.stdout).nodes[0].attempts[0].reason).toBe("name-not-resolved");
  for (const text of [ran.stderr, ran.stdout, shown.stdout]) expect(text).not.toContain("kestrel");
});

/** A server that gives every request this response. */
async function answering(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status).end(body));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
}

test.runIf(has("curl") && has("jq"))(
  "an error page that a silent curl hands to jq: the call is the reason",
  async () => {
    const url = await answering(401, "<html>no</html>");
    const it = folder({ "a.flow.yaml": flow(`curl -s ${url} | jq .items`) });
    const { stderr } = await it.run("run a.flow.yaml");
    expect(stderr).toMatch(
      /exited with code \d after the server responded with HTTP status 401: authentication failed\./,
    );
    expect(stderr).toContain(`  seen: GET ${url} → 401\n`);
  },
);

test.runIf(has("curl"))("an error page where JSON was to come, and curl exited 0", async () => {
  const url = await answering(503, "<html>later</html>");
  const it = folder({ "a.flow.yaml": `${flow(`curl -s ${url}`)}      output: { format: json }\n` });
  expect((await it.run("run a.flow.yaml")).stderr).toMatch(
    /error\[output-not-json\].*, after the server responded with HTTP status 503\.\n[\s\S]* {2}help: The server failed: try again later/,
  );
});
