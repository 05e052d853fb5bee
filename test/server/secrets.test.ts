// Secrets over HTTP (spec 2.3, 4.2): values come in and never go out. Each secret says where it comes from and which
// workflows use it.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Page, Problem, SecretItem, SecretTest } from "../../src/api/shapes.ts";
import { type Served, served } from "./served.ts";

/** Without the setup of the test's machine. */
const { PATH, HOME, LANG } = process.env;
const CLEAN = { PATH, HOME, LANG, CURLEW_KEYRING: "off" } as NodeJS.ProcessEnv;

const VALUE = "k3y-of-the-test/Ünïcode+=&\"'\\ nobody-else-has-it";
const PLAIN = "a-value-that-several-have";
const uses = (...names: string[]) =>
  `curlew: 1\nname: u\nsecrets: [${names.join(", ")}]\nnodes:\n  - { id: a, type: text, data: { title: A, content: "\${${names[0]}}" } }\n`;

async function items(it: Served): Promise<SecretItem[]> {
  const answer = await it.api("GET", "/secrets");
  expect(answer.status).toBe(200);
  return ((await answer.json()) as Page<SecretItem>).items;
}

async function tried(it: Served, name: string): Promise<SecretTest> {
  const answer = await it.api("POST", `/secrets/${name}/test`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as SecretTest;
}

function writeHome(it: Served, name: string, text: string): void {
  mkdirSync(it.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(it.home, name), text);
  chmodSync(join(it.home, name), 0o600);
}

test("a secret is set, found, tested, used, replaced and removed, and its value never leaves", async () => {
  const it = await served({ "a.flow.yaml": uses("API_KEY"), "sub/b.flow.yaml": uses("API_KEY", "OTHER") });
  const said: string[] = [];
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await it.api(method, path, body);
    said.push(JSON.stringify([...answer.headers]), await answer.clone().text());
    return answer;
  };
  expect((await call("PUT", "/secrets/API_KEY", { value: "the first value of it" })).status).toBe(204);
  expect((await call("PUT", "/secrets/API_KEY", { value: VALUE })).status).toBe(204);
  expect(await items(it)).toEqual([
    { name: "API_KEY", source: "store", stored: true, usedBy: ["a.flow.yaml", "sub/b.flow.yaml"] },
    {
      name: "OTHER",
      stored: false,
      usedBy: ["sub/b.flow.yaml"],
      problem: expect.stringContaining("not in the environment"),
    },
  ]);
  expect(await tried(it, "API_KEY")).toEqual({ ok: true, source: "store" });
  expect(await tried(it, "OTHER")).toMatchObject({ ok: false, problem: "OTHER is not set anywhere." });
  for (const [method, path, body] of [
    ["GET", "/secrets"],
    ["POST", "/secrets/API_KEY/test"],
    ["PUT", "/secrets/bad-name", { value: VALUE }],
    ["PUT", "/secrets/API_KEY", { value: `${VALUE}\0` }],
    ["PUT", "/secrets/API_KEY", { value: 1, also: VALUE }],
    ["PUT", "/secrets/API_KEY", VALUE],
    ["PUT", "/secrets/API_KEY", { value: VALUE.repeat(2_000) }],
    ["GET", "/doctor"],
    ["GET", "/settings"],
    ["GET", "/workflows"],
    ["GET", "/workflows/a.flow.yaml"],
    ["DELETE", "/secrets/OTHER"],
  ] as const)
    await call(method, path, body);
  expect((await call("DELETE", "/secrets/API_KEY")).status).toBe(204);
  expect((await call("DELETE", "/secrets/API_KEY")).status).toBe(404);
  expect((await items(it)).map(({ stored }) => stored)).toEqual([false, false]);
  await it.close();
  const all = [...said, ...filesOf(it.home)].join("\n");
  for (const form of [
    VALUE,
    VALUE.slice(0, 15),
    JSON.stringify(VALUE).slice(1, -1),
    encodeURIComponent(VALUE),
    Buffer.from(VALUE).toString("base64").slice(0, 20),
    "the first value",
  ])
    expect(all.includes(form), form).toBe(false);
  // The caller is on record, with the name only.
  expect(all).toContain("API_KEY");
});

/** The text of every file; nothing is left out. */
function filesOf(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile()
      ? [
          readFileSync(join(entry.parentPath, entry.name), "latin1"),
          readFileSync(join(entry.parentPath, entry.name), "utf8"),
        ]
      : [],
  );
}

