// approval-view: everything an approver has to see before deciding about a command: what runs, why it is asked, and its input
// (spec 3.5, 4.2).
//   C1. Untrusted text is behind bars or in quotes, so it cannot look like Curlew's own words (visible.ts).
//   C2. Anything left out is mentioned with its size. The hash covers the whole command, including what is left out.

import type { ApprovalDetail } from "../base/approval-detail.ts";
import { bytes } from "../base/text.ts";
import { timeBetween } from "../base/time-text.ts";
import { visibleLine } from "../base/visible.ts";
import { comparedText, lastApproved, type Pending } from "../engine/pending.ts";
import type { Store } from "../store/index.ts";
import type { Style } from "./style.ts";
import { cut, width } from "./text.ts";
import { behindBars, pieces } from "./visible.ts";

export interface CardView {
  style: Style;
  /** Columns of the terminal; infinite if stderr is not a terminal. */
  columns: number;
  /** Maximum number of lines shown of the program, of each value and of standard input. */
  linesMax: number;
  nowMs: number;
}

/** Ends in a newline. Loads the diff library only if there is an earlier approval to compare with. */
export async function card(pending: Pending, store: Store, view: CardView): Promise<string> {
  const { style } = view;
  const { request, path, run } = pending;
  const { detail } = request;
  const fact = factsFor(view);
  const lines = [
    `${style("strong", cut(visibleLine(path), view.columns - 25))} waits for your approval`,
    ...(width(path) > view.columns - 25 ? [fact("node", visibleLine(path))] : []),
    fact("run", `${run.id} of ${visibleLine(run.name)}`),
    ...reasons(request).map((reason, index) => fact(index === 0 ? "why" : "", reason)),
    ...(request.prompt === undefined ? [] : [fact("question", ""), ...bars(request.prompt, view)]),
    ...(request.again === undefined ? [] : [fact("again", visibleLine(request.again))]),
    fact("asked", times(pending, view.nowMs)),
    "",
    ...program(pending, view),
    ...values(detail, view),
    ...stdin(detail, view, fact),
    ...surroundings(detail, request.number, fact),
    ...(await difference(pending, store, view)),
    fact("hash", `${request.hash.slice(0, 16)}…`),
  ];
  return `${lines.join("\n")}\n`;
}

type Fact = (label: string, text: string) => string;

/** A label and its text. Text that does not fit continues in the text column, never at the start of a line (C1). */
function factsFor({ style, columns }: CardView): Fact {
  return (label, text) => {
    const [first = "", ...more] = wordwise(text, Math.max(8, columns - LABEL_COLUMNS - 3));
    const below = more.map((piece) => `\n${" ".repeat(LABEL_COLUMNS + 3)}${piece}`).join("");
    return `  ${style("faint", label.padEnd(LABEL_COLUMNS))} ${first}${below}`;
  };
}

const LABEL_COLUMNS = 8;

function wordwise(text: string, room: number): string[] {
  if (width(text) <= room) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && width(line) + 1 + width(word) <= room) {
      line += ` ${word}`;
      continue;
    }
    if (line !== "") lines.push(line);
    const broken = [...pieces(word, room)].map(([piece]) => piece);
    lines.push(...broken.slice(0, -1));
    line = broken.at(-1) ?? "";
  }
  return [...lines, line];
}

export function reasons({ reasons: given }: Pending["request"]): string[] {
  return given.length === 0
    ? ["the workflow asks for it"]
    : given.map(({ code, message }) => `${visibleLine(message.replace(/\.$/, ""))} (${code})`);
}

/** When approval was requested, and what happens if no one answers in time. */
export function times({ requestedAt, request }: Pending, nowMs: number): string {
  const asked = `${timeBetween(requestedAt, nowMs)} ago`;
  const { expiresAt, onTimeout = "reject" } = request;
  if (expiresAt === undefined) return asked;
  const over = Date.parse(expiresAt) <= nowMs;
  const then = { reject: "it is rejected", approve: "it is approved", fail: "the node fails" }[onTimeout];
  return over
    ? `${asked}; the time limit ended ${timeBetween(expiresAt, nowMs)} ago`
    : `${asked}; in ${timeBetween(expiresAt, nowMs)} ${then}`;
}

