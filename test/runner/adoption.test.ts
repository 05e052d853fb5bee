// A command continues when the program that started it is killed, and the process that resumes its run learns its
// result (spec 3.4, 4.4).

import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTimeOf } from "../../src/process/identity.ts";
import { endRunners, type Folder, folder, inARow, made, runnersOf } from "../cli/curlew.ts";

/** Stores a value for the next run, as `curlew state set` does. */
const KEEPS = 'printf \'["last","5"]\\n\' >> "$CURLEW_STATE"';
const SECRET = "a-secret-that-nobody-may-see";
const TIMES = { timeout: 120_000 };

/** A run of one held command, whose program was killed while it ran. */
async function killed(content: string, data = "", options = ""): Promise<Folder> {
  const it = folder();
  execFileSync("mkfifo", [join(it.path, "gate")]);
  it.write(
    "k.flow.yaml",
    `curlew: 1\nname: k\nsecrets: [TOKEN]\nstate: { last: 0 }\nnodes:\n  - id: a\n    type: cli\n    data:\n      title: A\n      content: ${JSON.stringify(content)}\n${data}  - { id: b, type: cli, data: { title: B, content: "cat", stdin: { source: parent-index } } }\nedges: [a -> b]\noutput: b\n`,
  );
  const run = it.start(`run k.flow.yaml ${options}`, { env: { TOKEN: SECRET } });
  await made(join(it.path, "began"));
  run.process.kill("SIGKILL");
  await run.done;
  return it;
}

/** Lets the command continue: it has opened the gate, or will. */
function letGo(it: Folder, text: string): void {
  const fd = openSync(join(it.path, "gate"), "w");
  writeSync(fd, text);
  closeSync(fd);
}

