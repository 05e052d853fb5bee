// approval: a request for its card: the values in its command, warnings, and the time left (spec 3.5). Pure.
//   P1. A part is marked as a value only if that is certain, because the written and the rendered command agree
//       everywhere else. Otherwise nothing is marked, and values stay between « and ».
//   P2. Checks only add to the server's reasons. The absence of warnings is never presented as safe.

import type { ApprovalItem } from "../../api/shapes.ts";
import type { ApprovalDetail } from "../../base/approval-detail.ts";
import { visible } from "../../base/visible.ts";
import type { RunView } from "../../scheduler/view.ts";
import { parseTemplate } from "../../shell/template.ts";
import { clock, duration } from "../ui/words.ts";

const listedChars = 300;

export interface CommandPiece {
  text: string;
  value?: string;
  secret?: boolean;
}

/** P1. Hidden characters in every piece are made visible. */
export function commandPieces(detail: ApprovalDetail): CommandPiece[] {
  const whole = [{ text: visible(detail.rendered) }];
  if (detail.wholeProgram || detail.command === detail.rendered) return whole;
  const pieces: CommandPiece[] = [];
  let at = 0;
  for (const part of parseTemplate(detail.command)) {
    if (part.kind === "text") {
      if (!detail.rendered.startsWith(part.text, at)) return whole;
      pieces.push({ text: visible(part.text) });
      at += part.text.length;
      continue;
    }
    const written = detail.command.slice(part.start, part.end);
    const found = valueAt(detail, written, at);
    if (found === undefined) return whole;
    pieces.push(found.piece);
    at += found.length;
  }
  return at === detail.rendered.length ? pieces.filter(({ text }) => text !== "") : whole;
}

/** The rendered command for a card, without the marks around known values. */
export function renderedPlainly(detail: ApprovalDetail): string {
  return commandPieces(detail)
    .map(({ text, value }) => (value === undefined ? text : text.replace(/^«(.*)»$/s, "$1")))
    .join("");
}

function valueAt(
  { rendered, values }: ApprovalDetail,
  written: string,
  at: number,
): { piece: CommandPiece; length: number } | undefined {
  // Text that the shell itself expands stays as written.
  if (rendered.startsWith(written, at) && !values.some(({ name }) => name === written))
    return { piece: { text: visible(written) }, length: written.length };
  for (const { name, text, secret } of values) {
    if (name !== written) continue;
    for (const shown of [`«${text}»`, text])
      if (rendered.startsWith(shown, at))
        return { piece: { text: visible(shown), value: name, secret }, length: shown.length };
    const end = rendered.startsWith("«", at) ? rendered.indexOf("»", at) + 1 : 0;
    if (end > 0) return { piece: { text: visible(rendered.slice(at, end)), value: name, secret }, length: end - at };
  }
  return undefined;
}

export interface Check {
  level: "note" | "warning";
  text: string;
}

const OPEN_HTTP = /\bhttp:\/\/(?!localhost\b|127\.|\[::1\])([^\s/"']+)/i;

/** P2. */
export function checksOf({ detail }: Pick<ApprovalItem, "detail">): Check[] {
  const { rendered } = detail;
  const checks: Check[] = [];
  const open = OPEN_HTTP.exec(rendered);
  if (open !== null)
    checks.push({ level: "warning", text: `http:// to ${visible(open[1] ?? "")}: others on the network can read it` });
  else if (/\bhttps:\/\//i.test(rendered)) checks.push({ level: "note", text: "HTTPS for all URLs in the command" });
  if (detail.values.length > 0 && detail.shell !== undefined && !detail.wholeProgram)
    checks.push({ level: "note", text: "Values are passed as data, never as command text" });
  return checks;
}

/** The reasons for the request, in sentences. */
export function whyAsked({ reasons }: Pick<ApprovalItem, "reasons">): string[] {
  const found = reasons.filter(({ code }) => code !== "needs-approval");
  return found.length === 0 ? ["The workflow asks for approval."] : found.map(({ message }) => visible(message));
}

const TIMED_OUT = { reject: "a rejection", approve: "an approval", fail: "a failure" };

/** Why the request of this run no longer waits, as far as the run's record says. */
export function whyGone({ hash, requestedAt }: Pick<ApprovalItem, "hash" | "requestedAt">, run?: RunView): string {
  const found = run?.nodes
    .flatMap(({ approvals = [] }) => approvals)
    .find((one) => one.hash === hash && one.requestedAt === requestedAt);
  const by = visible(found?.by ?? "someone");
  if (found?.answer === "granted")
    return `${by} ${found.edited === undefined ? "approved" : "edited and approved"} it.`;
  if (found?.answer === "rejected") return `${by} rejected it.`;
  if (found?.answer === "expired") return `its time ran out, which counted as ${TIMED_OUT[found.as ?? "reject"]}.`;
  if (run?.status === "cancelled" || run?.status === "cancelling") return "the run was cancelled.";
  return "it was answered elsewhere, its time ran out, or its run has ended.";
}

const EXPIRED = { reject: "rejected", approve: "approved", fail: "fails" };

/** `rejected in 12:04`: without an answer. */
export function expiryText(
  { expiresAt, onTimeout = "reject" }: Pick<ApprovalItem, "expiresAt" | "onTimeout">,
  nowMs: number,
): string | undefined {
  if (expiresAt === undefined) return undefined;
  const left = Date.parse(expiresAt) - nowMs;
  if (left <= 0) return "the time to answer has run out";
  return `${EXPIRED[onTimeout]} in ${left < 3_600_000 ? clock(left) : duration(left)}`;
}

/**
 * The command's first line that does something, with its continuation lines, and the number of other lines. For a list.
 */
export function firstLine({ rendered }: Pick<ApprovalDetail, "rendered">): { text: string; more: number } {
  const lines = visible(rendered)
    .replaceAll(/ *\\\n */g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const at = Math.max(
    0,
    lines.findIndex((line) => !/^(?:#|set [-+])/.test(line)),
  );
  return { text: (lines[at] ?? "").slice(0, listedChars), more: Math.max(0, lines.length - 1) };
}

/** Requests with the same command at the same node. */
export function sameCommand(one: ApprovalItem, other: ApprovalItem): boolean {
  const text = ({ detail: { rendered, shell, cwd, stdin, sandbox, egress, model } }: ApprovalItem) =>
    JSON.stringify([rendered, shell, cwd, stdin?.sha256, sandbox, egress, model]);
  return text(one) === text(other);
}
