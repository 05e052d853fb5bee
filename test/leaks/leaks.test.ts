// The hunt for secrets (issue: "in every byte the tool writes or prints"). Secrets of several shapes go through
// everything a run can do with them. Then every file, every printed byte, every command line and every temporary folder
// is searched, in the encodings that programs write.

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { endRunners, type Folder, folder, MAIN, made, started } from "../cli/curlew.ts";
import { onTerminal } from "../cli/on-terminal.ts";
import { hunt } from "../secrets/hunt.ts";
import { has } from "../setup/machine.ts";
import { commandLines, watchCommandLines } from "./command-lines.ts";

vi.setConfig({ testTimeout: 240_000 });

const word = (bytes: number) => randomBytes(bytes).toString("base64url");
/** New ones each time, at least one of every kind that an encoder treats differently. */
const shapes = (): Record<string, string> => ({
  SHORT: randomBytes(3).toString("hex"),
  QUOTES: `${word(9)}"q'${word(9)}\\b$${word(6)}\`x`,
  LINES: `-----BEGIN ${word(9)}-----\n${word(30)}\n${word(30)}\n-----END-----`,
  UNICODE: `pä${word(9)}ß€😀${word(9)}`,
  PERCENT: `${word(9)}%25+%2F=&?${word(9)}`,
  BASE64: `${randomBytes(24).toString("base64")}`,
});

/** Without halves of the short one: three letters occur anywhere. */
function search(folder: string, printed: Record<string, string>, secrets: Record<string, string>): string[] {
  return hunt(folder, printed, Object.values(secrets)).filter((place) => !/secret 0 as its .* half/.test(place));
}

/** `journal: secret 3 as hex` for each place. */
function leaksIn(it: Folder, printed: Record<string, string>, secrets: Record<string, string>): string[] {
  return search(it.path, printed, secrets);
}

const PYTHON = `import base64, json, os, sys, urllib.parse, random, binascii, shlex
rng = random.Random(int(sys.argv[1])) if len(sys.argv) > 1 else random.Random(7)
names = os.environ["NAMES"].split()
out = []
for name in names:
    s = os.environ[name]; b = s.encode()
    pad = bytes(rng.choice(b"abc ") for _ in range(rng.randrange(4)))
    forms = [b, json.dumps(s).encode(), json.dumps(s, ensure_ascii=False).encode(), json.dumps(json.dumps(s)).encode(),
      urllib.parse.quote(s, safe="").encode(), urllib.parse.quote_plus(s).encode(), urllib.parse.quote(s).lower().encode(),
      binascii.hexlify(b), binascii.hexlify(b).upper(), binascii.hexlify(b, ":").upper(), shlex.quote(s).encode(),
      base64.b64encode(pad + b), base64.b64encode(pad + b + b"tail"), base64.urlsafe_b64encode(pad + b), base64.encodebytes(pad + b),
      b"x" * rng.randrange(5) + b + b"y" * rng.randrange(5), s.replace("'", "'\\\\''").encode()] + s.encode().split(b"\\n")[:3]
    for form in forms: out += [pad + b"<", form, b">\\n"]
everything = b"".join(out)
at = 0
while at < len(everything):
    size = rng.choice([1, 2, 3, 7, 50, 1000])
    os.write(rng.choice([1, 1, 2]) if "BOTH" in os.environ else 1, everything[at:at + size]); at += size
`;

const NAMES = Object.keys(shapes());
const statics = `{ NAMES: "${NAMES.join(" ")}", ${NAMES.map((name) => `${name}: "\${${name}}"`).join(", ")} }`;
const all = NAMES.map((name) => `"\${${name}}"`).join(" ");
const block = (text: string) =>
  `|\n${text
    .trimEnd()
    .split("\n")
    .map((line) => `        ${line}`)
    .join("\n")}\n`;

const cli = (id: string, content: string, more = "") =>
  `  - id: ${id}\n    type: cli\n    data:\n      title: ${id}\n      mode: script\n      continueOnError: true\n${more}      content: ${block(content)}`;
const env = `      env: { static: ${statics} }\n`;