describe("the source of a secret", () => {
  test("is listed in the order in which a run looks", async () => {
    const it = await served(
      {
        "sub/b.flow.yaml": uses("FROM_ENV", "FROM_FILE", "FROM_COMMAND", "FROM_ALIAS", "NO_ALIAS"),
        "sub/.env": "FROM_FILE=a value in a file\nFROM_ENV=not this\n",
      },
      { env: { ...CLEAN, FROM_ENV: "in the environment", ALIAS: "of another name" } },
    );
    const marker = join(it.home, "it-ran");
    writeHome(
      it,
      "config.yaml",
      `secrets:\n  FROM_COMMAND: { command: "touch '${marker}'; echo printed-by-a-command" }\n  FROM_ALIAS: { env: ALIAS }\n  NO_ALIAS: { env: NOT_SET }\n`,
    );
    const sources = Object.fromEntries((await items(it)).map(({ name, source }) => [name, source]));
    expect(sources).toMatchObject({
      FROM_ENV: "environment",
      FROM_FILE: ".env",
      FROM_COMMAND: "command",
      FROM_ALIAS: "environment",
    });
    expect(sources.NO_ALIAS).toBeUndefined();
    expect(existsSync(marker), "looking runs nothing").toBe(false);
    expect(await tried(it, "FROM_COMMAND")).toEqual({ ok: true, source: "command" });
    expect(existsSync(marker), "testing does").toBe(true);
    expect((await items(it)).find(({ name }) => name === "NO_ALIAS")?.problem).toContain("NOT_SET");
  });

  test("is found by its value, where a run would look, and without running a command", async () => {
    const it = await served(
      {
        "a.flow.yaml": uses("FROM_ENV", "HIDDEN"),
        "sub/b.flow.yaml": uses("FROM_FILE", "FROM_COMMAND", "FROM_ALIAS"),
        "sub/.env": `FROM_FILE=${PLAIN}\nHIDDEN=${PLAIN}\n`,
      },
      { env: { ...CLEAN, FROM_ENV: PLAIN, ALIAS: PLAIN, HIDDEN: "another value" } },
    );
    const marker = join(it.home, "it-ran");
    writeHome(
      it,
      "config.yaml",
      `secrets:\n  FROM_COMMAND: { command: "touch '${marker}'; echo ${PLAIN}" }\n  FROM_ALIAS: { env: ALIAS }\n`,
    );
    await it.api("PUT", "/secrets/STORED", { value: PLAIN });
    const same = async (body: object) => {
      const answer = await it.api("POST", "/secrets/same", body);
      return answer.status === 200 ? ((await answer.json()) as { names: string[] }).names : answer.status;
    };
    expect(await same({ value: PLAIN })).toEqual(["FROM_ALIAS", "FROM_ENV", "STORED"]);
    const beside = ["FROM_ALIAS", "FROM_ENV", "FROM_FILE", "STORED"];
    expect(await same({ value: PLAIN, workflow: "sub/b.flow.yaml" })).toEqual(beside);
    expect(await same({ value: PLAIN, workflow: "../sub/b.flow.yaml" })).not.toContain("FROM_FILE");
    expect(await same({ value: `${PLAIN}.` })).toEqual([]);
    expect(await same({ value: "" })).toBe(422);
    expect(existsSync(marker), "comparing runs nothing").toBe(false);
  });

  test("is listed with its error, without the path of the data directory", async () => {
    const it = await served({ "a.flow.yaml": uses("BROKEN") });
    writeHome(
      it,
      "config.yaml",
      'secrets:\n  BROKEN: { command: "echo half-of-a-secret; echo the vault is sealed >&2; exit 3" }\n',
    );
    const result = await tried(it, "BROKEN");
    expect(result).toMatchObject({ ok: false, source: "command" });
    expect(JSON.stringify(result)).toContain("the vault is sealed");
    expect(JSON.stringify(result)).not.toContain("half-of-a-secret");
    writeHome(it, "config.yaml", "secrets: [");
    const broken = await it.api("PUT", "/secrets/BROKEN", { value: "some value" });
    expect(broken.status).toBe(422);
    expect(((await broken.json()) as Problem).code).toBe("config-invalid");
    const all = JSON.stringify([await items(it), result, await tried(it, "BROKEN")]);
    expect(all).not.toContain(it.home);
    expect(all).toContain("config.yaml:1:");
  });
});

test("a caller that may only read sees names, and changes or tests nothing", async () => {
  const it = await served({ "a.flow.yaml": uses("API_KEY") });
  const login = (await (await it.api("POST", "/server/login", { rights: ["read"] })).json()) as { url: string };
  const session = await it.api("POST", "/session", { code: login.url.split("#code=")[1] });
  const { token } = (await session.json()) as { token: string };
  const reader = { authorization: `Bearer ${token}` };
  expect((await it.api("GET", "/secrets", undefined, reader)).status).toBe(200);
  expect((await it.api("PUT", "/secrets/API_KEY", { value: "some value" }, reader)).status).toBe(403);
  expect((await it.api("DELETE", "/secrets/API_KEY", undefined, reader)).status).toBe(403);
  expect((await it.api("POST", "/secrets/API_KEY/test", undefined, reader)).status).toBe(403);
  expect((await it.api("POST", "/secrets/same", { value: "some value" }, reader)).status).toBe(403);
  expect((await items(it))[0]?.stored).toBe(false);
});
