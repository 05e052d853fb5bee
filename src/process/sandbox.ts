// sandbox: what a command can see in a sandbox, and the bubblewrap arguments for it (spec 4.2).
//   B1. A command never runs with less isolation than requested: a bubblewrap failure is reported, before the run if
//       possible.
//   B2. Values are never on a command line: mounts and environment reach bubblewrap through a descriptor (`--args`).
//       bubblewrap's own environment is empty, so that no variable of the command (LD_PRELOAD) has an effect outside.
//   B3. Curlew's data directory is hidden in every mode, except for the run's files that are given to the command and
//       its report folder.
//   B4. The command's end is reported exactly: bubblewrap turns a signal into 128+n, so the shell in between says which
//       of the two it was.
// It has no system call profiles, no memory or time limits, and exists only on Linux.

import { spawnSync } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import type { Server } from "node:net";
import { dirname, join, sep } from "node:path";
import type { Failure } from "../base/failure.ts";
import { findProgram } from "./dialect.ts";

export type SandboxMode = "no-network" | "read-only" | "strict";

export interface SandboxSpec {
  mode: SandboxMode;
  /** Absolute path of bubblewrap. */
  bwrap: string;
  /** Curlew's data directory, hidden (B3). */
  home: string;
  /** Files that the command may read although they are hidden otherwise. Absolute paths. */
  files: readonly string[];
  /** Folders besides the working directory that the command may write to. Absolute paths. */
  writes?: readonly string[];
  /**
   * Access to the proxy from a namespace without a network. Node.js listens inside, passes the socket out, and exits
   * before the command starts.
   */
  door?: { node: string; port: number; open(server: Server): void };
}

/**
 * Starts the command, waits, and reports on descriptor 2 if a signal ended it. Descriptor 4 is the command's stderr.
 * TERM is for the command.
 */
const KEEPER = 'trap : TERM INT HUP; (exec "$@" 2>&4 3>&- 4>&- 5>&-); exit $?';
export const EGRESS_DOOR_FAILED = "the program that opens the egress proxy failed";
/** The same, after the program of the first three arguments has passed out a socket that listens inside. */
const KEEPER_WITH_DOOR = `NODE_CHANNEL_FD=6 "$1" -e "$2" "$3" || { echo "${EGRESS_DOOR_FAILED}" >&2; exit 125; }; shift 3; ${KEEPER.replace("5>&-", "5>&- 6>&-")}`;
const DOOR = `require("net").createServer().listen({ host: "127.0.0.1", port: +process.argv[1], backlog: 511 }, function () {
  process.send("door", this, () => process.exit()) })`;
/** Descriptors above stderr: bubblewrap's arguments, the command's stderr, bubblewrap's report, the socket channel. */
export const SANDBOX_FDS = { report: 2, args: 3, stderr: 4, status: 5, door: 6 } as const;

/** The command line. It reveals only the command itself. */
export function sandboxedArgv(spec: SandboxSpec, argv: readonly string[]): string[] {
  const start = [spec.bwrap, "--args", String(SANDBOX_FDS.args), "--", "/bin/sh", "-c"];
  const { door } = spec;
  if (door === undefined) return [...start, KEEPER, "curlew", ...argv];
  return [...start, KEEPER_WITH_DOOR, "curlew", door.node, DOOR, String(door.port), ...argv];
}