const env = { TOKEN: SECRET };
const shown = async (it: Folder) => JSON.parse((await it.run("runs show latest --json")).stdout);
/** Everything in the data directory, as one text. */
const everything = (it: Folder): string =>
  readdirSync(it.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

test(
  "a command that still runs is adopted: its output is complete and masked, its exit code its own",
  TIMES,
  async () => {
    const it = await killed(
      `echo "1 $TOKEN"; ${KEEPS}; touch began; cat gate; echo "3 $TOKEN"; exit 7`,
      "      env: { inherit: [TOKEN] }\n      successExitCodes: [7]\n",
    );
    const resuming = it.start("runs resume latest --json", { env });
    await resuming.says('"attempt.adopted"', "stdout");
    letGo(it, `2 ${SECRET.slice(0, 9)}`);
    const resumed = await resuming.done;
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    const { result, nodes } = await shown(it);
    expect(result).toBe(`1 ***\n2 ${SECRET.slice(0, 9)}3 ***`);
    expect(nodes[0]).toMatchObject({ attempts: [{ number: 1, status: "succeeded", exitCode: 7 }] });
    expect((await it.run("state get last --workflow k.flow.yaml")).stdout).toBe("5\n");
    expect(everything(it)).not.toContain(SECRET);
    expect(readdirSync(it.home, { recursive: true }).filter((name) => String(name).endsWith(".state"))).toEqual([]);
  },
);

test("a command that ended in between: its end was written down, and the runner is gone", TIMES, async () => {
  const it = await killed(
    `echo one; ${KEEPS}; touch began; cat gate; echo oops >&2; exit 3`,
    "      continueOnError: true\n",
  );
  letGo(it, "two\n");
  while (runnersOf(it.home).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  const resumed = await it.run("runs resume latest --json", { env });
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
  expect(resumed.stdout).toContain('"attempt.adopted"');
  const { result, nodes } = await shown(it);
  expect(result).toBe("one\ntwo");
  expect(nodes[0]).toMatchObject({ status: "failed", attempts: [{ number: 1, status: "failed", exitCode: 3 }] });
  expect(nodes[0].failure.stderr).toContain("oops");
  // A failed attempt stores nothing.
  expect((await it.run("state list --json")).stdout).toBe("[]\n");
  expect(readdirSync(it.home, { recursive: true }).filter((name) => String(name).endsWith(".end"))).toEqual([]);
});

test(
  "a secret that a command printed with no engine running is sealed, and masked after it was adopted",
  TIMES,
  async () => {
    const fetched = "fetched-token-0123456789";
    const it = folder();
    execFileSync("mkfifo", [join(it.path, "gate")]);
    it.write(
      "s.flow.yaml",
      `curlew: 1\nname: s\nnodes:\n  - { id: ask, type: cli, data: { title: Ask, content: "touch began; cat gate" } }\n  - { id: keep, type: variable, data: { title: K, variableName: token, secret: true } }\n  - { id: use, type: cli, data: { title: U, content: 'printf "%s" "\${token}" > exact; echo "got \${token}"' } }\nedges: [ask -> keep -> use]\noutput: use\n`,
    );
    const run = it.start("run s.flow.yaml");
    await made(join(it.path, "began"));
    run.process.kill("SIGKILL");
    await run.done;
    letGo(it, `${fetched}\n`);
    while (runnersOf(it.home).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(everything(it)).not.toContain(fetched);
    const resumed = await it.run("runs resume latest");
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: "got ***\n" });
    expect(it.read("exact")).toBe(fetched);
    expect(everything(it)).not.toContain(fetched);
  },
);

test("if its runner was killed too, the attempt is lost, never guessed, and nothing of it is left", TIMES, async () => {
  const it = await killed("echo $$ > pid; touch began; trap '' TERM; cat gate; touch after");
  await endRunners(it.home, "SIGKILL");
  const resumed = await it.run("runs resume latest", { env });
  expect(resumed).toMatchObject({ code: 1 });
  expect((await shown(it)).nodes[0]).toMatchObject({ failure: { code: "attempt-lost" } });
  expect(startTimeOf(Number(it.read("pid")))).toBeUndefined();
  expect(existsSync(join(it.path, "after"))).toBe(false);
});

test(
  "lost with onLost: ask: a person looks before it is done again, also when all was approved in advance",
  TIMES,
  async () => {
    const text = "echo ran >> ran; touch began; [ -e go ] || cat gate";
    const it = await killed(text, "      onLost: ask\n      safetyLevel: advanced\n", "--yes");
    await endRunners(it.home, "SIGKILL");
    expect(await it.run("runs resume latest", { env })).toMatchObject({ code: 3 });
    const [asked] = JSON.parse((await it.run("approvals --json")).stdout);
    expect(asked.reasons).toMatchObject([{ code: "lost" }]);
    it.write("go", "");
    expect(await it.run("runs resume latest", { env })).toMatchObject({ code: 3 });
    expect(it.read("ran")).toBe("ran\n");
    const approved = await it.run(`approve latest ${asked.node}`, { env });
    expect(approved, approved.stderr).toMatchObject({ code: 0 });
    expect(it.read("ran")).toBe("ran\nran\n");
  },
);

test(
  "if only the runner is killed, that attempt is lost, and the run continues with another runner",
  TIMES,
  async () => {
    const it = folder({
      "r.flow.yaml": inARow({
        first: "touch began; until [ -e go ]; do sleep 0.01; done; echo again",
        last: "cat",
      }).replace("content: ", "onLost: retry, content: "),
    });
    const run = it.start("run r.flow.yaml --json");
    await made(join(it.path, "began"));
    it.write("go", "");
    const [before] = runnersOf(it.home);
    process.kill(before ?? 0, "SIGSTOP");
    await endRunners(it.home, "SIGKILL");
    const ran = await run.done;
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const { nodes } = await shown(it);
    expect(nodes[0].attempts.at(-1)).toMatchObject({ status: "succeeded" });
    expect(runnersOf(it.home)).toEqual([]);
  },
);

test("a second killed engine changes nothing: the command is adopted again", TIMES, async () => {
  const it = await killed("echo one; touch began; cat gate");
  const second = it.start("runs resume latest --json", { env });
  await second.says('"attempt.adopted"', "stdout");
  second.process.kill("SIGKILL");
  await second.done;
  const third = it.start("runs resume latest --json", { env });
  await third.says('"attempt.adopted"', "stdout");
  letGo(it, "two\n");
  expect(await third.done).toMatchObject({ code: 0 });
  expect((await shown(it)).result).toBe("one\ntwo");
});

test("cancelling ends the command and its runner", TIMES, async () => {
  const it = await killed("echo $$ > pid; touch began; cat gate");
  expect(await it.run("runs cancel latest")).toMatchObject({ code: 0 });
  expect(startTimeOf(Number(it.read("pid")))).toBeUndefined();
  expect((await shown(it)).status).toBe("cancelled");
  while (runnersOf(it.home).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
});

test("the process that adopts a cached node's command caches its output", TIMES, async () => {
  const it = await killed("echo ran >> ran; touch began; cat gate", "      cache: { key: k, ttl: 1h }\n");
  const resuming = it.start("runs resume latest --json", { env });
  await resuming.says('"attempt.adopted"', "stdout");
  letGo(it, "two\n");
  expect(await resuming.done).toMatchObject({ code: 0 });
  const again = await it.run("run k.flow.yaml", { env });
  expect(again, again.stderr).toMatchObject({ code: 0, stdout: "two\n" });
  expect(it.read("ran")).toBe("ran\n");
});

test("a command that kills its runner each time is not repeated for ever", TIMES, async () => {
  const content = "echo ran >> ran; kill -9 $PPID; sleep 1000";
  const it = folder({
    "t.flow.yaml": inARow({ a: content }).replace("content:", "onLost: retry, retry: { maxAttempts: 3 }, content:"),
  });
  expect(await it.run("run t.flow.yaml")).toMatchObject({ code: 1, stderr: expect.stringContaining("[attempt-lost]") });
  expect(it.read("ran")).toBe("ran\nran\nran\n");
  expect(runnersOf(it.home)).toEqual([]);
});

test("a stopped runner holds up neither Ctrl-C nor the process that adopts its command", TIMES, async () => {
  const it = folder({ "t.flow.yaml": inARow({ a: "touch began; sleep 1000" }) });
  const run = it.start("run t.flow.yaml");
  await made(join(it.path, "began"));
  for (const pid of runnersOf(it.home)) process.kill(pid, "SIGSTOP");
  run.process.kill("SIGINT");
  expect(await run.done).toMatchObject({ code: 130 });
  expect(runnersOf(it.home)).toEqual([]);

  const killedOne = await killed("touch began; cat gate");
  for (const pid of runnersOf(killedOne.home)) process.kill(pid, "SIGSTOP");
  const resuming = killedOne.start("runs resume latest --json", { env });
  await resuming.says('"attempt.adopted"', "stdout");
  letGo(killedOne, "two\n");
  expect(await resuming.done).toMatchObject({ code: 0 });
});
