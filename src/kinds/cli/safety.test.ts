// Commands that need approval, or are rejected, once the values of an attempt are known.

import { expect, test } from "vitest";
import { createMasker } from "../../secrets/masker.ts";
import type { CliData, Workflow } from "../../workflow/model.ts";
import { validateWorkflow } from "../../workflow/validate.ts";
import type { NodeContext } from "../context.ts";
import type { Tools } from "../tools.ts";
import { cliExecutor } from "./index.ts";

/** `fetch -> n`, where n is the node under test, with the given run inputs and value of the parent. */
async function prepared(
  data: Partial<CliData> & { content: string },
  {
    inputs = {},
    parent = "",
    egress,
  }: { inputs?: Record<string, string>; parent?: string; egress?: Workflow["egress"] } = {},
) {
  const text = JSON.stringify({
    curlew: 1,
    ...(egress === undefined ? {} : { egress }),
    inputs: Object.fromEntries(Object.keys(inputs).map((name) => [name, { type: "string" }])),
    nodes: [
      { id: "fetch", type: "cli", data: { title: "f", content: "true" } },
      { id: "n", type: "cli", data: { title: "n", content: "true" } },
    ],
    edges: ["fetch -> n"],
  });
  const { workflow } = await validateWorkflow(text, "t.flow.json");
  const node = workflow!.nodes[1]!;
  if (node.type !== "cli") throw new Error("no");
  Object.assign(node.data, { shell: "bash", ...data });
  const context: NodeContext = {
    path: "n",
    parents: () => [{ id: "fetch", value: { text: parent }, live: true }],
    variable: () => undefined,
    node: () => undefined,
    knows: (name) => name === "1" || name in inputs,
    loop: () => ({}),
    inputs,
    secrets: new Map(),
    environment: { PATH: process.env.PATH, HOME: "/home/ada" },
    workflow: workflow!,
    folder: "/",
    run: { id: "r", name: "T", startedAt: "2026-01-01T00:00:00.000Z", url: "" },
    trigger: { kind: "cli", at: "" },
    attempt: 1,
    place: { finally: false, inErrorBranch: false },
    failure: () => undefined,
    files: {} as NodeContext["files"],
    masker: createMasker(new Map()),
    isSecret: false,
  };
  const made = await cliExecutor({ runner: { name: () => undefined } } as Tools).prepare(node, context);
  return made.ok ? (made.value.asks ?? []).map(({ code, message }) => `${code}: ${message}`) : made.error.code;
}

test("a method that is a value", async () => {
  const content = 'curl -X "${method}" https://x/';
  expect(await prepared({ content }, { inputs: { method: "GET" } })).toEqual([]);
  expect(await prepared({ content }, { inputs: { method: "delete" } })).toEqual([
    "deletes: It deletes: curl sends DELETE.",
  ]);
  const statics = { content: 'curl -X "$METHOD" https://x/', env: { static: { METHOD: "${method}" } } };
  expect(await prepared(statics, { inputs: { method: "DELETE" } })).toEqual([
    "deletes: It deletes: curl sends DELETE.",
  ]);
});

test("where a value comes from does not matter", async () => {
  for (const content of ['curl -X PATCH -d "id=${1}" "https://x/${1}"', 'curl -T - "https://x/${1|uri}"', 'rm "${1}"'])
    expect(await prepared({ content }, { parent: "7" })).toEqual([]);
  expect(await prepared({ content: 'curl -X DELETE "https://x/${1}"' }, { parent: "7" })).toHaveLength(1);
});

test("a shell runs the value of a parent", async () => {
  const stdin: CliData["stdin"] = { source: "parent-index", parentIndex: 0 };
  expect(await prepared({ content: "bash", stdin }, { parent: "ls" })).toEqual([
    "runs-input: bash runs standard input as a program, and that is a value.",
  ]);
  expect(await prepared({ content: "bash" })).toEqual([]);
});

