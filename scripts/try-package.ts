// try-package: what a user gets. Packs the package, installs the tarball in an empty folder, and uses it there: the
// command, a run, the exported functions, the exported types. The machine's own Node.js comes first on PATH, so that a
// machine with an older one also tries the switch to a brought Node.js 24.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const root = dirname(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), "curlew-package-"));
const path = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((each) => !each.includes("node_modules"))
  .join(delimiter);
const env = {
  ...process.env,
  PATH: path,
  CURLEW_HOME: join(folder, "home"),
  XDG_CACHE_HOME: join(folder, "cache"),
  // The user's keyring stays untouched.
  CURLEW_KEYRING: process.platform === "linux" ? "" : "off",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
};

const HELLO = `curlew: 1
name: Hello
inputs: { name: { type: string, default: world } }
nodes:
  - { id: hello, type: cli, data: { title: Hello, content: 'printf "Hello, %s" "\${name}"' } }
  - { id: sum, type: if, data: { title: Is it there, content: '$length(inputs[0]) > 3' } }
  - { id: end, type: text, data: { title: End, content: "\${1}!" } }
edges: [hello -> sum, sum:true -> end]
`;
const USE = `import { NodeType, parseWorkflow } from "curlew";
if (NodeType.CLI !== "cli") throw new Error("NodeType");
const { workflow } = parseWorkflow(process.argv[2] ?? "", "a.flow.yaml");
console.log(workflow?.name);
`;

try {
  const packed = run("npm", ["pack", "--silent", "--pack-destination", folder], root).trim().split("\n").at(-1) ?? "";
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", join(folder, packed)], folder);
  // npm installs the desktop keyring's library where it exists for this machine, and Curlew works without it
  // (docs/adr/0021).
  const beside = readdirSync(join(folder, "node_modules")).filter(visible);
  same("installs nothing else", beside.filter((name) => name !== "@napi-rs").join(), "curlew");

  const curlew = join(folder, "node_modules/.bin/curlew");
  same("the command answers", run(curlew, ["--version"], folder), "0.1.0\n");
  writeFileSync(join(folder, "hello.flow.yaml"), HELLO);
  same("a workflow runs", run(curlew, ["run", "hello.flow.yaml", "--input", "name=Ada"], folder), "Hello, Ada!\n");
  same("the history is there", run(curlew, ["runs", "--json"], folder).includes("succeeded"), true);

  savesSecrets(curlew);
  rmSync(join(folder, "node_modules/@napi-rs"), { recursive: true, force: true });
  savesSecrets(curlew);

  writeFileSync(join(folder, "use.mts"), USE);
  same("the functions are there", run(process.execPath, ["use.mts", HELLO], folder), "Hello\n");
  run(
    join(root, "node_modules/.bin/tsc"),
    [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--typeRoots",
      join(root, "node_modules/@types"),
      "--types",
      "node",
      "use.mts",
    ],
    folder,
  );
  console.log("well: the types are there");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** With the keyring's library or without it. On a machine without a desktop the key is in a file both times. */
function savesSecrets(curlew: string): void {
  run(curlew, ["secrets", "set", "TOKEN"], folder, "value-of-it");
  const library = existsSync(join(folder, "node_modules/@napi-rs")) ? "with" : "without";
  same(`secrets are kept ${library} the keyring's library`, run(curlew, ["secrets"], folder).startsWith("TOKEN"), true);
}

function run(program: string, args: string[], cwd: string, input = ""): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", input });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

function same(what: string, seen: unknown, wanted: unknown): void {
  if (seen !== wanted) throw new Error(`${what}: wanted ${JSON.stringify(wanted)}, saw ${JSON.stringify(seen)}`);
  console.log(`well: ${what}`);
}

function visible(name: string): boolean {
  return !name.startsWith(".");
}
