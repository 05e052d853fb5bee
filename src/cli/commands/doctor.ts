// doctor: looks at what Curlew stands on, and says of everything that is wrong what helps (spec 3.4). Changes nothing.
//   D1. Exit code 0: nothing is wrong; a program that only some workflows need may be missing, and is noted. 1: something is wrong.
//   D2. Every finding has a stable code, and what helps.
// Deliberately absent: repair. What is wrong is a person's to decide about: put a backup in its place, or remove the run.

import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../process/dialect.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf } from "../open.ts";
import type { Terminal } from "../terminal.ts";
import { harmless, oneLine } from "../text.ts";

export interface DoctorOptions extends HomeOption {
  store?: boolean;
  json?: boolean;
}

export interface Check {
  /** What was looked at: `store`, `home`, `bash`, … */
  what: string;
  status: "ok" | "note" | "wrong";
  message: string;
  /** Of what is not ok. */
  code?: string;
  help?: string;
  run?: string;
}

export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<Exit> {
  const home = homeOf(options, terminal);
  const checks: Check[] = options.store === true ? [] : [...homeChecks(home), ...programChecks(terminal.env.PATH)];
  const { storeChecks } = await import("../doctor-store.ts");
  checks.unshift(...storeChecks(home));
  const sound = checks.every((check) => check.status !== "wrong");
  if (options.json) terminal.json({ sound, home, checks }, true);
  else for (const check of checks) terminal.out(text(check, terminal));
  return sound ? Exit.OK : Exit.FAILED;
}

const LOOKS = { ok: "succeeded", note: "warning", wrong: "failed" } as const;

function text({ what, status, message, code, help }: Check, { outStyle }: Terminal): string {
  const head = `${outStyle(LOOKS[status], status.padEnd(5))}  ${what.padEnd(8)}  `;
  const told = `${head}${code === undefined ? "" : `[${code}] `}${oneLine(message)}\n`;
  return help === undefined ? told : `${told}       ${outStyle("label", "help:")} ${harmless(help)}\n`;
}

/** Nobody else may write to it, and nobody else may read its keys. */
function homeChecks(home: string): Check[] {
  if (!existsSync(home)) return [{ what: "home", status: "ok", message: `${home} is made when the first run starts.` }];
  if (process.platform === "win32") return [{ what: "home", status: "ok", message: home }];
  const open = ["", "key", "secrets.age", "secrets.key", "config.yaml"].flatMap((name): Check[] => {
    const file = join(home, name);
    const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0;
    const wanted = name === "" || name === "config.yaml" ? 0o022 : 0o077;
    if ((mode & wanted) === 0) return [];
    return [
      {
        what: "home",
        status: "wrong",
        code: "home-open",
        message: `Other users may ${wanted === 0o022 ? "write to" : "read"} ${file} (mode ${mode.toString(8)}).`,
        help: `chmod ${wanted === 0o022 ? "go-w" : "go-rwx"} '${file}'`,
      },
    ];
  });
  return open.length > 0 ? open : [{ what: "home", status: "ok", message: `${home}, closed to others.` }];
}

interface Wanted {
  name: string;
  /** Arguments with which it tells its version; the first line counts. */
  version: string[] | undefined;
  why: string;
}

const WANTED: Wanted[] = [
  { name: "bash", version: ["--version"], why: "Nodes run in bash unless they say otherwise." },
  { name: "sh", version: undefined, why: "Nodes with `shell: sh` need it." },
  { name: "zsh", version: ["--version"], why: "Nodes with `shell: zsh` need it." },
  { name: "curl", version: ["--version"], why: "Most workflows call APIs with it." },
  { name: "bwrap", version: ["--version"], why: "Nodes with a `sandbox` need it (package bubblewrap)." },
];
const VERSION_MS = 5_000;

function programChecks(path: string | undefined): Check[] {
  return WANTED.map(({ name, version, why }): Check => {
    const found = findProgram(name, path);
    if (found !== undefined) {
      const said = version && spawnSync(found, version, { encoding: "utf8", timeout: VERSION_MS }).stdout;
      return { what: name, status: "ok", message: `${found}${said ? `: ${said.split("\n")[0]}` : ""}` };
    }
    const needed = name === "sh";
    return {
      what: name,
      status: needed ? "wrong" : "note",
      code: "not-installed",
      message: `${name} is not on PATH. ${why}`,
      help: `Install ${name === "bwrap" ? "bubblewrap" : name} if a workflow of yours needs it.`,
    };
  });
}