test("for clients with options before the URL, the URL is checked", async () => {
  const options = [
    "--retry 2",
    "--query page=1",
    "--paginate link --items data",
    "-F a=b",
    "--graphql '{ me }'",
    "-im5",
    "--",
  ];
  for (const option of options) {
    expect([option, await prepared({ content: `curlew http GET ${option} https://x/` })]).toEqual([option, []]);
    const plain = await prepared({ content: `curlew http ${option} GET http://example.com/` });
    expect([option, plain]).toEqual([option, "http-not-allowed"]);
  }
  expect(await prepared({ content: "http --max-redirects 3 GET https://x/" })).toEqual([]);
  expect(await prepared({ content: "http -d http://example.com/" })).toBe("http-not-allowed");
});

test("URLs without https are rejected before anything starts", async () => {
  const from = (base: string, more: object = {}) =>
    prepared({ content: 'curl "$API/x"', env: { static: { API: base } }, ...more });
  expect(await from("http://example.com")).toBe("http-not-allowed");
  expect(await from("example.com")).toBe("http-not-allowed");
  expect(await from("file:///etc")).toBe("http-not-allowed");
  expect(await from("http://localhost.example.com")).toBe("http-not-allowed");
  expect(await from("http://localhost:4790")).toEqual([]);
  expect(await from("http://[::1]:4790")).toEqual([]);
  expect(await from("https://example.com")).toEqual([]);
  expect(await from("http://example.com", { egress: "any" })).toEqual([]);
  expect(await from("http://example.com", { safetyLevel: "advanced" })).toEqual([]);
  const parts = { content: 'curl "${base}${rest}"' };
  expect(await prepared(parts, { inputs: { base: "http://127.0.0.1", rest: ".example.com/" } })).toBe(
    "http-not-allowed",
  );
  expect(await prepared(parts, { inputs: { base: "http://127.0.0.1:80", rest: "/x" } })).toEqual([]);
  const host = { content: 'curl "http://${host}/x"' };
  expect(await prepared(host, { inputs: { host: "example.com" } })).toBe("http-not-allowed");
  expect(await prepared(host, { inputs: { host: "127.0.0.1:80" } })).toEqual([]);
});

test("other HTTP clients must use https too", async () => {
  const runs = (content: string) => prepared({ content });
  for (const plain of [
    "git clone http://git.example/a",
    "git -C x fetch git://git.example/a",
    "lynx -dump http://a.example",
    "w3m ftp://a.example/x",
  ])
    expect(await runs(plain), plain).toBe("http-not-allowed");
  for (const fine of [
    "git clone https://git.example/a",
    "git commit -m http://issue.example/1",
    "aria2c http://localhost:80/x",
    "git clone git@git.example:a/b",
  ])
    expect(await runs(fine), fine).toEqual([]);
  // `validate` reports this: only the program knows whether the URL is called.
  expect(await runs("python3 -c 'open(\"http://a.example\")'")).toEqual([]);
});

test("a whole URL as a value is checked where it is inserted, by the same rule", async () => {
  const whole = { content: 'curl "${url}"' };
  expect(await prepared(whole, { inputs: { url: "http://example.com" } })).toBe("value-url");
  expect(await prepared(whole, { inputs: { url: "http://api.localhost:80/x" } })).toEqual([]);
  expect(await prepared(whole, { inputs: { url: "http://example.com" }, egress: "any" })).toEqual([]);
  expect(await prepared({ ...whole, safetyLevel: "advanced" }, { inputs: { url: "http://example.com" } })).toEqual([]);
  expect(await prepared(whole, { inputs: { url: "file:///etc/passwd" }, egress: "any" })).toBe("value-url");
});

test("options that reset the configuration are rejected", async () => {
  expect(await prepared({ content: "curl -q https://x/" })).toBe("curl-config-bypassed");
  for (const first of ["unset CURL_HOME;", "env -u CURL_HOME", "env -iu CURL_HOME", "env --unset CURL_HOME A=b"])
    expect(await prepared({ content: `${first} /usr/bin/curl https://x/` }), first).toBe("curl-config-bypassed");
  expect(await prepared({ content: "unset OTHER; env -u OTHER curl https://x/" })).toEqual([]);
  const given = { content: "curl $OPTIONS https://x/", env: { static: { OPTIONS: "${options}" } } };
  expect(await prepared(given, { inputs: { options: "-q" } })).toBe("curl-config-bypassed");
  expect(await prepared(given, { inputs: { options: "-s" } })).toEqual([]);
  expect(await prepared({ content: "curl -q https://x/", safetyLevel: "advanced" })).toEqual([]);
});

