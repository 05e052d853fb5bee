import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { limits } from "../base/limits.ts";
import { configProblems, readSecretConfig, readSetting, type SecretConfig } from "./config.ts";

function homeWith(text: string | undefined): string {
  const home = tempFolder();
  if (text !== undefined) writeFileSync(join(home, "config.yaml"), text, { mode: 0o600 });
  return home;
}

async function read(text: string | undefined): Promise<SecretConfig> {
  const config = await readSecretConfig(homeWith(text));
  if (!config.ok) throw new Error(config.error.message);
  return config.value;
}

/** The message about the text, without the folder. */
async function said(text: string): Promise<string> {
  const home = homeWith(text);
  const config = await readSecretConfig(home);
  return config.ok ? "fine" : `${config.error.code} ${config.error.message.replace(`${home}/`, "")}`;
}

test("each kind of secret source is read, with its position", async () => {
  const { sources, keyringOff } = await read(`# mine
secrets:
  A: { command: [op, read, "op://x y/z"], timeout: 90s }
  B: { command: "pass show b | head -n 1" }
  C:
    env: OTHER_NAME
  constructor: { keychain: { service: s, account: a } }
keyring: off
`);
  const at = expect.stringMatching(/config\.yaml:\d+:\d+$/);
  expect([...sources]).toEqual([
    ["A", { at, kind: "command", argv: ["op", "read", "op://x y/z"], shell: false, timeoutMs: 90_000 }],
    [
      "B",
      { at, kind: "command", argv: ["pass show b | head -n 1"], shell: true, timeoutMs: limits.secretCommandTimeoutMs },
    ],
    ["C", { at, kind: "env", name: "OTHER_NAME" }],
    ["constructor", { at, kind: "keychain", service: "s", account: "a" }],
  ]);
  expect(sources.get("C")?.at).toMatch(/:6:5$/);
  expect(keyringOff).toBe(true);
});

test.each([undefined, "", "# nothing\n", "secrets:\n", "secrets: {}\n", "keyring: on\n", "llm: { providers: {} }\n"])(
  "%j names no secrets",
  async (text) => expect(await read(text)).toEqual({ sources: new Map(), keyringOff: false }),
);

const ONE_OF = 'one of { command: [PROGRAM, …] }, { command: "…" }, { env: NAME }, { keychain: { service, account } }';
test.each([
  ["secrets: [a\n", /^config-invalid config\.yaml:\d:\d+: is not YAML: /],
  ["- a\n", "config-invalid config.yaml:1:1: the file must contain an object."],
  [
    "secret: {}\n",
    'config-invalid config.yaml:1:1: has no setting "secret". Known settings: secrets, keyring, llm, auth, history, trust, publicHooksUrl, db, labels.',
  ],
  ["keyring: maybe\n", "config-invalid config.yaml:1:10: keyring must be on or off."],
  ["secrets: [A]\n", "config-invalid config.yaml:1:10: secrets must be an object."],
  ["secrets:\n  A-B: { env: C }\n", /^config-invalid config\.yaml:2:3: secrets\.A-B is not a valid name\. /],
  ["secrets:\n  A: hunter22\n", `config-invalid config.yaml:2:6: secrets.A must be ${ONE_OF}.`],
  ["secrets:\n  A:\n", `config-invalid config.yaml:2:5: secrets.A must be ${ONE_OF}.`],
  ["secrets:\n  A: { env: B, command: c }\n", `config-invalid config.yaml:2:6: secrets.A must be ${ONE_OF}.`],
  ["secrets:\n  A: { value: hunter22 }\n", /^config-invalid config\.yaml:2:8: secrets\.A has no setting "value"\. /],
  ["secrets:\n  A: { timeout: 1s }\n", `config-invalid config.yaml:2:6: secrets.A must be ${ONE_OF}.`],
  [
    "secrets:\n  A: { command: [] }\n",
    /^config-invalid config\.yaml:2:17: secrets\.A\.command must be a list of strings/,
  ],
  ["secrets:\n  A: { command: [a, 1] }\n", /secrets\.A\.command must be a list of strings/],
  ["secrets:\n  A: { command: ' ' }\n", /secrets\.A\.command must be a list of strings/],
  ['secrets:\n  A: { command: "a\\0b" }\n', /secrets\.A\.command must be a list of strings/],
  [
    "secrets:\n  A: { command: a, timeout: soon }\n",
    "config-invalid config.yaml:2:29: secrets.A.timeout must be a duration such as 30s.",
  ],
  [
    "secrets:\n  A: { env: B, timeout: 1s }\n",
    "config-invalid config.yaml:2:25: secrets.A.timeout is only for a command.",
  ],
  ["secrets:\n  A: { env: 'a=b' }\n", /secrets\.A\.env must be the name/],
  ["secrets:\n  A: { keychain: { service: s } }\n", /2:18: secrets\.A\.keychain\.account must be a string/],
  ["secrets:\n  A: { env: B }\n  A: { env: C }\n", /^config-invalid config\.yaml:3:\d: is not YAML: .*unique/],
  ["keyring: *b\n", "config-invalid config.yaml: uses an unknown alias, or too many of them."],
])("%j is reported with its place, and never with its value", async (text, message) => {
  const heard = await said(text);
  if (typeof message === "string") expect(heard).toBe(message);
  else expect(heard).toMatch(message);
  expect(heard).not.toContain("hunter22");
});