/** Everything that a run can do with a secret, each in its own node. */
const DOCUMENT = `curlew: 1
name: Leaks
secrets: [${NAMES.join(", ")}]
nodes:
${cli("prints", `#!/usr/bin/env python3\n${PYTHON}`, env)}
${cli("stderr", `#!/usr/bin/env python3\n${PYTHON.replaceAll('os.write(rng.choice([1, 1, 2]) if "BOTH" in os.environ else 1,', "os.write(2,")}\nsys.exit(3)`, `${env}      retry: { maxAttempts: 2, initialInterval: 10ms, jitter: none }\n`)}
${cli("traced", `set -x\nfor value in ${all}; do printf '%s\\n' "$value"; printf %q "$value"; done; exit 4`)}
${cli("arguments", `printf '[%s]' ${all}`)}
${cli("nested", `printf '{"a":%s}' \${QUOTES|json}; printf %s \${LINES|uri} \${UNICODE|b64} \${PERCENT|json}`)}
${cli("file", `cat < \${LINES|file}; wc -c < \${QUOTES|file}`)}
${cli("curls", "curl -sS --max-time 2 -K - ; exit 7", `      stdin: { source: literal, literal: 'url = "http://127.0.0.1:9/\${SHORT}?q=\${PERCENT|uri}"' }\n`)}
${cli("signs", "curl -sSv --max-time 2 https://127.0.0.1:9/; exit 7", '      auth: { type: header, name: X-Key, value: "${BASE64}" }\n')}
${cli("basic", "curl -sSv --max-time 2 http://127.0.0.1:9/; exit 7", '      auth: { type: basic, username: ann, password: "${SHORT}${BASE64}" }\n')}
${cli("nowhere", "pwd", '      cwd: "/${SHORT}/${BASE64|uri}"\n')}
${cli("notjson", `printf '{%s' "\${QUOTES}"`, "      output: { format: json }\n")}
${cli("select", `printf '{"t":%s}' \${UNICODE|json}`, "      output: { format: json, select: '$error(t)' }\n")}
${cli("stdin", "cat; exit 5", '      stdin: { source: literal, literal: "${QUOTES} and ${LINES}" }\n')}
${cli("large", `printf %s "\${1}" | tail -c 40; cat < \${1|file} | head -c 100`)}
${cli("later", `printf '%s' "\${1}" "\${2}" "\${token}"`)}
  - { id: text, type: text, data: { title: T, content: "Bearer \${SHORT} \${QUOTES} \${LINES|json}" } }
  - { id: filler, type: text, data: { title: F, content: "\${UNICODE}${"0123456789".repeat(15_000)}\${BASE64}" } }
  - { id: named, type: variable, data: { title: V, variableName: token, initialValue: "a \${BASE64} b" } }
  - { id: list, type: accumulator, data: { title: A, variableName: list, content: "\${1} \${PERCENT}", format: json } }
  - { id: question, type: if, data: { title: Q, content: "\${1} == \${SHORT}" } }
  - { id: yes, type: text, data: { title: Y, content: "\${SHORT}" } }
  - { id: each, type: loop-start, data: { title: E, items: "\${LINES}", as: line } }
  - { id: one, type: text, data: { title: O, content: "\${line}" } }
  - { id: done, type: loop-end, data: { title: D } }
  - { id: inner, type: subflow, data: { title: S, workflow: inner.flow.yaml, inputs: { given: "\${QUOTES}", more: "\${LINES}" } } }
  - { id: member, type: cli, data: { title: M, continueOnError: true, content: 'printf %s "\${token.nothing}"' } }
edges:
  - filler -> large
  - text -> later
  - named -> later
  - text -> list
  - prints -> question
  - question:true -> yes
  - each -> one -> done
`;
const INNER = `curlew: 1
name: Inner
inputs: { given: { type: string }, more: { type: string } }
nodes:
  - { id: inside, type: cli, data: { title: I, continueOnError: true, content: 'printf "%s" "\${given}" "\${more}"; printf "%s" "\${given}" >&2; exit 6' } }