/** The input of `--args`: mounts, then environment. `cwd` is the working directory, the only writable folder. */
export function sandboxArguments(spec: SandboxSpec, cwd: string, env: Readonly<Record<string, string>>): string[] {
  const work = realpathSync(cwd);
  const set: Record<string, string> = Object.assign(Object.create(null), env);
  if (spec.mode !== "no-network" && set.TMPDIR !== undefined && !isUnder(set.TMPDIR, work)) set.TMPDIR = "/tmp";
  return [
    ...fences(spec.mode),
    ...places(spec, work, env.HOME),
    ...["--chdir", work, "--json-status-fd", String(SANDBOX_FDS.status)],
    // Node.js sets it for its child process, which is bubblewrap.
    ...["--unsetenv", "NODE_CHANNEL_FD", "--unsetenv", "NODE_CHANNEL_SERIALIZATION_MODE"],
    ...Object.entries(set).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/**
 * Why this machine cannot provide that sandbox. Undefined if it can. Tested once per process and mode with a command
 * that does nothing. `path`: the PATH to search for bwrap. Failure: `sandbox-unavailable`.
 */
export function sandboxProblem(mode: SandboxMode, path: string | undefined): Failure | undefined {
  const bwrap = process.platform === "linux" ? findProgram("bwrap", path) : undefined;
  if (bwrap === undefined) return unavailable(mode, process.platform === "linux" ? "is-missing" : "is-for-linux");
  const key = `${mode} ${bwrap}`;
  let said = tried.get(key);
  if (said === undefined) {
    said = tryOut(mode, bwrap);
    tried.set(key, said);
  }
  return said === "" ? undefined : unavailable(mode, said);
}

/** Rejects folders that cannot be a sandbox's working directory. Failure: `sandbox-folder`. */
export function folderProblem(mode: SandboxMode, cwd: string, home: string): Failure | undefined {
  if (mode === "no-network") return undefined;
  const work = realpathSync(cwd);
  const hidden = realHome(home);
  if (!SYSTEM.some((folder) => work === folder) && !PSEUDO.some((folder) => isUnder(work, folder)) && work !== hidden)
    return undefined;
  return {
    code: "sandbox-folder",
    message: `${JSON.stringify(work)} cannot be the working folder of a command with "sandbox: ${mode}": ${work === hidden ? "it is Curlew's data directory" : "it is a system folder"}, but commands may write to their working folder.`,
    hint: 'Give the node its own folder with "cwd".',
  };
}

/** Reports a program that is not visible in the sandbox. Failure: `sandbox-program`. */
export function programProblem(spec: SandboxSpec, program: string, cwd: string): Failure | undefined {
  if (spec.mode === "no-network") return undefined;
  const seen = (file: string): boolean => {
    const gone = spec.mode === "strict" ? [] : ["/tmp", "/run", spec.home];
    if (isUnder(file, realpathSync(cwd)) || spec.files.includes(file)) return true;
    if (spec.mode === "strict") return ["/usr", "/etc"].some((folder) => isUnder(file, folder));
    return !gone.some((folder) => isUnder(file, folder));
  };
  const real = realpathSync(program);
  if (seen(real)) return undefined;
  return {
    code: "sandbox-program",
    message: `${JSON.stringify(real)} is not visible in the sandbox "${spec.mode}".`,
    hint:
      spec.mode === "strict"
        ? "Only /usr, /etc, and the working folder are visible there. Use a program of the system, or sandbox: read-only."
        : "/tmp and /run are empty there. Move the program to another folder.",
  };
}

// ── Isolation
// ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const SYSTEM = ["/", "/bin", "/boot", "/etc", "/lib", "/run", "/sbin", "/sys", "/usr", "/var"];
const PSEUDO = ["/proc", "/dev", "/sys"];
/**
 * Capabilities that root keeps to handle other users' files: no mounts, devices, other namespaces, or network settings.
 */
const ROOT_KEEPS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID"];

function fences(mode: SandboxMode): string[] {
  const always = ["--die-with-parent", "--new-session", "--unshare-pid", "--cap-drop", "ALL"];
  if (mode === "strict") return [...always, "--unshare-all"];
  const keeps = process.getuid?.() === 0 ? ROOT_KEEPS.flatMap((name) => ["--cap-add", `CAP_${name}`]) : [];
  return [...always, ...keeps, ...(mode === "no-network" ? ["--unshare-net"] : [])];
}

/** Mounts in covering order: a folder comes before anything inside it. */
function places(spec: SandboxSpec, work: string, userHome: string | undefined): string[] {
  const { mode } = spec;
  const hidden = realHome(spec.home);
  const later: { at: string; mount: string[] }[] = [{ at: hidden, mount: ["--tmpfs", hidden] }];
  if (mode !== "no-network") later.push({ at: work, mount: ["--bind", work, work] });
  if (mode === "strict" && userHome?.startsWith("/") === true && userHome !== "/" && !isUnder(userHome, "/usr"))
    if (!isUnder(userHome, "/etc") && userHome !== work)
      later.push({ at: userHome, mount: ["--tmpfs", userHome, "--chmod", "0700", userHome] });
  const files = spec.door === undefined ? spec.files : [...spec.files, spec.door.node];
  for (const file of files) later.push({ at: file, mount: ["--ro-bind", file, file] });
  for (const folder of spec.writes ?? []) later.push({ at: folder, mount: ["--bind", folder, folder] });
  later.sort((a, b) => depth(a.at) - depth(b.at));
  return [...deps(mode), ...later.flatMap(({ mount }) => mount)];
}

function deps(mode: SandboxMode): string[] {
  if (mode === "no-network") return ["--dev-bind", "/", "/", "--proc", "/proc"];
  const fresh = ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run"];
  if (mode === "read-only") return ["--ro-bind", "/", "/", ...fresh, ...nameService()];
  return ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", ...linksToUsr(), ...fresh];
}

/** With systemd, /etc/resolv.conf is a link into /run. */
function nameService(): string[] {
  const file = real("/etc/resolv.conf");
  return file !== undefined && isUnder(file, "/run") ? ["--ro-bind-try", file, file] : [];
}

/** /bin, /lib, and similar: links into /usr on most systems, folders on some. */
function linksToUsr(): string[] {
  return ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap((folder) => {
    const target = real(folder);
    if (target === undefined) return [];
    return isUnder(target, "/usr") ? ["--symlink", target.slice(1), folder] : ["--ro-bind", folder, folder];
  });
}

function realHome(home: string): string {
  return real(home) ?? join(real(dirname(home)) ?? dirname(home), home.slice(dirname(home).length));
}

function real(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync(path);
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : folder + sep);
}

function depth(path: string): number {
  return path.split(sep).length;
}

// ── Availability
// ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** bubblewrap's error by mode and program. Empty if the test succeeded. */
const tried = new Map<string, string>();

function tryOut(mode: SandboxMode, bwrap: string): string {
  const args = [...fences(mode), ...deps(mode)].join("\0");
  const ended = spawnSync(bwrap, ["--args", "0", "--", "/bin/sh", "-c", ":"], {
    input: `${args}\0`,
    env: {},
    encoding: "utf8",
    timeout: 10_000,
  });
  if (ended.status === 0) return "";
  const said = ended.stderr?.trim().split("\n").at(-1) ?? "";
  return said.replace(/^bwrap: /, "") || ended.error?.message || `it ended with code ${ended.status}`;
}

function unavailable(mode: SandboxMode, why: string): Failure {
  const asked = `"sandbox: ${mode}" needs bubblewrap`;
  if (why === "is-for-linux")
    return {
      code: "sandbox-unavailable",
      message: `${asked}, which exists only for Linux. The command was not started.`,
      hint: "Run this workflow on Linux, or remove `sandbox` from the node if you trust its command.",
    };
  if (why === "is-missing")
    return {
      code: "sandbox-unavailable",
      message: `${asked}, but there is no program "bwrap" on PATH. The command was not started.`,
      hint: "Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), pacman -S bubblewrap (Arch), apk add bubblewrap (Alpine).",
    };
  return {
    code: "sandbox-unavailable",
    message: `${asked}, but it can't make a sandbox here: ${why}. The command was not started.`,
    hint: "The system must allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 (Debian), an AppArmor profile for bwrap (Ubuntu 24.04), or a container that may create namespaces.",
  };
}
