// Variables with `secret: true`, in the whole program. Commands get the exact bytes, and nothing else in the data
// directory or on the screen ever contains them, even after a kill half-way.

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Folder, folder, type Ran } from "../cli/curlew.ts";
import { filesOf, hunt } from "./hunt.ts";

// Many programs run one after another.
vi.setConfig({ testTimeout: 120_000 });

/** Every character that a shell, JSON and a URL treat specially, in words of no dictionary. */
const token = (): string => `t'k "$&<>/+é\\${randomBytes(18).toString("base64url")}`;

/** A script asks for a token and prints the response; later nodes use it in every possible way. */
const PATTERN = `curlew: 1
name: A token in many places
output: sum
nodes:
  - { id: ask, type: cli, data: { title: Ask, content: 'cat answer.json; cat answer.json >&2' } }
  - { id: keep, type: variable, data: { title: Keep, variableName: token, secret: true } }
  - { id: check, type: if, data: { title: Check, content: 'inputs[0].access_token != ""' } }
  - { id: header, type: text, data: { title: Header, content: 'Bearer \${token.access_token}' } }
  - { id: plain, type: variable, data: { title: Plain, variableName: copy, content: '\${token.access_token}' } }
  - { id: gather, type: accumulator, data: { title: Gather, variableName: all, content: '\${token.access_token} \${copy}' } }
  - id: print
    type: cli
    data:
      title: Print it in every way
      content: |
        printf '%s' "\${token.access_token}" > exact-by-name
        printf '%s' "$H" > exact-by-env
        printf '%s' "\${all}" > exact-collected
        printf '%s\\n' "\${token.access_token}" "\${1}" "$H"
        printf '%s' "\${token.access_token}" | base64
        printf '%s' "\${token.access_token}" | od -An -tx1 | tr -d ' \\n'
        printf '%s\\n' "\${token|json}" "\${token.access_token|uri}" "\${token.access_token|b64}" >&2
        cp \${token.access_token|file} exact-by-file
      env: { static: { H: '\${1}' } }
  - { id: feed, type: cli, data: { title: Feed, content: 'cat > exact-by-stdin; cat exact-by-stdin', stdin: { source: parent-index } } }
  - { id: hold, type: cli, data: { title: Hold, content: 'test -e go || cat gate', onLost: retry } }
  - { id: sub, type: subflow, data: { title: Sub, workflow: sub.flow.yaml, inputs: { given: '\${token.access_token}' } } }
  - { id: wrong, type: cli, data: { title: Wrong, content: 'echo "no: \${1}" >&2; exit 3', continueOnError: true } }
  - { id: sum, type: text, data: { title: Sum, content: 'header \${1}, sub \${2}' } }
edges:
  - ask -> keep -> check
  - check:true -> header -> print -> hold
  - header -> feed
  - check:true -> plain
  - check:true -> gather
  - hold -> sub -> wrong
  - header -> sum
  - sub -> sum
`;

const SUB = `curlew: 1
name: Sub
inputs: { given: { type: string } }
nodes:
  - { id: say, type: cli, data: { title: Say, content: 'printf "%s" "\${given}" > exact-in-sub; echo "\${given}"' } }
  - { id: back, type: text, data: { title: Back, content: 'back \${given}' } }
edges: [ say -> back ]
output: back
`;

function world(answer: object): Folder {
  const it = folder({ "a.flow.yaml": PATTERN, "sub.flow.yaml": SUB, "answer.json": JSON.stringify(answer) });
  execFileSync("mkfifo", [join(it.path, "gate")]);
  return it;
}

async function looks(it: Folder): Promise<Record<string, string>> {
  const printed: Record<string, string> = {};
  for (const args of ["runs show latest --json", "runs logs latest"])
    for (const [stream, text] of Object.entries(await it.run(args))) printed[`${args} (${stream})`] = String(text);
  return printed;
}

function said(ran: Ran, name: string): Record<string, string> {
  return { [`${name} (stdout)`]: ran.stdout, [`${name} (stderr)`]: ran.stderr };
}

