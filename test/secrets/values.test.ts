// Values of secret Variables in all shapes and sizes, through the engine with real shells: commands get them exactly,
// and no one else does.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text as streamText } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openEngine, type RunOutcome } from "../../src/engine/index.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { filesOf, hunt } from "./hunt.ts";

interface Story {
  nodes: string[];
  edges?: string[];
  top?: string;
  inputs?: Record<string, unknown>;
  env?: Record<string, string>;
  files?: Record<string, string | Uint8Array>;
  /** Values that only the commands may have. */
  secrets: string[];
}

interface Told {
  outcome: RunOutcome;
  result: string;
  events: RunEvent[];
  /** Bytes of a file that a command wrote. */
  wrote(name: string): Buffer;
}

/** Runs a workflow and hunts for its secrets in the data directory, in events and in printed output. */
async function run({ nodes, edges = [], top = "", inputs = {}, env = {}, files = {}, secrets }: Story): Promise<Told> {
  const [home, folder] = ["home", "flow"].map((name) => mkdtempSync(join(tmpdir(), `curlew-${name}-`))) as [
    string,
    string,
  ];
  onTestFinished(() => {
    for (const each of [home, folder]) rmSync(each, { recursive: true, force: true });
  });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const file = join(folder, "story.flow.yaml");
  const text = `curlew: 1\nname: story\n${top}\nnodes:\n${nodes.map((node) => `  - ${node}\n`).join("")}edges: ${JSON.stringify(edges)}\n`;
  const { workflow, diagnostics } = parseWorkflow(text, file);
  if (workflow === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const events: RunEvent[] = [];
  let live = "";
  const engine = await openEngine({
    home,
    env: { ...process.env, ...env },
    onEvent: (event) => events.push(event),
    onOutput: ({ bytes }) => {
      live += Buffer.from(bytes).toString("latin1");
    },
  });
  if (!engine.ok) throw new Error(engine.error.message);
  const subflows = Object.fromEntries(
    Object.entries(files).flatMap(([name, content]) =>
      name.endsWith(".yaml") ? [[join(folder, name), String(content)]] : [],
    ),
  );
  const started = await engine.value.start({ file, text, workflow, subflows, inputs, trigger: { kind: "cli" } });
  if (!started.ok) throw new Error(started.error.message);
  const outcome = await started.value.done;
  const sink = new PassThrough();
  const printed = streamText(sink);
  await outcome.result?.write(sink);
  sink.end();
  const result = await printed;
  await engine.value.close();
  expect(
    hunt(home, { live, result, events: JSON.stringify(events), outcome: JSON.stringify(outcome) }, secrets),
  ).toEqual([]);
  expect(filesOf(home).filter((name) => /\.(sealed|key)$/.test(name))).toEqual([]);
  return { outcome, result, events, wrote: (name) => readFileSync(join(folder, name)) };
}

const node = (id: string, type: string, data: Record<string, unknown>): string =>
  JSON.stringify({ id, type, data: { title: id, ...data } });
const cli = (id: string, content: string, more = {}): string => node(id, "cli", { content, ...more });
const secret = (id: string, more = {}): string => node(id, "variable", { variableName: id, secret: true, ...more });

function failureOf({ outcome }: Told): { path: string; code: string; message: string } {
  if (outcome.failure === undefined) throw new Error(`it ${outcome.status}`);
  const { path, failure } = outcome.failure;
  return { path, code: failure.code, message: failure.message };
}

test.each<[string, string | Uint8Array]>([
  ["of one line", "sk-live-0123456789abcdef"],
  ["of many lines", "key:\n-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----"],
  ["with every kind of quote", "a'b\"c`d$e\\f ${x} $(id) %s\tg!"],
  ["in Unicode", "пароль-密码-🔑-clé"],
  ["long", `eyJ${"0123456789abcdefghijklmnopqrstuvwxyz".repeat(1_500)}`],
  ["with blanks around", "  padded-secret  "],
])("a secret %s arrives byte by byte", async (_, value) => {
  const told = await run({
    nodes: [
      cli("ask", "cat given; cat given >&2"),
      secret("token"),
      cli("use", 'printf %s "${token}" > by-name; printf %s "$T" > by-env; echo "${token}"; set -x; : "${token}"', {
        env: { static: { T: "${token}" } },
      }),
      cli("feed", "cat > by-stdin; cat by-stdin >&2", { stdin: { source: "parent-index" } }),
    ],
    edges: ["ask -> token -> use", "token -> feed"],
    files: { given: value },
    secrets: [String(value).trim()],
  });
  for (const name of ["by-name", "by-env", "by-stdin"]) expect(told.wrote(name).toString(), name).toBe(value);
  expect(told.outcome.status).toBe("succeeded");
});

test("a template with a declared secret passes on its exact bytes: Text, Variable, Accumulator, IF, loop and subflow", async () => {
  const TOKEN = "s3cr3t/t0ken+value";
  const told = await run({
    nodes: [
      node("text", "text", { content: "Bearer ${TOKEN}" }),
      node("copy", "variable", { variableName: "copy", content: "${1}!" }),
      node("check", "if", { content: '$contains(inputs[0], "Bearer")' }),
      node("gather", "accumulator", { variableName: "all", initialValue: "first ${TOKEN}", content: "${1}" }),
      node("each", "loop-start", { items: '["a-${TOKEN}", "b"]' }),
      cli("inside", 'printf "%s\\n" "${item}" >> items'),
      node("through", "text", { content: "<${item}>" }),
      node("done", "loop-end", {}),
      node("sub", "subflow", { workflow: "sub.flow.yaml", inputs: { given: "${1}" } }),
      cli("use", 'printf "%s|" "${copy}" "${all}" "${2}" "${1}" > exact', {}),
    ],
    edges: [
      "text -> copy -> check",
      "check:true -> gather",
      "each -> inside -> through -> done",
      "text -> sub -> use",
      "done -> use",
      "gather -> use",
    ],
    top: "secrets: [TOKEN]\noutput: sub",
    env: { TOKEN },
    files: {
      "sub.flow.yaml":
        "curlew: 1\nname: sub\ninputs: { given: { type: string } }\nnodes:\n  - { id: back, type: text, data: { title: b, content: '[${given}]' } }\n",
    },
    secrets: [TOKEN],
  });
  expect(told.wrote("exact").toString()).toBe(
    `Bearer ${TOKEN}!|first ${TOKEN}\nBearer ${TOKEN}!|["<a-${TOKEN}>","<b>"]|[Bearer ${TOKEN}]|`,
  );
  expect(told.wrote("items").toString()).toBe(`a-${TOKEN}\nb\n`);
  expect(told.result).toBe("[Bearer ***]");
});

test("the input of a secret Variable is secret from the start: an input, the environment, a subflow's result, a list's item", async () => {
  const [input, env, inner, item] = ["input-secret-1", "environ-secret-2", "subflow-secret-3", "listed-secret-4"];
  const told = await run({
    nodes: [
      secret("fromInput", { initialValue: "${apiKey}" }),
      secret("fromEnv", { initialValue: "${SOME_KEY}" }),
      node("sub", "subflow", { workflow: "sub.flow.yaml" }),
      secret("fromSub"),
      cli("list", "cat list"),
      node("each", "loop-start", { items: "inputs[0]" }),
      secret("fromItem", { content: "${item}" }),
      cli("inside", 'printf %s "${fromItem}" > exact-item; echo "${fromItem}"'),
      node("done", "loop-end", {}),
      cli("use", 'printf "%s|" "${fromInput}" "${fromEnv}" "${fromSub}" > exact; cat exact; cat exact >&2'),
    ],
    edges: ["sub -> fromSub -> use", "list -> each -> fromItem -> inside -> done"],
    top: "inputs: { apiKey: { type: string }, plain: { type: string } }",
    inputs: { apiKey: input, plain: "not a secret" },
    env: { SOME_KEY: env! },
    files: {
      list: JSON.stringify([item]),
      inner: inner!,
      "sub.flow.yaml":
        "curlew: 1\nname: sub\nnodes:\n  - { id: say, type: cli, data: { title: s, content: 'cat inner' } }\n  - { id: back, type: text, data: { title: b, content: '${1}' } }\nedges: [ say -> back ]\n",
    },
    secrets: [input!, env!, inner!, item!],
  });
  expect(told.wrote("exact").toString()).toBe(`${input}|${env}|${inner}|`);
  expect(told.wrote("exact-item").toString()).toBe(item);
  expect(told.events[0]).toMatchObject({ inputs: { apiKey: "***", plain: "not a secret" } });
});

test("a token that each iteration renews is masked each time, and the next iteration gets the previous one", async () => {
  const told = await run({
    nodes: [
      node("pages", "loop-start", { iterations: 3 }),
      cli("renew", 'printf "%s" "${token}" >> exact; cat "given-${i}"'),
      secret("token", { initialValue: "the-very-first" }),
      cli("use", 'echo "${token}"'),
      node("end", "loop-end", {}),
    ],
    edges: ["pages -> renew -> token -> use -> end"],
    files: { "given-1": "renewed-1-token", "given-2": "renewed-2-token", "given-3": "renewed-3-token" },
    secrets: ["renewed-1-token", "renewed-2-token", "renewed-3-token"],
  });
  expect(told.wrote("exact").toString()).toBe("the-very-firstrenewed-1-tokenrenewed-2-token");
  expect(told.result).toBe("***");
});

test("a run whose result is a secret says only that it is one", async () => {
  const told = await run({
    nodes: [cli("ask", "cat given"), secret("token")],
    edges: ["ask -> token"],
    files: { given: "the-secret-result" },
    secrets: ["the-secret-result"],
  });
  expect(told.result).toBe("***");
});

test("every string of a JSON response is masked, but its kind and lifetime stay readable", async () => {
  const given = {
    access_token: "acc-q7x2kz",
    token_type: "Bearer",
    expires_in: 3600,
    scope: "read write",
    more: [{ refresh: "ref-w9m4vp" }],
  };
  const told = await run({
    nodes: [
      cli("ask", "cat given"),
      secret("token"),
      cli(
        "use",
        'echo "${token.token_type} ${token.access_token} ${token.expires_in} ${token.scope} ${token.more[0].refresh}"',
      ),
    ],
    edges: ["ask -> token -> use"],
    files: { given: JSON.stringify(given) },
    secrets: ["acc-q7x2kz", "ref-w9m4vp"],
  });
  expect(told.result).toBe("Bearer *** 3600 read write ***");
});

test("the command that printed a secret shows it to no one, whether it succeeds or fails", async () => {
  const told = await run({
    nodes: [
      cli("ask", "cat given; cat given >&2; exit 7", { continueOnError: true }),
      secret("token"),
      cli("use", 'printf %s "${token}" > exact'),
    ],
    edges: ["ask -> token -> use"],
    files: { given: "printed-and-failed" },
    secrets: ["printed-and-failed"],
  });
  expect(told.wrote("exact").toString()).toBe("printed-and-failed");
  const ended = told.events.find((event) => event.type === "attempt.failed");
  expect(ended).toMatchObject({
    value: { text: "***" },
    end: { stdout: { bytes: 18, secret: true } },
    failure: { stderr: "***" },
  });
});

test("a secret that is too short or too large fails, and an empty value is not a secret", async () => {
  const take = (content: string) =>
    run({
      nodes: [cli("ask", content), secret("token"), cli("use", 'echo "<${token}>"')],
      edges: ["ask -> token -> use"],
      secrets: [],
    });
  expect(failureOf(await take("printf abc"))).toMatchObject({ path: "token", code: "secret-too-short" });
  expect(failureOf(await take("head -c 70000 /dev/zero | tr '\\0' x"))).toMatchObject({
    path: "ask",
    code: "secret-too-large",
  });
  expect(failureOf(await take("seq -f '\"number-%.0f\"' 1100 | paste -sd, | sed 's/.*/[&]/'"))).toMatchObject({
    path: "ask",
    code: "secret-too-large",
  });
  expect(failureOf(await take("yes"))).toMatchObject({ path: "ask", code: "secret-too-large" });
  expect((await take("true")).result).toBe("<>");
});

test("no message about a value shows the start of a secret", async () => {
  const long = `sk-${"0123456789abcdefghij".repeat(6)}`;
  const given = {
    nodes: [cli("ask", "cat given"), secret("token")],
    files: { given: long },
    secrets: [long.slice(0, 16), long.slice(-16)],
  };
  const told = [
    await run({
      ...given,
      nodes: [...given.nodes, node("loop", "loop-start", { iterations: "${token}" }), node("end", "loop-end", {})],
      edges: ["ask -> token", "loop -> end"],
    }),
    await run({
      ...given,
      nodes: [cli("ask", "cat given", { output: { format: "json" } }), secret("token")],
      edges: ["ask -> token"],
    }),
    await run({
      ...given,
      nodes: [...given.nodes, node("text", "text", { content: "${token.member}" })],
      edges: ["ask -> token"],
    }),
    await run({
      ...given,
      nodes: [...given.nodes, node("text", "text", { content: "${token|int}" })],
      edges: ["ask -> token"],
    }),
    await run({ ...given, nodes: [...given.nodes, cli("use", 'echo "${token.member}"')], edges: ["ask -> token"] }),
    await run({ ...given, nodes: [...given.nodes, cli("use", "cd /", { cwd: "${token}" })], edges: ["ask -> token"] }),
    await run({
      ...given,
      nodes: [...given.nodes, node("check", "if", { content: "$number(vars.token) = 1" }), cli("use", "true")],
      edges: ["ask -> token", "check:true -> use"],
    }),
  ];
  for (const each of told) expect(failureOf(each).message).not.toBe("");
});

test("the command that printed a secret keeps the last lines of a long stderr, masked", async () => {
  const told = await run({
    nodes: [
      cli("ask", 'for i in $(seq 100000); do echo "line $i of $(<given)" >&2; done; cat given', {}),
      secret("token"),
      cli("use", 'printf %s "${token}" > exact'),
    ],
    edges: ["ask -> token -> use"],
    files: { given: "said-again-and-again" },
    secrets: ["said-again-and-again"],
  });
  expect(told.wrote("exact").toString()).toBe("said-again-and-again");
  const ended = told.events.find((event) => event.type === "attempt.succeeded");
  const kept = ended?.type === "attempt.succeeded" ? ended.end.stderr?.bytes : undefined;
  expect(kept).toBeGreaterThan(300_000);
  expect(kept).toBeLessThan(1_000_000);
});
