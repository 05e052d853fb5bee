// approvals: decides whether a prepared attempt may start, or what a person has to approve first (spec 3.5, 4.2).
//   P1. A grant covers exactly what was shown. The attempt is prepared again before it starts, and any difference is
//       asked about again.
//   P2. `needsUserApproval`, findings of `safe`, and later changes all use the same kind of request.
//   P3. An edited program replaces the node's own for one attempt, and passes the same checks. Everything else must
//       still be what was shown.
//   P4. A program that is a value, or that reads a value as code, is never approved in advance or by a timeout. An
//       `advanced` node asks nothing (spec 4.2).
//   P5. In an untrusted run, a command that no user of this data directory has seen needs approval. `advanced`,
//       `--yes`, `--approve`, and a timeout do not count as seeing it. A grant of exactly that command is remembered.
//   P6. Repeating a lost attempt (`onLost: ask`) needs approval even if the node was approved before.

import { createHash } from "node:crypto";
import { durationMs } from "../base/duration.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { impossible, ok, type Result } from "../base/result.ts";
import { type NodeContext, promptOf } from "../kinds/context.ts";
import type { Binding, Prepared } from "../kinds/executor.ts";
import { isApprovedInAdvance } from "../scheduler/approvals.ts";
import type { EventBody, Reason } from "../scheduler/event.ts";
import { type Grant, type RunState, stateAt } from "../scheduler/state.ts";
import { knows } from "../workflow/kinds/index.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import { isAdvanced } from "../workflow/node-fields.ts";
import type { Ready } from "./driver/driver-work.ts";

/** The parts of the run that a request depends on. */
export interface ApprovalDeps {
  run: { id: string };
  /** SHA-256 of the workflow file's text. */
  revision: string;
  /** The key for hashes of values. Fails if the data directory has no key, and then nothing can be asked. */
  approvalKey(): Result<Buffer, Failure>;
  nowMs(): number;
  prepare(node: WorkflowNode, context: NodeContext): Now<Result<Prepared, Failure>>;
  /** Absent in a trusted run. */
  trust?: RunTrust;
}

/** Which commands of an untrusted run a person has seen (P5). */
export interface RunTrust {
  /** Whether no user of this data directory has seen this command and its inputs. */
  isUntrusted(node: string): Now<boolean>;
  /** Records that a person has approved the command as it is in the workflow file. */
  seen(node: string, by: string): Promise<void>;
}

/** An attempt of a node, with its context. */
export interface Asked {
  node: WorkflowNode;
  path: string;
  number: number;
  context: NodeContext;
  /** Whether this repeats a lost attempt (P6). */
  inDoubt: boolean;
  /** Whether no user of this data directory has seen the command (P5), read after it was prepared. */
  unseen: boolean;
}

export function isUnseen({ node }: Pick<Asked, "node">, { trust }: ApprovalDeps): Now<boolean> {
  return trust !== undefined && knows(node, "needsUserApproval") && trust.isUntrusted(node.id);
}

/** The attempt, ready to start, or the request to record instead, or a failure. */
export function mayStart(
  asked: Asked,
  prepared: Prepared,
  state: RunState,
  deps: ApprovalDeps,
): Now<Result<Ready, Failure>> {
  const { node, path } = asked;
  const grant = stateAt(state, path)?.approved;
  if (grant !== undefined) return compare(asked, prepared, grant, deps);
  const wanted = reasonsFor(asked, prepared);
  if (wanted.length === 0) return ok(prepared);
  if (isApprovedInAdvance(state, node.id) && !mustBeSeen(asked, prepared)) return ok(started(prepared, "in-advance"));
  return requestOf(asked, prepared, deps).then((event) => (event.ok ? ok({ instead: event.value }) : event));
}

/** Failures: `home-key-*`, and those of the prompt's template. */
export async function requestOf(
  asked: Asked,
  prepared: Prepared,
  deps: ApprovalDeps,
  before?: Grant,
): Promise<Result<EventBody, Failure>> {
  const binding = await bindingOf(prepared, deps);
  prepared.discard?.();
  if (!binding.ok) return binding;
  const { node, path, number, context } = asked;
  const approval = "approval" in node.data ? node.data.approval : undefined;
  const prompt = approval?.prompt === undefined ? ok(undefined) : await promptOf(approval.prompt, context);
  if (!prompt.ok) return prompt;
  const timeoutMs = durationMs(approval?.timeout);
  const onTimeout = approval?.onTimeout ?? "reject";
  return ok({
    type: "approval.requested",
    node: node.id,
    path,
    number,
    hash: hashOf(asked, binding.value, deps),
    reasons: reasonsFor(asked, prepared),
    detail: binding.value.detail,
    bound: short(binding.value.bound),
    prompt: prompt.value,
    expiresAt: timeoutMs === undefined ? undefined : new Date(deps.nowMs() + timeoutMs).toISOString(),
    onTimeout:
      timeoutMs === undefined
        ? undefined
        : onTimeout === "approve" && mustBeSeen(asked, prepared)
          ? "reject"
          : onTimeout,
    again: before === undefined ? undefined : changes(before, binding.value),
  });
}

