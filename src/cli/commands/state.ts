// state: the values that workflows keep between runs: list, get, set, rm (docs/how-to/state.md).
//   S1. In a command of a run, `set` writes to the file of the attempt. The value is stored when the node has succeeded
//       (kinds/state.ts).
//   S2. By hand, `set` stores at once, by the rules of a run: declared, small enough, and without a secret.

import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { oneLine } from "../../base/text.ts";
import { timeBetween } from "../../base/time-text.ts";
import { secretsAtHand } from "../../engine/run-secrets.ts";
import { checkState, STATE_VARIABLE, stateLine } from "../../kinds/state.ts";
import type { StateEntry, Store } from "../../store/index.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { printList } from "../list.ts";
import { loadWorkflow, readText } from "../load.ts";
import { type HomeOption, homeOf, refused, withStore } from "../open.ts";
import type { Problem } from "../problem.ts";
import type { Terminal } from "../terminal.ts";

export interface StateOptions extends HomeOption {
  workflow?: string;
}

export async function list(options: StateOptions & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const all = await store.state.list(
      options.workflow === undefined ? undefined : resolve(terminal.cwd, options.workflow),
    );
    if (!all.ok) return refused(all.error, terminal);
    const row = ({ file, name, value, at }: StateEntry): string[] => [
      ...[name, oneLine(value).slice(0, 60), oneLine(file)],
      `${timeBetween(at, Date.now())} ago`,
    ];
    printList(all.value, { json: options.json, empty: "No workflow has stored state.", row }, terminal);
    return Exit.OK;
  });
}

export async function get(name: string, options: StateOptions, terminal: Terminal): Promise<Exit> {
  const file = fileOf(options, terminal);
  if (file === undefined) return refused(NO_WORKFLOW, terminal);
  return withStore(options, terminal, async (store) => {
    const all = await store.state.read(file);
    if (!all.ok) return refused(all.error, terminal);
    if (!Object.hasOwn(all.value, name))
      return refused(unset(name, Object.keys(all.value), options, terminal), terminal);
    terminal.out(`${all.value[name]}\n`);
    return Exit.OK;
  });
}

export async function set(name: string, value: string, options: StateOptions, terminal: Terminal): Promise<Exit> {
  const ofAttempt = terminal.env[STATE_VARIABLE];
  if (options.workflow === undefined) {
    if (!ofAttempt) return refused(NO_WORKFLOW, terminal);
    appendFileSync(ofAttempt, stateLine(name, value));
    return Exit.OK;
  }
  const loaded = await loadWorkflow(options.workflow, terminal, {}, undefined, true);
  if (loaded === undefined) return Exit.USAGE;
  const home = homeOf(options, terminal);
  // Without all secrets at hand, the next run looks again before it uses the value.
  const { masker } = await secretsAtHand({ ...loaded, home, env: terminal.env });
  const wrong = checkState({ [name]: value }, { workflow: loaded.workflow, masker });
  if (wrong !== undefined) return refused(wrong, terminal);
  return withStore({ ...options, creates: true }, terminal, async (store) => {
    const stored = await store.state.set({ file: loaded.file, name, value, at: new Date().toISOString() });
    return stored.ok ? recordInAudit("state.set", name, store, terminal) : refused(stored.error, terminal);
  });
}

export async function rm(name: string, options: StateOptions, terminal: Terminal): Promise<Exit> {
  const file = fileOf(options, terminal);
  if (file === undefined) return refused(NO_WORKFLOW, terminal);
  return withStore({ ...options, writes: true }, terminal, async (store) => {
    const removed = await store.state.remove(file, name);
    if (!removed.ok) return refused(removed.error, terminal);
    const known = await store.state.read(file);
    if (!removed.value)
      return refused(unset(name, known.ok ? Object.keys(known.value) : [], options, terminal), terminal);
    terminal.err(`Removed ${name}. The next run starts with its first value.\n`);
    return recordInAudit("state.removed", name, store, terminal);
  });
}

/** In the audit log. */
async function recordInAudit(type: string, name: string, store: Store, terminal: Terminal): Promise<Exit> {
  const written = await store.audit.append({ type, name, door: "cli" });
  return written.ok ? Exit.OK : refused(written.error, terminal);
}

function fileOf({ workflow }: StateOptions, terminal: Terminal): string | undefined {
  return workflow === undefined ? undefined : resolve(terminal.cwd, workflow);
}

const NO_WORKFLOW = {
  code: "state-of-which",
  message: "State belongs to a workflow, so name one.",
  hint: "Use --workflow FILE. Inside a run, `curlew state set` works without it if the workflow declares state.",
};

/** The state of a file that no longer exists can still be read and removed. */
function unset(name: string, known: readonly string[], { workflow }: StateOptions, terminal: Terminal): Problem {
  if (workflow !== undefined && known.length === 0) {
    const text = readText(workflow, terminal);
    if (typeof text === "object") return text;
  }
  return {
    code: "state-unset",
    message: `This workflow has no stored value "${name}".${didYouMean(name, known)}`,
    hint: "`curlew state list` shows what is stored.",
  };
}
