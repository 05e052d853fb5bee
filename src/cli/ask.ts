// ask: approvals asked inline on a terminal, one after the other (spec 2.2, 3.5). Unanswered approvals keep waiting.
//   K1. The card is shown before the question. Keys typed before the question never count as an answer.
//   K2. Only a clear word answers. Anything else repeats the question.
//   K3. An approval that was left waiting is not asked again by this program unless its request has changed.

import { createInterface } from "node:readline/promises";
import { limits } from "../base/limits.ts";
import { visibleLine } from "../base/visible.ts";
import { giveAnswer, type Mask } from "../engine/answer.ts";
import type { Engine } from "../engine/index.ts";
import { maskForAnswer } from "../engine/mask-of-answer.ts";
import { type Pending, pendingOf } from "../engine/pending.ts";
import type { Store } from "../store/index.ts";
import { card } from "./approval-view.ts";
import type { Terminal } from "./terminal.ts";
import { columnsOf } from "./text.ts";

/**
 * `answered`: the run can continue. `left`: no answer was given. `interrupted`: Ctrl-C; earlier answers are recorded.
 */
export type Asked = "answered" | "left" | "interrupted";

/** A line of text, or the key that dismissed the question. */
type Typed = { text: string } | { gone: "interrupted" | "ended" };

/** Asks about each waiting approval of the run that is not in `left`. Adds those left waiting to `left`. */
export async function askApprovals(
  id: string,
  left: Set<string>,
  { store, mask, home }: Pick<Engine, "store" | "mask"> & { home: string },
  terminal: Terminal,
): Promise<Asked> {
  const working: Mask = (text) => mask(id, text) ?? text;
  const row = await store.journal.findRun(id);
  if (!row.ok) return "left";
  const waiting = (await pendingOf(row.value, store)).filter(({ request }) => !left.has(request.hash));
  let asked: Asked = "left";
  for (const [index, pending] of waiting.entries()) {
    if (waiting.length > 1) terminal.err(terminal.errStyle("faint", `\n${index + 1} of ${waiting.length}\n`));
    terminal.err(await card(pending, store, inlineView(terminal)));
    const hide = () => maskForAnswer(pending, { store, home, env: terminal.env, working });
    const answer = await askAbout(pending, store, hide, terminal);
    if (answer === "interrupted") return "interrupted";
    if (answer === "ended") return asked;
    if (answer === "left") left.add(pending.request.hash);
    else asked = "answered";
  }
  return asked;
}

export function inlineView(terminal: Terminal) {
  return {
    style: terminal.errStyle,
    columns: columnsOf(terminal.errStream, 80),
    linesMax: limits.cardLinesMax,
    nowMs: Date.now(),
  };
}

async function askAbout(
  pending: Pending,
  store: Store,
  hide: () => Promise<Mask>,
  terminal: Terminal,
): Promise<"answered" | "left" | "ended" | "interrupted"> {
  // Edited text that has not been approved. The editor opens with it next time.
  let written: string | undefined;
  for (;;) {
    const typed = await askLine("Approve, edit, reject, or leave it waiting? [a/e/r/L] ", terminal);
    if ("gone" in typed) return typed.gone;
    switch (typed.text.toLowerCase()) {
      case "":
      case "l":
      case "leave":
        return "left";
      case "a":
      case "approve":
        return keep(await giveAnswer(pending, { grant: true }, store, (text) => text), terminal);
      case "r":
      case "reject": {
        const reason = await askLine("Why? ", terminal);
        if ("gone" in reason) return reason.gone;
        return keep(await giveAnswer(pending, { grant: false, reason: reason.text }, store, await hide()), terminal);
      }
      case "e":
      case "edit": {
        const { editCommand } = await import("./edit.ts");
        const mask = await hide();
        const edited = await editCommand(pending, store, terminal, mask, written);
        written = edited.ok ? edited.value : edited.error.written;
        if (!edited.ok) {
          terminal.problem(edited.error);
          if (written !== undefined) terminal.err(KEPT);
          continue;
        }
        const sure = await askLine(
          edited.value === undefined ? "Approve it as it is? [y/N] " : "Approve it changed like this? [y/N] ",
          terminal,
        );
        if ("gone" in sure) return sure.gone;
        if (!isYes(sure.text)) continue;
        const change = edited.value === undefined ? {} : { edited: edited.value };
        const given = await giveAnswer(pending, { grant: true, ...change }, store, mask);
        if (given.ok || given.error.code !== "edit-unusable") return keep(given, terminal);
        terminal.problem(given.error);
        terminal.err(KEPT);
        continue;
      }
      default:
        terminal.err(`"${visibleLine(typed.text.slice(0, 40))}" is not valid: type a, e, r, or l, and Enter.\n`);
    }
  }
}

const KEPT = "Your text is kept: e opens it again.\n";

/** An answer that was rejected changes nothing and prints the reason. */
function keep(given: Awaited<ReturnType<typeof giveAnswer>>, terminal: Terminal): "answered" | "left" {
  if (given.ok) return "answered";
  terminal.problem(given.error);
  return "left";
}

export function isYes(text: string): boolean {
  return /^y(?:es)?$/i.test(text);
}

/** Time for input typed before the question to arrive, so that it can be discarded. */
const TYPED_AHEAD_MS = 30;

/** The typed line, trimmed. */
export async function askLine(question: string, terminal: Terminal): Promise<Typed> {
  if (await typedAhead(terminal)) return { gone: "interrupted" };
  const reader = createInterface({ input: terminal.stdin(), output: terminal.errStream, historySize: 0 });
  let interrupt = (): void => {};
  try {
    const typed = await new Promise<Typed>((resolve) => {
      interrupt = () => resolve({ gone: "interrupted" });
      // Ctrl-C arrives as a key, or as a signal from another process.
      reader.once("SIGINT", interrupt);
      terminal.signals.once("SIGINT", interrupt);
      reader.once("close", () => resolve({ gone: "ended" }));
      reader.question(question).then(
        (text) => resolve({ text: text.trim() }),
        () => resolve({ gone: "ended" }),
      );
    });
    if ("gone" in typed) terminal.err("\n");
    return typed;
  } finally {
    terminal.signals.off("SIGINT", interrupt);
    reader.close();
    terminal.stdin().pause();
  }
}

/** K1: reads and discards the terminal's buffer. True if it contained Ctrl-C. */
async function typedAhead(terminal: Terminal): Promise<boolean> {
  const stdin = terminal.stdin();
  let interrupted = false;
  const forget = (bytes: Buffer): void => {
    interrupted ||= bytes.includes(3);
  };
  // Raw mode: otherwise a half-typed line without Enter would become the answer.
  stdin.setRawMode(true);
  stdin.on("data", forget);
  await new Promise((resolve) => setTimeout(resolve, TYPED_AHEAD_MS));
  stdin.off("data", forget);
  stdin.pause();
  stdin.setRawMode(false);
  return interrupted;
}
