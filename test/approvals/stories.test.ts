// What an approval is for, told as stories: one start, an edit, an end of time, what safe finds, what is no answer.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clock } from "../../src/engine/clock.ts";
import { everythingIn, home, told } from "./approvals.ts";

const gate = (content: string, more = "") =>
  `  - {id: gate, type: cli, data: {title: Gate, content: ${JSON.stringify(content)}, needsUserApproval: true${more}}}\n`;

/** A clock that stands still until it is set. Nothing that waits for it is called. */
function held(atMs: number): Clock & { set(ms: number): void } {
  let now = atMs;
  return { nowMs: () => now, upMs: () => now, at: () => () => {}, set: (ms) => (now = ms) };
}
const FAR = Date.UTC(2027, 0, 1);
const HOUR = 3_600_000;

test("what is shown is what runs: every value in its place, cut and counted, a secret hidden, standard input by its digest", async () => {
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

test("a grant is for one start: the second attempt is asked about anew, and a grant for the first does not count for it", async () => {
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

test("nothing but the granted one starts, however often the run is gone on with", async () => {
  const nodes = ["a", "b", "c"].map((id) => gate(`touch ${id}`).replace("id: gate", `id: ${id}`)).join("");
  const at = home(`nodes:\n${nodes}`);
  expect((await at.run()).waiting).toEqual(["a", "b", "c"]);
  at.grant(at.requests()[1]!);
  expect((await at.resume()).waiting).toEqual(["a", "c"]);
  expect((await at.resume()).waiting).toEqual(["a", "c"]);
  expect(at.requests()).toHaveLength(3);
  expect(["a", "b", "c"].filter((name) => existsSync(join(at.path, name)))).toEqual(["b"]);
});

test("an edited program runs in the place of the node's own, with its values, and only this once", async () => {
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

test("an edit passes every check that the node's own text passes", async () => {
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

test("an edit is void when what was shown beside it has changed", async () => {
  const at = home(`nodes:\n${gate("touch ran", ", env: {inherit: [STAGE]}")}`);
  await at.run({ env: { STAGE: "test" } });
  at.grant(at.requests()[0]!, { edited: "touch ran edited" });
  expect((await at.resume({ env: { STAGE: "production" } })).status).toBe("waiting");
  expect(at.requests()[1]).toMatchObject({ detail: { command: "touch ran" }, again: expect.stringContaining("STAGE") });
  expect(existsSync(join(at.path, "ran"))).toBe(false);
});

test.each([
  ["reject", "failed", "gate approval-rejected: No answer came in time, which counts as a rejection here."],
  ["fail", "failed", "gate approval-expired: No answer to the approval request came in time."],
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

test("an answer that comes after its time is none", async () => {
  const at = home(`nodes:\n${gate("touch ran", ", approval: {timeout: 1h}")}`);
  const clock = held(Date.now() - 2 * HOUR);
  await at.run({ clock });
  at.grant(at.requests()[0]!);
  expect(await at.resume()).toMatchObject({ status: "failed", failure: expect.stringContaining("approval-rejected") });
  expect(existsSync(join(at.path, "ran"))).toBe(false);
});

test("what the end of time lets start must still be the same", async () => {
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
test("what safe finds in a command is asked by the same way, also after a restart, and takes no slot", async () => {
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
  ["advanced asks nobody", ", safetyLevel: advanced", {}, undefined],
  ["--approve clean", "", { inAdvance: ["clean"] }, "in-advance"],
  ["--yes", "", { inAdvance: ["*"] }, "in-advance"],
])("%s: it runs at once, and the journal says by what right", async (_, more, given, approval) => {
  const at = home(`nodes:\n${remove.replace("MORE", more)}`, { "old/file": "" });
  expect((await at.run(given)).status).toBe("succeeded");
  expect(at.requests()).toEqual([]);
  const started = at.events().find((event) => event.type === "attempt.started");
  expect(started?.type === "attempt.started" && started.detail.approval).toBe(approval);
});

test("no value can pass itself off as the author's words, nor hide or turn around what stands beside it", async () => {
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

test("a prompt that cannot be filled in fails the node before anybody is asked", async () => {
  const at = home(
    `nodes:\n  - {id: t, type: text, data: {title: T, content: "no json"}}\n${gate("touch ran", ', approval: {prompt: "Delete ${1.name}?"}')}edges: [t -> gate]\n`,
  );
  expect(await at.run()).toMatchObject({ status: "failed", failure: expect.stringContaining("template-not-json") });
  expect(at.requests()).toEqual([]);
});