test("a token that a command fetched reaches commands exactly, and is nowhere else, even after kill -9 in the middle", {
  timeout: 120_000,
}, async () => {
  const secret = token();
  const refresh = token();
  const it = world({ access_token: secret, refresh_token: refresh, token_type: "Bearer", expires_in: 3600 });
  const run = it.start("run a.flow.yaml --json");
  await run.says('"type":"attempt.started","node":"hold"', "stdout");
  const middle = await looks(it);
  run.process.kill("SIGKILL");
  const killed = await run.done;
  expect(hunt(it.home, { ...middle, ...said(killed, "run"), ...(await looks(it)) }, [secret, refresh])).toEqual([]);
  expect(filesOf(it.home).some((file) => file.endsWith(".sealed"))).toBe(true);

  const resuming = it.start("runs resume latest --json");
  await resuming.says('"attempt.adopted"', "stdout");
  // Releases the command that waits.
  closeSync(openSync(join(it.path, "gate"), constants.O_RDWR | constants.O_NONBLOCK));
  const resumed = await resuming.done;
  expect(resumed.code).toBe(0);
  expect(hunt(it.home, { ...said(resumed, "resume"), ...(await looks(it)) }, [secret, refresh])).toEqual([]);

  const exact = Object.fromEntries(
    ["by-name", "by-env", "collected", "by-file", "by-stdin", "in-sub"].map((name) => [name, it.read(`exact-${name}`)]),
  );
  expect(exact).toEqual({
    "by-name": secret,
    "by-env": `Bearer ${secret}`,
    collected: `${secret} ${secret}`,
    "by-file": secret,
    "by-stdin": `Bearer ${secret}`,
    "in-sub": secret,
  });
  const shown = JSON.parse((await it.run("runs show latest --json")).stdout);
  expect(shown.result).toBe("header Bearer ***, sub back ***");
  // Nothing of it is left once the run is over.
  expect(filesOf(it.home).filter((file) => /\.(sealed|key)$/.test(file))).toEqual([]);
  expect(existsSync(join(it.home, "key"))).toBe(true);
});

const TOKEN_ONLY = `curlew: 1
name: t
inputs: { key: { type: string, default: "" } }
nodes:
  - { id: ask, type: cli, data: { title: Ask, content: "echo asking >&2; cat token" } }
  - { id: keep, type: variable, data: { title: Keep, variableName: token, secret: true } }
  - { id: own, type: variable, data: { title: Own, variableName: own, secret: true, initialValue: "\${key}" } }
  - { id: use, type: cli, data: { title: Use, content: 'echo "got \${token}\${own}"' } }
edges: [ ask -> keep -> use ]
output: use
`;

test("for an output that was a secret, the logs show only its size", async () => {
  const it = folder({ "t.flow.yaml": TOKEN_ONLY, token: "very-secret-token\n" });
  expect(await it.run("run t.flow.yaml --quiet")).toMatchObject({ code: 0, stdout: "got ***\n" });
  expect(await it.run("runs logs latest")).toMatchObject({
    stdout: "ask | ‹secret, 18 B›\nuse | got ***\n",
    stderr: "ask | asking\n",
  });
  expect(await it.run("runs logs latest ask")).toMatchObject({ stdout: "", stderr: "asking\n‹secret, 18 B›\n" });
  expect((await it.run("runs show latest")).stdout).toContain("stdout 18 B (secret)");
  const shown = JSON.parse((await it.run("runs show latest --json")).stdout);
  expect(shown.nodes[0].attempts[0].stdout).toEqual({ bytes: 18, secret: true });
  it.write("t.flow.yaml", TOKEN_ONLY.replace("echo asking >&2; ", ""));
  await it.run("run t.flow.yaml --quiet");
  expect(await it.run("runs logs latest ask")).toMatchObject({ stdout: "", stderr: "‹secret, 18 B›\n" });
});

test("an input that was a secret is not kept, so a retry asks for it again", async () => {
  const it = folder({ "t.flow.yaml": TOKEN_ONLY, token: "very-secret-token\n" });
  const ran = await it.run(["run", "t.flow.yaml", "--input", "key=given-secret-key"]);
  expect(ran).toMatchObject({ code: 0, stdout: "got ***\n" });
  expect(hunt(it.home, said(ran, "run"), ["given-secret-key"])).toEqual([]);
  const again = await it.run("runs retry latest");
  expect(again).toMatchObject({ code: 2, stdout: "" });
  expect(again.stderr).toContain("error[inputs-not-kept]");
  expect(again.stderr).toContain("has a secret as input (key)");
});

