// The key of the local secrets in a real desktop keyring: gnome-keyring in a separate session, which ends with the
// test's command.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { type Folder, folder, inARow, MAIN, type Ran, started } from "./curlew.ts";

const FLOW = inARow({ a: 'printf %s "${TOKEN}" | tr a-z n-za-m' }, "secrets: [TOKEN]\n");
const CURLEW = `'${process.execPath}' '${MAIN}'`;

/** Shell commands in a session with an unlocked keyring, which stays in the folder between sessions. `$C` is curlew. */
function inSession(it: Folder, commands: string, env: Record<string, string> = {}): Promise<Ran> {
  for (const name of ["data", "runtime"]) mkdirSync(join(it.path, name), { recursive: true, mode: 0o700 });
  const script = `printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; C="${CURLEW}"\n${commands}`;
  const dirs = { XDG_DATA_HOME: join(it.path, "data"), XDG_RUNTIME_DIR: join(it.path, "runtime") };
  return started(
    "dbus-run-session",
    ["--", "sh", "-c", script],
    it.path,
    { env: { ...dirs, CURLEW_KEYRING: "", ...env } },
    it.home,
  ).done;
}

/** Asks for a keyring where none exists. */
const NO_SESSION = { CURLEW_KEYRING: "", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" };

const keyrings = test.runIf(has("gnome-keyring-daemon") && has("dbus-run-session"));

keyrings("the key is kept in the keyring and found there in the next session; no key file is made", async () => {
  const it = folder({ "f.flow.yaml": FLOW });
  const saved = await inSession(it, "printf value-of-it | eval $C secrets set TOKEN");
  expect(saved).toMatchObject({ code: 0, stderr: expect.stringContaining("the key is in the desktop keyring") });
  expect(existsSync(join(it.home, "secrets.key"))).toBe(false);
  const ran = await inSession(
    it,
    "eval $C run f.flow.yaml --quiet; printf another | eval $C secrets set OTHER; eval $C secrets",
  );
  expect(ran.stdout).toMatch(/^inyhr-bs-vg\nOTHER .*\nTOKEN .*\n$/);
});

keyrings("without the session, or with CURLEW_KEYRING=off, the store says that its key is not to be had", async () => {
  const it = folder({ "f.flow.yaml": FLOW });
  await inSession(it, "printf value-of-it | eval $C secrets set TOKEN");
  const before = it.read(".home/secrets.age");
  for (const ran of [
    await it.run("run f.flow.yaml", { env: NO_SESSION }),
    await it.run("secrets set OTHER", { stdin: "another", env: NO_SESSION }),
    await inSession(it, "eval $C secrets", { CURLEW_KEYRING: "off" }),
  ])
    expect(ran).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("error[secret-store-key-missing]"),
    });
  expect(it.read(".home/secrets.age")).toBe(before);
  expect(existsSync(join(it.home, "secrets.key"))).toBe(false);
});

keyrings(
  "CURLEW_KEYRING=off and keyring: off put the key into a file, which is then used everywhere",
  async () => {
    for (const off of ["env", "config"]) {
      const it = folder({ "f.flow.yaml": FLOW });
      if (off === "config") it.write(".home/config.yaml", "keyring: off\n");
      const saved = await inSession(
        it,
        "printf value-of-it | eval $C secrets set TOKEN",
        off === "env" ? { CURLEW_KEYRING: "off" } : {},
      );
      expect(saved.stderr).toContain("secrets.key");
      expect((await it.run("run f.flow.yaml --quiet")).stdout).toBe("inyhr-bs-vg\n");
      expect((await inSession(it, "eval $C run f.flow.yaml --quiet")).stdout).toBe("inyhr-bs-vg\n");
    }
  },
  120_000,
);

keyrings("a secret that another program keeps in the keyring is taken from there", async () => {
  const it = folder({ "f.flow.yaml": FLOW });
  it.write(".home/config.yaml", "secrets: { TOKEN: { keychain: { service: db, account: ci } } }\n");
  const library = join(import.meta.dirname, "../../node_modules/@napi-rs/keyring/index.js");
  const program = `import k from ${JSON.stringify(library)}; await new k.AsyncEntry("db", "ci", { linux: { store: "secret-service" } }).setPassword("value-of-it");`;
  const ran = await inSession(
    it,
    `eval $C run f.flow.yaml --quiet; '${process.execPath}' --input-type=module -e '${program}'; eval $C run f.flow.yaml --quiet`,
  );
  expect(ran.stderr).toContain("the desktop keyring has no such entry");
  expect(ran.stdout).toBe("inyhr-bs-vg\n");
});

test("without a session the key is in a file, and a configured keychain is reported as not answering", async () => {
  const it = folder({ "f.flow.yaml": FLOW });
  it.write(".home/config.yaml", "secrets: { OTHER: { keychain: { service: db, account: ci } } }\n");
  expect((await it.run("secrets set TOKEN", { stdin: "value-of-it", env: NO_SESSION })).stderr).toContain(
    "secrets.key",
  );
  it.write("g.flow.yaml", FLOW.replaceAll("TOKEN", "OTHER"));
  expect(await it.run("run g.flow.yaml", { env: NO_SESSION })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[secret-source-failed]"),
  });
});