/** P1, P3. */
async function compare(
  asked: Asked,
  prepared: Prepared,
  grant: Grant,
  deps: ApprovalDeps,
): Promise<Result<Ready, Failure>> {
  const binding = await bindingOf(prepared, deps);
  if (!binding.ok) return binding;
  if (hashOf(asked, binding.value, deps) !== grant.hash) {
    const again = await requestOf(asked, prepared, deps, grant);
    return again.ok ? ok({ instead: again.value }) : again;
  }
  if (grant.edited === undefined) {
    if (grant.by !== undefined) await deps.trust?.seen(asked.node.id, grant.by);
    return ok(started(prepared, grant.timedOut === true ? "timed-out" : "granted"));
  }
  prepared.discard?.();
  const edited = await deps.prepare(asked.node, { ...asked.context, edited: grant.edited });
  return edited.ok ? ok(started(edited.value, "edited")) : edited;
}

function started(prepared: Prepared, approval: "granted" | "edited" | "in-advance" | "timed-out"): Prepared {
  return { ...prepared, shown: { ...prepared.shown, approval } };
}

/** Whether approval in advance or by a timeout does not count (P4, P5, P6). */
function mustBeSeen({ inDoubt, unseen }: Asked, prepared: Prepared): boolean {
  const feeds = prepared.asks?.some((ask) => ask.mustBeSeen === true) === true;
  return inDoubt || prepared.wholeProgram === true || feeds || unseen;
}

function reasonsFor({ node, inDoubt, unseen }: Asked, prepared: Prepared): Reason[] {
  if (!knows(node, "needsUserApproval")) return [];
  const always = [...(inDoubt ? [LOST] : []), ...(unseen ? [UNTRUSTED] : [])];
  if (isAdvanced(node)) return always;
  const own = "needsUserApproval" in node.data && node.data.needsUserApproval === true ? [NEEDED] : [];
  const value = prepared.wholeProgram === true ? [WHOLE] : [];
  const found = (prepared.asks ?? []).map(({ code, message, mustBeSeen: alone }) => ({
    code,
    message: alone === true ? `${message} ${NOT_IN_ADVANCE}` : message,
  }));
  return [...always, ...own, ...value, ...found];
}

const NOT_IN_ADVANCE = "Approval in advance (--yes, --approve) does not apply to it.";

export const UNTRUSTED: Reason = {
  code: "imported",
  message: `No user of this data directory has approved this command yet. ${NOT_IN_ADVANCE}`,
};

const LOST: Reason = {
  code: "lost",
  message:
    "The process that supervised the last attempt died, so Curlew can't tell whether the command finished. Check first, because approving runs it again.",
};

const NEEDED: Reason = { code: "needs-approval", message: "The workflow requires approval for this node." };

const WHOLE: Reason = {
  code: "whole-program",
  message: `The command itself is a value. You see all of it here. ${NOT_IN_ADVANCE}`,
};

async function bindingOf(prepared: Prepared, deps: ApprovalDeps): Promise<Result<Binding, Failure>> {
  const key = deps.approvalKey();
  if (!key.ok) return key;
  return ok((await prepared.binding?.(key.value)) ?? impossible("what cannot be shown cannot be asked"));
}

/** SHA-256 of JSON in a fixed order with sorted names, so that two different requests never have the same input. */
function hashOf({ node, path, number }: Asked, { bound }: Binding, { run, revision }: ApprovalDeps): string {
  const parts = Object.entries(bound).sort(([one], [other]) => (one < other ? -1 : 1));
  const whole = JSON.stringify(["curlew approval", 1, run.id, node.id, path, number, revision, parts]);
  return createHash("sha256").update(whole).digest("hex");
}

/** Shortened hashes, long enough to detect a change. The approval itself is bound to the full hash. */
function short(bound: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(bound).map(([name, digest]) => [name, digest.slice(0, 16)]));
}

/** A sentence that says why approval is needed again. */
function changes(before: Grant, binding: Binding): string {
  const bound = short(binding.bound);
  const names = new Set([...Object.keys(before.bound), ...Object.keys(bound)]);
  const changed = [...names].filter((name) => before.bound[name] !== bound[name]);
  if (changed.length === 0) return "It was approved for another attempt.";
  const shown = changed.slice(0, limits.changesShown).join(", ");
  const more = changed.length > limits.changesShown ? `, and ${changed.length - limits.changesShown} more` : "";
  return `Something has changed since it was approved: ${shown}${more}.`;
}