test("a call after --next that would lose the configuration is rejected", async () => {
  const after = (rest: string) => ({ content: `curl https://x/ --next ${rest}` });
  expect(await prepared(after('"${url}"'), { inputs: { url: "http://example.com" } })).toBe("value-url");
  expect(await prepared(after("$(cat address)"))).toBe("curl-next-forgets");
  expect(await prepared(after("-L https://y/"))).toBe("curl-next-forgets");
  expect(await prepared(after("--proto =https -L https://y/"))).toEqual([]);
  expect(await prepared(after("https://y/"))).toEqual([]);
  expect(await prepared(after("$(cat address)"), { egress: "any" })).toEqual([]);
});

test("an advanced node needs no approval, and neither does a script without a shell", async () => {
  expect(await prepared({ content: "sudo rm -rf x", safetyLevel: "advanced" })).toEqual([]);
  expect(await prepared({ content: "#!/usr/bin/env node\n// sudo rm -rf x", mode: "script" })).toEqual([]);
  expect(await prepared({ content: "#!/bin/bash\nsudo rm -rf x", mode: "script" })).toHaveLength(2);
});

// The executor rejects what the workflow checks reject, because a workflow may be older than the checks.
const GIVEN = { inputs: { v: "value", n: "7" }, parent: "from a parent" };

test.each([
  ["a literal sets a dangerous name", { static: { LD_PRELOAD: "./x.so" } }, []],
  ["two dollars are a literal", { static: { PS4: "$${x}" } }, []],
  ["a value does not", { static: { LD_PRELOAD: "${v}" } }, "env-name-dangerous"],
  ["neither as part of a text", { static: { PATH: "/bin:${v}" } }, "env-name-dangerous"],
  ["a parent does not", { exposeParents: true, names: ["https_proxy"] }, "env-name-dangerous"],
  ["plain names are plain", { exposeParents: true, names: ["__proto__"], static: { toString: "${v}" } }, []],
  ["our names are ours, also for a literal", { static: { CURLEW_RUN_ID: "x" } }, "env-name-reserved"],
  ["and for a parent", { exposeParents: true, names: ["CURLEW_V_x"] }, "env-name-reserved"],
  ["no name", { static: { "": "x" } }, "env-name-invalid"],
  ["an equals sign", { static: { "A=B": "x" } }, "env-name-invalid"],
  ["NUL", { static: { "A\0": "x" } }, "env-name-invalid"],
])("%s", async (_, env, expected) => {
  expect(await prepared({ content: "true", env }, GIVEN)).toEqual(expected);
});

test.each([
  ["a value as arithmetic", "echo $((N + 1))", { static: { N: "${v}" } }, "value-not-integer"],
  ["a text of the author's is the author's", "echo $((N + 1))", { static: { N: "value" } }, []],
  ["a number", "echo $((N + 1))", { static: { N: "${n}" } }, []],
  ["a parent", "echo $((INPUT_1 + 1))", { exposeParents: true }, "value-not-integer"],
  ["a parent under a name", "(( LAST > 1 ))", { exposeParents: true, names: ["LAST"] }, "value-not-integer"],
  ["no parent", "echo $((INPUT_1 + 1))", {}, []],
  ["an array's element by a value", 'a=(1 2); echo "${a[N]}"', { static: { N: "${v}" } }, "value-not-integer"],
  [
    "a value that the script looks at",
    "case $N in *[!0-9]*) exit 1;; esac; echo $((N))",
    { static: { N: "${v}" } },
    [],
  ],
])("%s", async (_, content, env, expected) => {
  expect(await prepared({ content, env }, GIVEN)).toEqual(expected);
});