test("a file that others can write, that is too large, or that is a folder is not used", async () => {
  const home = homeWith("secrets: {}\n");
  const file = join(home, "config.yaml");
  const codeNow = async () => {
    const config = await readSecretConfig(home);
    return config.ok ? "fine" : config.error.code;
  };
  chmodSync(file, 0o620);
  expect(await codeNow()).toBe("config-not-private");
  chmodSync(file, 0o644);
  expect(await codeNow()).toBe("fine");
  writeFileSync(file, "#".repeat(limits.secretFileBytesMax + 1));
  expect(await codeNow()).toBe("config-invalid");
  rmSync(file);
  mkdirSync(file);
  expect(await codeNow()).toBe("config-unreadable");
});

test("checking the whole file reports every invalid part and every unknown setting", async () => {
  const home = homeWith(`# mine
publicHooksURL: https://a.example.com
publicHooksUrl: hooks.example.com
keyring: maybe
history: { keep: soon }
trust: nobody
llm: { providers: { a: { type: other } } }
auth:
  shop: { type: bearer }
turst: all-new
`);
  const found = await configProblems(home, ({ type, token }) =>
    token === undefined ? `needs token, ${type}` : undefined,
  );
  expect(new Set(found.map(({ code }) => code))).toEqual(new Set(["config-invalid"]));
  expect(
    found.map(({ message }) =>
      message
        .replace(/^.*config\.yaml:/, "")
        .split(" ")
        .slice(0, 5)
        .join(" "),
    ),
  ).toEqual([
    '2:1: has no setting "publicHooksURL".',
    '10:1: has no setting "turst".',
    "4:10: keyring must be on",
    "7:32: llm.providers.a.type must be one",
    "5:18: history.keep must be a",
    "6:8: trust must be imported",
    "3:17: publicHooksUrl must be a",
    "9:9: auth.shop: needs token, bearer.",
  ]);
  expect(await configProblems(homeWith("history: {}\n"))).toEqual([]);
  expect(await configProblems(homeWith(undefined))).toEqual([]);
  expect(await configProblems(homeWith("[a\n"))).toMatchObject([{ code: "config-invalid" }]);
});

test.each([
  ["turst: all-new\n", /:1:1: has no setting "turst"/],
  ["  turst: all-new\n", /:1:3: has no setting "turst"/],
  ["{ turst: all-new }\n", /has no setting "turst"/],
  ["keyring: off\n'turst': all-new\n", /:2:1: has no setting "turst"/],
])("%j: a misspelt trust is an error", async (text, message) => {
  const mode = await readSetting(homeWith(text), "trust");
  expect(mode.ok ? mode.value : mode.error.message).toMatch(message);
});

test("labels are a list of strings, and anything else is an error with its place", async () => {
  expect(await readSetting(homeWith("labels: [gpu, eu]\n"), "labels")).toMatchObject({ value: ["gpu", "eu"] });
  expect(await readSetting(homeWith(undefined), "labels")).toMatchObject({ value: undefined });
  const home = homeWith("labels: gpu\n");
  const wrong = await readSetting(home, "labels");
  expect(wrong.ok ? "" : wrong.error.message).toContain("1:9: labels must be a list of strings");
});