`;

const given = () => {
  const secrets = shapes();
  const it = folder({ "leaks.flow.yaml": DOCUMENT, "inner.flow.yaml": INNER });
  const tmp = join(it.path, "tmp");
  mkdirSync(tmp);
  return { it, secrets, env: { ...secrets, TMPDIR: tmp } };
};

describe.skipIf(!has("python3"))("everything at once", () => {
  test("plain, --json, the history and the logs", async () => {
    const { it, secrets, env } = given();
    const printed: Record<string, string> = {};
    const keep = async (args: string, isProcess = false) => {
      const ran = await (isProcess ? it.start(args, { env }).done : it.run(args, { env }));
      printed[`${args}: stdout`] = ran.stdout;
      printed[`${args}: stderr`] = ran.stderr;
      return ran;
    };
    await keep("validate leaks.flow.yaml");
    await keep("run leaks.flow.yaml --dry-run");
    await keep("run leaks.flow.yaml --dry-run --json");
    const stop = watchCommandLines("leaks.flow.yaml");
    const ran = await keep("run leaks.flow.yaml", true);
    printed["command lines"] = stop();
    expect(ran.stderr).toContain("prints succeeded");
    expect(ran.stderr).toContain("traced failed");
    await keep("run leaks.flow.yaml --json");
    await keep("runs");
    await keep("runs --json");
    for (const args of [
      "runs show latest",
      "runs show latest --json",
      "runs logs latest",
      "runs logs latest prints",
      "runs retry latest",
    ])
      await keep(args);
    // The commands did print: without output the hunt would prove nothing.
    expect(printed["runs logs latest prints: stdout"]).toContain("<***>");
    expect(leaksIn(it, printed, secrets)).toEqual([]);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
  });

  test("on a terminal", async () => {
    const { it, secrets, env } = given();
    const ran = await onTerminal(it, "run leaks.flow.yaml", env, 200, 50).done;
    expect(ran.stdout).toContain("prints");
    expect(leaksIn(it, { screen: ran.stdout }, secrets)).toEqual([]);
  });
});

test("whatever the umask, only the owner can read the stored files", async () => {
  const { it, env } = given();
  const ran = await started(
    "sh",
    ["-c", `umask 000; exec '${process.execPath}' -- '${MAIN}' run leaks.flow.yaml`],
    it.path,
    { env },
    it.home,
  ).done;
  expect(ran.stderr).toContain("run ");
  const open = [
    it.home,
    ...readdirSync(it.home, { recursive: true, encoding: "utf8" }).map((name) => join(it.home, name)),
  ].filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(open.map((path) => path.slice(it.path.length))).toEqual([]);
});

test("while a command runs, its secrets are in no command line and in no file that outlives the attempt", async () => {
  const { it, secrets, env } = given();
  it.write(
    "held.flow.yaml",
    `curlew: 1\nname: Held\nsecrets: [${NAMES.join(", ")}]\nnodes:\n${cli("holds", `for value in ${all}; do :; done\ncat < \${LINES|file} > /dev/null\ntouch held\nuntil [ -e go ]; do sleep 0.05; done`)}`,
  );
  const run = it.start("run held.flow.yaml --json", { env });
  await run.says('"attempt.started"', "stdout");
  await vi.waitFor(() => expect(existsSync(join(it.path, "held"))).toBe(true), { timeout: 60_000, interval: 20 });
  const lines = commandLines();
  expect(lines.join("\n")).toContain("held.flow.yaml");
  expect(search(join(it.path, "tmp"), { lines: lines.join("\n") }, secrets)).toEqual([]);
  // The only value on disk is the one that asked for a file. Only the owner can read it, until the attempt ends.
  for (const place of search(it.home, {}, secrets)) {
    const file = join(it.home, place.slice(0, place.indexOf(":")));
    expect(place).toMatch(/secret 2/);
    expect(statSync(file).mode & 0o077).toBe(0);
  }
  it.write("go", "");
  const ran = await run.done;
  expect(leaksIn(it, { stdout: ran.stdout, stderr: ran.stderr }, secrets)).toEqual([]);
});

test("neither a killed command nor a killed program leaves a file with a secret", async () => {
  const { it, secrets, env } = given();
  it.write(
    "held.flow.yaml",
    `curlew: 1\nname: Held\nsecrets: [${NAMES.join(", ")}]\nnodes:\n${cli("holds", "cat < ${LINES|file} > /dev/null; echo held; touch began; sleep 300", '      auth: { type: bearer, token: "${BASE64}" }\n      timeout: 1s\n      killGrace: 100ms\n')}`,
  );
  const timedOut = await it.run("run held.flow.yaml", { env });
  expect(timedOut.stderr).toContain("timed out");
  expect(leaksIn(it, { stderr: timedOut.stderr }, secrets)).toEqual([]);
  it.write("held.flow.yaml", it.read("held.flow.yaml").replace(/ {6}timeout.*\n.*\n/, ""));
  rmSync(join(it.path, "began"), { force: true });
  const run = it.start("run held.flow.yaml --json", { env });
  await made(join(it.path, "began"));
  run.process.kill("SIGKILL");
  await run.done;
  await endRunners(it.home, "SIGKILL");
  await it.run("runs resume latest", { env });
  expect(leaksIn(it, {}, secrets)).toEqual([]);
});

test("an error names the secret, and never shows its value", async () => {
  const { it, secrets, env } = given();
  const printed: Record<string, string> = {};
  for (const [index, content] of [
    "eval ${QUOTES}",
    "bash -c ${LINES}",
    "echo $(( ${SHORT} ))",
    "curl ${PERCENT}",
    "curl -H ${LINES} https://127.0.0.1:9/",
    "curl -d ${BASE64} https://127.0.0.1:9/",
    "cd ${UNICODE}",
  ].entries()) {
    const name = `r${index}.flow.yaml`;
    it.write(name, `curlew: 1\nname: R\nsecrets: [${NAMES.join(", ")}]\nnodes:\n${cli("r", content)}`);
    const ran = await it.run(`run ${name}`, { env });
    printed[content] = ran.stdout + ran.stderr;
  }
  expect(leaksIn(it, printed, secrets)).toEqual([]);
});

test("the hunter finds a secret that was left on purpose", () => {
  const it = folder();
  const secret = shapes().QUOTES!;
  for (const [name, bytes] of Object.entries({
    raw: secret,
    json: JSON.stringify(secret),
    b64: Buffer.from(`ab${secret}cd`).toString("base64"),
    hex: Buffer.from(secret).toString("hex"),
  })) {
    it.write(`home/${name}`, `before ${bytes} after`);
    expect(hunt(join(it.path, "home"), {}, [secret])).not.toEqual([]);
    chmodSync(join(it.path, "home", name), 0o600);
    rmSync(join(it.path, "home", name));
  }
});
