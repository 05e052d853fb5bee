// Checks the programs that nodes use: Node.js, shells, curl, jq, bubblewrap (spec 2.2).
// Each is started to print its version. bubblewrap is started with an empty sandbox, to see whether it works.
//   P1. A missing program that only some workflows need is a note. It is an error only if there is no shell at all.
//   P2. All programs are checked at the same time, each with a time limit.

import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { limits } from "../../base/limits.ts";
import { findProgram } from "../../process/dialect.ts";
import { sandboxProblem } from "../../process/sandbox.ts";
import { type Check, finding, passed } from "./check.ts";
import { curlChecks } from "./curl.ts";

type Env = Readonly<Record<string, string | undefined>>;

interface Wanted {
  name: string;
  /** Arguments that print the version on the first line. */
  version: readonly string[] | undefined;
  why: string;
  package?: string;
}

const WANTED: readonly Wanted[] = [
  { name: "bash", version: ["--version"], why: "Nodes run in bash by default." },
  { name: "sh", version: undefined, why: "Nodes with `shell: sh` need it." },
  { name: "zsh", version: ["--version"], why: "Nodes with `shell: zsh` need it." },
  { name: "pwsh", version: ["--version"], why: "Nodes with `shell: pwsh` need it.", package: "PowerShell 7" },
  { name: "cmd", version: undefined, why: "Nodes with `shell: cmd` need it." },
  { name: "curl", version: ["--version"], why: "Most workflows call APIs with it. `curlew http` works without it." },
  { name: "jq", version: ["--version"], why: "Many workflows read JSON with it." },
  { name: "bwrap", version: ["--version"], why: "Nodes with a `sandbox` need it.", package: "bubblewrap" },
];
const ONLY_ON_WINDOWS = new Set(["cmd"]);
const NOT_ON_WINDOWS = new Set(["sh", "zsh", "bwrap"]);

export async function programChecks(env: Env, platform: NodeJS.Platform = process.platform): Promise<Check[]> {
  const wanted = WANTED.filter(
    ({ name }) => !(platform === "win32" ? NOT_ON_WINDOWS : ONLY_ON_WINDOWS).has(name),
  ).filter(({ name }) => name !== "pwsh" || platform === "win32" || findProgram(name, env.PATH) !== undefined);
  const found = await Promise.all(wanted.map((one) => programCheck(one, env)));
  return [...nodeChecks(env), ...found.flat()];
}

function nodeChecks({ NODE_TLS_REJECT_UNAUTHORIZED }: Env): Check[] {
  const checks: Check[] = [passed("node", `${process.execPath}: Node.js ${process.versions.node}`)];
  if (NODE_TLS_REJECT_UNAUTHORIZED === "0")
    checks.push(
      finding("wrong", "node", "node-insecure", [
        "NODE_TLS_REJECT_UNAUTHORIZED=0 turns the check of certificates off for every program of Node.js.",
        "Take it out of the environment; NODE_EXTRA_CA_CERTS=FILE adds a CA.",
      ]),
    );
  return checks;
}

async function programCheck({ name, version, why, package: inPackage = name }: Wanted, env: Env): Promise<Check[]> {
  const path = findProgram(name, env.PATH);
  if (path === undefined) return [missing(name, why, inPackage, env)];
  if (version === undefined) return [passed(name, `${path}${behind(path)}`)];
  const said = await asked(path, version, env);
  if (!said.ok)
    return [
      finding("wrong", name, "program-broken", [`${path} cannot be used: ${said.why}.`, `Install ${inPackage} again.`]),
    ];
  if (name === "curl") return curlChecks(path, said.text, env);
  const kept = name === "bwrap" ? sandboxProblem("strict", env.PATH) : undefined;
  if (kept !== undefined)
    return [finding("note", name, kept.code, [kept.message, kept.hint ?? "See docs/reference/sandbox.md."])];
  return [passed(name, `${path}: ${said.text.split("\n")[0]}`)];
}

function missing(name: string, why: string, inPackage: string, env: Env): Check {
  const noShell = name === "sh" && findProgram("bash", env.PATH) === undefined;
  return finding(noShell ? "wrong" : "note", name, "not-installed", [
    `${name} is not on PATH. ${why}`,
    noShell ? "Install bash: commands need a shell." : `Install ${inPackage} if one of your workflows needs it.`,
  ]);
}

/** Resolves links: `sh` is usually another shell. */
function behind(path: string): string {
  try {
    const real = basename(realpathSync(path));
    return real === basename(path) ? "" : ` (${real})`;
  } catch {
    return "";
  }
}

type ProgramAnswer = { ok: true; text: string } | { ok: false; why: string };

/** P2. */
function asked(path: string, args: readonly string[], env: Env): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    const options = { encoding: "utf8", timeout: limits.doctorProgramMs, env: { ...env, LC_ALL: "C" } } as const;
    execFile(path, args, options, (error, stdout, stderr) => {
      if (error === null || stdout.trim() !== "") return resolve({ ok: true, text: stdout });
      const late = `it did not answer within ${limits.doctorProgramMs / 1_000} s`;
      resolve({
        ok: false,
        why: error.killed === true ? late : stderr.trim().split("\n")[0] || error.message.split("\n")[0]!,
      });
    }).stdin?.end();
  });
}