function bars(text: string, { style, columns, linesMax }: CardView): string[] {
  return behindBars(text, { columns, linesMax, faint: (words) => style("faint", words) });
}

/** The program with its values filled in, and as written if that differs. */
function program({ request: { detail } }: Pending, view: CardView): string[] {
  const { style } = view;
  const by = detail.model ?? detail.shell;
  const kind = detail.model === undefined ? "command" : "prompt";
  const title = (words: string) => `  ${style("label", words)}`;
  const shown = [
    title(
      `${kind}${by === undefined ? "" : ` for ${visibleLine(by)}`}${detail.wholeProgram ? ", all of it a value" : ""}`,
    ),
    ...bars(detail.rendered, view),
  ];
  if (detail.rendered === detail.command || detail.wholeProgram) return [...shown, ""];
  return [...shown, title("as it was written"), ...bars(detail.command, view), ""];
}

function values({ values: given }: ApprovalDetail, view: CardView): string[] {
  if (given.length === 0) return [];
  const { style } = view;
  const lines = given.flatMap(({ name, text, bytes: size, secret }) => {
    const note = secret ? "(secret)" : `(${bytes(size)}${cutNote(text, size)})`;
    const head = `  ${cut(visibleLine(name), view.columns - width(note) - 3)} ${style("faint", note)}`;
    return [head, ...bars(text, view)];
  });
  return [`  ${style("label", "values")}`, ...lines, ""];
}

/** Notes that only the beginning of a value is shown. */
function cutNote(text: string, size: number): string {
  return Buffer.byteLength(text) < size ? "; this is its beginning" : "";
}

function stdin({ stdin: given }: ApprovalDetail, view: CardView, fact: Fact): string[] {
  if (given === undefined) return [];
  const facts = `${bytes(given.bytes)}, sha256 ${given.sha256}${cutNote(given.preview, given.bytes)}`;
  return [`  ${view.style("label", "standard input")}`, ...bars(given.preview, view), fact("", facts), ""];
}

function surroundings(detail: ApprovalDetail, number: number, fact: Fact): string[] {
  const facts: [string, string | undefined][] = [
    ["folder", detail.cwd],
    ["env", detail.env === undefined || detail.env.length === 0 ? undefined : detail.env.join(" ")],
    ["sandbox", detail.sandbox ?? "none"],
    ["network", detail.egress],
    ["at most", detail.timeout],
    ["attempt", String(number)],
  ];
  return facts.flatMap(([label, text]) => (text === undefined ? [] : [fact(label, visibleLine(text))]));
}

/** The changes since the last approval at this node. */
async function difference(pending: Pending, store: Store, view: CardView): Promise<string[]> {
  const last = await lastApproved(pending, store);
  if (last === undefined) return [];
  const { style } = view;
  const who = `approved ${timeBetween(last.at, view.nowMs)} ago by ${visibleLine(last.by)}`;
  const before = comparedText(last.request.detail);
  const now = comparedText(pending.request.detail);
  if (before === now)
    return [
      `  ${style("label", "last time")} the same was ${who}${last.edited === undefined ? "" : ", and edited then"}`,
    ];
  const { changes } = await import("./changes.ts");
  return [`  ${style("label", "different")} from what was ${who}`, ...changes(before, now, view)];
}

/**
 * The same for programs: the last approval at this node, and the changed lines (each starts with `-`, `+` or a space).
 */
export async function differenceJson(pending: Pending, store: Store): Promise<object | undefined> {
  const last = await lastApproved(pending, store);
  if (last === undefined) return undefined;
  const { changedLines } = await import("../engine/difference.ts");
  const changes = changedLines(comparedText(last.request.detail), comparedText(pending.request.detail));
  return { at: last.at, by: last.by, hash: last.request.hash, edited: last.edited, changes };
}
