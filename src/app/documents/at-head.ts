// Reads a document as it is committed at git's HEAD, with the program `git`.
//   H1. git only reads objects. Config of the repository can't start anything: hooks, file system monitors, and fetching
//       of missing objects are off, and a folder that only looks like a repository is not one.
//   H2. The answer is bounded in time and bytes.

import { execFile } from "node:child_process";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { findProgram } from "../../process/dialect.ts";
import type { FolderProblem } from "./folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Committed {
  text: string;
  /** The id of the commit. */
  commit: string;
  committedAt: string;
}

/** Why git has no committed version. A file outside of git is ordinary, so this is not a failure. */
export interface Uncommitted {
  absent: string;
}

export type AtHead = Result<Committed | Uncommitted, FolderProblem>;

/** H1. Without an index there is no monitor to ask, but a later version of git could look at one. */
const CONFIG = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit"];
/** Variables that git gets. `GIT_DIR` and the like would name another repository. */
const PASSED = ["PATH", "HOME", "USERPROFILE", "XDG_CONFIG_HOME", "SYSTEMROOT"];
/** A commit's own message comes with its date. */
const COMMIT_BYTES_MAX = 1_000_000;

/** `folder` need only exist until this function returns, because git has started by then. */
export function textAtHead(folder: string, name: string, env: Env): Promise<AtHead> {
  const git = findProgram(process.platform === "win32" ? "git.exe" : "git", env.PATH);
  if (git === undefined) return Promise.resolve(none("The program git is not on the server's PATH."));
  const args = [...CONFIG.flatMap((entry) => ["-c", entry]), "cat-file", "--batch"];
  return new Promise((resolve) => {
    const options = {
      cwd: folder,
      env: {
        ...Object.fromEntries(PASSED.map((key) => [key, env[key]])),
        ...{ LC_ALL: "C", GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
      },
      encoding: "buffer",
      timeout: limits.gitReadMs,
      killSignal: "SIGKILL",
      maxBuffer: limits.documentBytesMax + COMMIT_BYTES_MAX,
      windowsHide: true,
    } as const;
    const child = execFile(git, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(committedIn(stdout));
      else if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") resolve(err({ kind: "too-large" }));
      else if (error.killed) resolve(none(`git did not answer within ${limits.gitReadMs / 1_000} s.`));
      else resolve(none(reasonIn(stderr.toString()) ?? `git could not be started: ${error.message}`));
    });
    // git may end before it has read its input. Its exit code says why.
    child.stdin?.on("error", () => undefined).end(`HEAD^{commit}\nHEAD:./${name}\n`);
  });
}

function none(absent: string): Result<Uncommitted, never> {
  return ok({ absent });
}

function reasonIn(stderr: string): string | undefined {
  if (stderr.includes("not a git repository")) return "The folder is not in a git repository.";
  const [line = ""] = stderr.trim().split("\n");
  return line === "" ? undefined : `git says: ${line}`;
}

/** Reads `ID TYPE SIZE`, the bytes, and a newline, once for the commit and once for the file. */
function committedIn(bytes: Buffer): AtHead {
  const commit = objectAt(bytes, 0);
  if (commit === undefined) return none("The repository has no commit yet.");
  const file = objectAt(bytes, commit.end);
  if (file?.type !== "blob") return none("The last commit does not have this file.");
  if (file.content.length > limits.documentBytesMax) return err({ kind: "too-large" });
  const [, seconds = "0"] = /^committer .* (\d+) [-+]\d+$/m.exec(commit.content.toString()) ?? [];
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file.content);
    return ok({ text, commit: commit.id, committedAt: new Date(Number(seconds) * 1_000).toISOString() });
  } catch {
    return err({ kind: "not-text", why: "it is not UTF-8 text" });
  }
}

function objectAt(bytes: Buffer, from: number) {
  const line = bytes.indexOf("\n", from);
  const [, id, type, size] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(bytes.toString("latin1", from, line)) ?? [];
  if (id === undefined) return undefined;
  const end = line + 1 + Number(size);
  return { id, type, content: bytes.subarray(line + 1, end), end: end + 1 };
}