test("a secret value that was changed on disk fails the run before anything continues", async () => {
  const it = folder({
    "t.flow.yaml": TOKEN_ONLY.replace("data: { title: Use,", "data: { title: Use, needsUserApproval: true,"),
    token: "very-secret-token\n",
  });
  expect((await it.run("run t.flow.yaml")).code).toBe(3);
  const [sealed] = filesOf(it.home).filter((file) => file.endsWith(".sealed"));
  const bytes = readFileSync(sealed!);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(sealed!, bytes);
  const ran = await it.run("runs resume latest");
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain("error[sealed-unreadable]");
  // The run can still be cancelled.
  expect(await it.run("runs cancel latest")).toMatchObject({ code: 0 });
  expect((await it.run("runs show latest --json")).stdout).toContain('"status": "cancelled"');
});

test("a run that waits for approval keeps its secrets, and the approved command gets them", async () => {
  const it = folder({
    "t.flow.yaml": TOKEN_ONLY.replace("data: { title: Use,", "data: { title: Use, needsUserApproval: true,").replace(
      'echo "got ${token}${own}"',
      'printf %s "${token}" > exact; echo "got ${token}"',
    ),
    token: "very-secret-token\n",
  });
  const first = await it.run("run t.flow.yaml");
  expect(first.code).toBe(3);
  const asked = {
    ...(await looks(it)),
    ...said(await it.run("approvals"), "approvals"),
    ...said(await it.run("approvals --json"), "json"),
  };
  expect(hunt(it.home, { ...asked, ...said(first, "run") }, ["very-secret-token"])).toEqual([]);
  const approved = await it.run("approve latest use");
  expect(approved).toMatchObject({ code: 0, stdout: "got ***\n" });
  expect(it.read("exact")).toBe("very-secret-token");
  expect(hunt(it.home, { ...(await looks(it)), ...said(approved, "approve") }, ["very-secret-token"])).toEqual([]);
  expect(filesOf(it.home).filter((file) => /\.(sealed|key)$/.test(file))).toEqual([]);
});

test("a secret whose value is a word of the document changes nothing in what runs after a restart", async () => {
  const it = folder({
    "t.flow.yaml": `curlew: 1
name: t
secrets: [PASSWORD]
nodes:
  - { id: ask, type: cli, data: { title: Ask, needsUserApproval: true, content: 'echo "postgres-main \${PASSWORD}" | wc -c > count' } }
`,
  });
  const env = { PASSWORD: "postgres-main" };
  const first = await it.run("run t.flow.yaml", { env });
  expect(first.code).toBe(3);
  expect(hunt(it.home, said(first, "run"), ["postgres-main"])).toEqual([]);
  expect(await it.run("approve latest ask", { env })).toMatchObject({ code: 0 });
  expect(it.read("count").trim()).toBe("28");
  // The author's own program contains the word, and the shell reads that program.
  const found = hunt(it.home, await looks(it), ["postgres-main"]);
  expect(found.filter((place) => !/\/script-\w+\.sh:/.test(place))).toEqual([]);
  expect((await it.run("runs retry latest", { env })).stderr).toContain("error[document-not-kept]");
});

const seed = Number(process.env.CHECK_SEED ?? Date.now() % 2 ** 31);
const kills = process.env.CHECK_FULL === undefined ? 2 : 20;

