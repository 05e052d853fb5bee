// The promises of an approval, as stories: one start, an edit, a time limit, the questions of safe, invalid answers.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clock } from "../../src/engine/clock.ts";
import { everythingIn, home, told } from "./approvals.ts";

const gate = (content: string, more = "") =>
  `  - {id: gate, type: cli, data: {title: Gate, content: ${JSON.stringify(content)}, needsUserApproval: true${more}}}\n`;

/** A clock that the test sets. No timer of it ever fires. */
function held(atMs: number): Clock & { set(ms: number): void } {
  let now = atMs;
  return { nowMs: () => now, upMs: () => now, at: () => () => {}, set: (ms) => (now = ms) };
}
const FAR = Date.UTC(2027, 0, 1);
const HOUR = 3_600_000;

test("a request shows what runs: every value in its place, shortened and counted, a secret hidden, stdin by its checksum", async () => {
  const at = home(
    `secrets: [TOKEN]\nnodes:\n  - {id: big, type: cli, data: {title: B, content: "head -c 5000 /dev/zero | tr '\\\\0' a"}}\n${gate(
      `printf '%s|%s|%s' "\${v}" "\${1}" "\${TOKEN}" | cat - "$EXTRA"`,
      `, cwd: sub, timeout: 30s, stdin: {source: literal, literal: "in \${v}"}, env: {static: {EXTRA: "/dev/\${w}"}}, approval: {prompt: "Send \${v} now?"}`,
    )}  - {id: v, type: variable, data: {title: V, variableName: v, initialValue: "it's; rm -rf"}}\n  - {id: w, type: variable, data: {title: W, variableName: w, initialValue: "null"}}\nedges: [big -> gate]\n`,
    { "sub/keep": "" },
  );
  await at.run({ env: { TOKEN: "sesame-open-sesame" } });
  const [request] = at.requests();
  expect(request).toMatchObject({
    number: 1,
    reasons: [{ code: "needs-approval" }],
    prompt: "Send «it's; rm -rf» now?",
    detail: {
      rendered: `printf '%s|%s|%s' "«it's; rm -rf»" "«${"a".repeat(200)}… 5000 bytes»" "***" | cat - "$EXTRA"`,
      values: [
        { name: "${v}", text: "it's; rm -rf", bytes: 12 },
        { name: "${1}", text: `${"a".repeat(2_000)}… (5000 bytes)`, bytes: 5_000 },
        { name: "${TOKEN}", text: "***", bytes: 18, secret: true },
        { name: "$EXTRA", text: "/dev/null", bytes: 9 },
      ],
      shell: "bash",
      cwd: join(at.path, "sub"),
      env: ["EXTRA"],
      stdin: { bytes: 15, preview: "in it's; rm -rf", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      egress: "https",
      timeout: "30s",
    },
  });
  expect(everythingIn(at.home)).not.toContain("sesame");
});

test("a grant is for one start: the second attempt asks again, and a grant for the first does not count for it", async () => {
  const at = home(
    `nodes:\n${gate("echo x >> tries; [ $(wc -l < tries) = 2 ]", ", retry: {maxAttempts: 3, initialInterval: 1ms, on: [1]}")}`,
  );
  expect((await at.run()).status).toBe("waiting");
  at.grant(at.requests()[0]!);
  expect((await at.resume()).status).toBe("waiting");
  expect(at.requests().map(({ number }) => number)).toEqual([1, 2]);
  expect(at.requests()[1]?.hash).not.toBe(at.requests()[0]?.hash);
  at.grant(at.requests()[0]!);
  expect((await at.resume()).status).toBe("waiting");
  expect(readFileSync(join(at.path, "tries"), "utf8")).toBe("x\n");
  at.grant(at.requests()[1]!);
  expect((await at.resume()).status).toBe("succeeded");
  expect(readFileSync(join(at.path, "tries"), "utf8")).toBe("x\nx\n");
});

test("of two answers the first counts", async () => {
  const at = home(`nodes:\n${gate("touch ran")}`);
  await at.run();
  at.reject(at.requests()[0]!, "not today");
  at.grant(at.requests()[0]!);
  expect(await at.resume()).toMatchObject({
    status: "failed",
    failure: "gate approval-rejected: The approval was rejected: not today.",
  });
  expect(existsSync(join(at.path, "ran"))).toBe(false);
});

test("only the granted command starts, however often the run is resumed", async () => {
  const nodes = ["a", "b", "c"].map((id) => gate(`touch ${id}`).replace("id: gate", `id: ${id}`)).join("");
  const at = home(`nodes:\n${nodes}`);
  expect((await at.run()).waiting).toEqual(["a", "b", "c"]);
  at.grant(at.requests()[1]!);
  expect((await at.resume()).waiting).toEqual(["a", "c"]);
  expect((await at.resume()).waiting).toEqual(["a", "c"]);
  expect(at.requests()).toHaveLength(3);
  expect(["a", "b", "c"].filter((name) => existsSync(join(at.path, name)))).toEqual(["b"]);
});

test("an edited program replaces the node's, with its values, and only this once", async () => {
  const at = home(
    `nodes:\n  - {id: t, type: text, data: {title: T, content: "it's"}}\n${gate(`echo "own \${1}"`)}edges: [t -> gate]\n`,
  );
  await at.run();
  at.grant(at.requests()[0]!, { edited: `echo "edited \${1}"` });
  expect(await at.resume()).toMatchObject({ status: "succeeded", result: "edited it's" });
  expect(at.events()).toContainEqual(
    expect.objectContaining({
      type: "attempt.started",
      detail: expect.objectContaining({ command: `echo "edited \${1}"`, approval: "edited" }),
    }),
  );
});

test("an edit must pass every check of the node's own text", async () => {
  const at = home(
    `nodes:\n  - {id: t, type: text, data: {title: T, content: "id"}}\n${gate(`echo "\${1}"`)}edges: [t -> gate]\n`,
  );
  await at.run();
  at.grant(at.requests()[0]!, { edited: "${1} > ran" });
  expect(await at.resume()).toMatchObject({
    status: "failed",
    failure: "gate template-command-name: ${1} would choose which command runs.",
  });
  expect(existsSync(join(at.path, "ran"))).toBe(false);
});

test("an edit is void when the values that were shown beside it have changed", async () => {
  const at = home(`nodes:\n${gate("touch ran", ", env: {inherit: [STAGE]}")}`);
  await at.run({ env: { STAGE: "test" } });
  at.grant(at.requests()[0]!, { edited: "touch ran edited" });
  expect((await at.resume({ env: { STAGE: "production" } })).status).toBe("waiting");
  expect(at.requests()[1]).toMatchObject({ detail: { command: "touch ran" }, again: expect.stringContaining("STAGE") });
  expect(existsSync(join(at.path, "ran"))).toBe(false);
});

test.each([
  ["reject", "failed", "gate approval-rejected: No one decided in time, which counts as a rejection here."],
  ["fail", "failed", "gate approval-expired: No one decided about the approval in time."],
  ["approve", "succeeded", undefined],
])("onTimeout: %s", async (onTimeout, status, failure) => {
  const at = home(`nodes:\n${gate("echo ran", `, approval: {timeout: 1h, onTimeout: ${onTimeout}}`)}`);
  const clock = held(FAR);
  expect((await at.run({ clock })).status).toBe("waiting");
  const [request] = at.requests();
  expect(request).toMatchObject({ expiresAt: new Date(FAR + HOUR).toISOString(), onTimeout });
  clock.set(FAR + HOUR - 1);
  expect((await at.resume({ clock })).status).toBe("waiting");
  clock.set(FAR + HOUR);
  expect(await at.resume({ clock })).toMatchObject({ status, failure });
  const started = at.events().filter(({ type }) => type === "attempt.started");
  expect(started.map((event) => "detail" in event && "approval" in event.detail && event.detail.approval)).toEqual(
    onTimeout === "approve" ? ["timed-out"] : [],
  );
});

test("an answer after its time limit does not count", async () => {
  const at = home(`nodes:\n${gate("touch ran", ", approval: {timeout: 1h}")}`);
  const clock = held(Date.now() - 2 * HOUR);
  await at.run({ clock });
  at.grant(at.requests()[0]!);
  expect(await at.resume()).toMatchObject({ status: "failed", failure: expect.stringContaining("approval-rejected") });
  expect(existsSync(join(at.path, "ran"))).toBe(false);
});

test("a command that a time limit approves must still be the one that was shown", async () => {
  const more = ", env: {inherit: [STAGE]}, approval: {timeout: 1h, onTimeout: approve}";
  const at = home(`nodes:\n${gate("touch ran", more)}`);
  const clock = held(FAR);
  await at.run({ clock, env: { STAGE: "test" } });
  clock.set(FAR + HOUR);
  expect((await at.resume({ clock, env: { STAGE: "production" } })).status).toBe("waiting");
  expect(at.requests()[1]?.expiresAt).toBe(new Date(FAR + 2 * HOUR).toISOString());
  expect(existsSync(join(at.path, "ran"))).toBe(false);
});

const remove = `  - {id: clean, type: cli, data: {title: C, content: "rm -r old"MORE}}\n`;
test("a command that safe finds asks in the same way, even after a restart, and takes no slot", async () => {
  const at = home(
    `concurrency: 1\nnodes:\n${remove.replace("MORE", "")}  - {id: b, type: cli, data: {title: B, content: "echo b"}}\n`,
    {
      "old/file": "",
    },
  );
  expect(await at.run()).toMatchObject({ status: "waiting", waiting: ["clean"] });
  expect((await at.resume()).status).toBe("waiting");
  expect(told(at.events())).toEqual([
    "run.started",
    "approval.requested clean",
    "attempt.started b",
    "attempt.succeeded b",
  ]);
  expect(at.requests()[0]?.reasons).toEqual([{ code: "deletes", message: expect.any(String) }]);
  expect(existsSync(join(at.path, "old"))).toBe(true);
  at.grant(at.requests()[0]!);
  expect((await at.resume()).status).toBe("succeeded");
  expect(existsSync(join(at.path, "old"))).toBe(false);
});

test.each([
  ["advanced does not ask", ", safetyLevel: advanced", {}, undefined],
  ["--approve clean", "", { inAdvance: ["clean"] }, "in-advance"],
  ["--yes", "", { inAdvance: ["*"] }, "in-advance"],
])("%s: it runs at once, and the journal says by what right", async (_, more, given, approval) => {
  const at = home(`nodes:\n${remove.replace("MORE", more)}`, { "old/file": "" });
  expect((await at.run(given)).status).toBe("succeeded");
  expect(at.requests()).toEqual([]);
  const started = at.events().find((event) => event.type === "attempt.started");
  expect(started?.type === "attempt.started" && started.detail.approval).toBe(approval);
});

test("no value can look like the author's text, or hide or reverse the text beside it", async () => {
  const print = "printf 'x»? Nothing is deleted.\\n\\033[2K\\342\\200\\256y'";
  const at = home(
    `nodes:\n  - {id: t, type: cli, data: {title: T, content: ${JSON.stringify(print)}}}\n${gate('printf %s "${1}"', ', approval: {prompt: "Delete ${1}?"}')}edges: [t -> gate]\n`,
  );
  await at.run();
  const shown = "«x\\»? Nothing is deleted.\\n\\u001b[2K\\u{202e}y»";
  expect(at.requests()[0]).toMatchObject({
    prompt: `Delete ${shown}?`,
    detail: { rendered: `printf %s "${shown}"` },
  });
});

test("a prompt that cannot be rendered fails the node before it asks", async () => {
  const at = home(
    `nodes:\n  - {id: t, type: text, data: {title: T, content: "no json"}}\n${gate("touch ran", ', approval: {prompt: "Delete ${1.name}?"}')}edges: [t -> gate]\n`,
  );
  expect(await at.run()).toMatchObject({ status: "failed", failure: expect.stringContaining("template-not-json") });
  expect(at.requests()).toEqual([]);
});