test(`wherever the program is killed, nothing is left in plain text, and the run reaches its end (CHECK_SEED=${seed})`, {
  timeout: kills * 60_000 + 120_000,
}, async () => {
  const secret = token();
  const it = world({ access_token: secret });
  it.write("go", "");
  it.write(
    "a.flow.yaml",
    PATTERN.replace(", onLost: retry }", " }")
      .replaceAll("type: cli, data: {", "type: cli, data: { onLost: retry,")
      .replace("data:\n      title: Print", "data:\n      onLost: retry\n      title: Print"),
  );
  it.write("sub.flow.yaml", SUB.replaceAll("type: cli, data: {", "type: cli, data: { onLost: retry,"));
  let random = seed;
  let args = "run a.flow.yaml --json";
  for (let round = 0; round < kills; round++) {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
    const run = it.start(args);
    const killed = killAfter(run, 1 + (random % 12));
    const ran = await run.done;
    // The file that a command was just reading stays until the run continues.
    const found = hunt(it.home, said(ran, args), [secret]).filter((place) => !/\.key: /.test(place));
    expect(found, `killed after ${await killed} events`).toEqual([]);
    if (ran.code === 0) break;
    args = "runs resume latest --json";
  }
  const last = await it.run(args);
  expect(hunt(it.home, { ...said(last, args), ...(await looks(it)) }, [secret])).toEqual([]);
  const shown = JSON.parse((await it.run("runs show latest --json")).stdout);
  // If it was killed at the very end, the next program that opens the data directory clears up.
  it.write(
    "next.flow.yaml",
    "curlew: 1\nname: next\nnodes: [ { id: a, type: text, data: { title: A, content: a } } ]\n",
  );
  expect(await it.run("run next.flow.yaml")).toMatchObject({ code: 0 });
  expect(shown).toMatchObject({ status: "succeeded", result: "header Bearer ***, sub back ***" });
  expect(it.read("exact-by-name")).toBe(secret);
  expect(it.read("exact-by-stdin")).toBe(`Bearer ${secret}`);
  expect(filesOf(it.home).filter((file) => /\.(sealed|key)$/.test(file))).toEqual([]);
});

/** Kills the program after it reported so many events, and returns how many it reported. */
async function killAfter(run: ReturnType<Folder["start"]>, events: number): Promise<number> {
  let told = 0;
  run.process.stdout.on("data", (text: string) => {
    told += text.split("\n").length - 1;
    if (told >= events) run.process.kill("SIGKILL");
  });
  await run.done;
  return told;
}

test("a loop's items, its collected values and a subflow's input are exact after a restart", async () => {
  const it = folder({
    "t.flow.yaml": `curlew: 1
name: t
nodes:
  - { id: ask, type: cli, data: { title: Ask, content: "cat token" } }
  - { id: keep, type: variable, data: { title: Keep, variableName: token, secret: true } }
  - { id: each, type: loop-start, data: { title: Each, items: '["first \${token}", "second \${token}"]' } }
  - { id: gather, type: accumulator, data: { title: Gather, variableName: all, content: "<\${item}>" } }
  - { id: sub, type: subflow, data: { title: Sub, workflow: sub.flow.yaml, inputs: { given: "\${1}" } } }
  - { id: done, type: loop-end, data: { title: Done } }
  - { id: use, type: cli, data: { title: Use, content: 'printf "%s|" "\${all}" "\${1}" > exact' } }
edges: [ ask -> keep -> each -> gather -> done -> use, each -> sub -> done ]
`,
    "sub.flow.yaml": `curlew: 1
name: sub
inputs: { given: { type: string } }
nodes:
  - { id: gate, type: cli, data: { title: Gate, needsUserApproval: true, content: 'printf "%s;" "\${given}" >> seen' } }
  - { id: back, type: text, data: { title: Back, content: "back \${given}" } }
edges: [ gate -> back ]
output: back
`,
    token: "very-secret-token\n",
  });
  const secret = "very-secret-token";
  const first = await it.run("run t.flow.yaml");
  expect(first).toMatchObject({ code: 3 });
  const second = await it.run(["approve", "latest", "sub[0]/gate"]);
  expect(second).toMatchObject({ code: 3 });
  expect(hunt(it.home, { ...said(second, "approve"), ...(await looks(it)) }, [secret])).toEqual([]);
  const third = await it.run(["approve", "latest", "sub[1]/gate"]);
  expect(third).toMatchObject({ code: 0 });
  expect(it.read("seen")).toBe(`first ${secret};second ${secret};`);
  const all = `<first ${secret}>\n<second ${secret}>`;
  expect(it.read("exact")).toMatch(`${all}|`);
  expect(hunt(it.home, { ...said(third, "approve"), ...(await looks(it)) }, [secret])).toEqual([]);
  expect(filesOf(it.home).filter((file) => /\.(sealed|key)$/.test(file))).toEqual([]);
});
