// ask: approvals asked inline, on a terminal (spec 2.2, 3.5), one after the other. What is not answered keeps waiting.
//   K1. A person sees the card before they are asked, and what they typed before it stood there answers nothing.
//   K2. Only a clear word answers; anything else is asked again.
//   K3. What was left waiting is not asked again by this program, unless it has become another request.

import { createInterface } from "node:readline/promises";
import { limits } from "../base/limits.ts";
import { visibleLine } from "../base/visible.ts";
import { giveAnswer, type Mask } from "../engine/answer.ts";
import type { Engine } from "../engine/index.ts";
import { maskOfAnswer } from "../engine/local/mask-of-answer.ts";
import { type Pending, pendingOf } from "../engine/pending.ts";
import type { Store } from "../store/index.ts";
import { card } from "./card.ts";
import { problem } from "./problem.ts";
import type { Terminal } from "./terminal.ts";

/** `answered`: the run can go on. `left`: nothing was. `interrupted`: Ctrl-C; what had been answered is on record. */
export type Asked = "answered" | "left" | "interrupted";

/** A line of text, or which key turned the question away. */
type Typed = { text: string } | { gone: "interrupted" | "ended" };

/** Asks about everything of the run that waits and is not among `left`, which grows. */
export async function askApprovals(
  id: string,
  left: Set<string>,
  { store, mask, home }: Pick<Engine, "store" | "mask"> & { home: string },
  terminal: Terminal,
): Promise<Asked> {
  const working: Mask = (text) => mask(id, text) ?? text;
  const row = store.journal.findRun(id);
  if (!row.ok) return "left";
  const waiting = pendingOf(row.value, store).filter(({ request }) => !left.has(request.hash));
  let asked: Asked = "left";
  for (const [index, pending] of waiting.entries()) {
    if (waiting.length > 1) terminal.err(terminal.errStyle("faint", `\n${index + 1} of ${waiting.length}\n`));
    terminal.err(await card(pending, store, inlineView(terminal)));
    const hide = () => maskOfAnswer(pending, { store, home, env: terminal.env, working });
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
    columns: terminal.errStream.columns ?? 80,
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
  // What was written in the editor and has not been approved; the editor goes on from it.
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
        return keep(
          giveAnswer(pending, { grant: true }, store, (text) => text),
          terminal,
        );
      case "r":
      case "reject": {
        const reason = await askLine("Why? ", terminal);
        if ("gone" in reason) return reason.gone;
        return keep(giveAnswer(pending, { grant: false, reason: reason.text }, store, await hide()), terminal);
      }
      case "e":
      case "edit": {
        const { editCommand } = await import("./edit.ts");
        const mask = await hide();
        const edited = await editCommand(pending, store, terminal, mask, written);
        written = edited.ok ? edited.value : edited.error.written;
        if (!edited.ok) {
          terminal.problem(problem(edited.error.code, edited.error.message, edited.error.hint));
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
        const given = giveAnswer(pending, { grant: true, ...change }, store, mask);
        if (given.ok || given.error.code !== "edit-unusable") return keep(given, terminal);
        terminal.problem(problem(given.error.code, given.error.message, given.error.hint));
        terminal.err(KEPT);
        continue;
      }
      default:
        terminal.err(`"${visibleLine(typed.text.slice(0, 40))}" is no answer: type a, e, r or l, and Enter.\n`);
    }
  }
}

const KEPT = "Your text is kept: e opens it again.\n";

/** An answer that was refused leaves it as it is, and says why. */
function keep(given: ReturnType<typeof giveAnswer>, terminal: Terminal): "answered" | "left" {
  if (given.ok) return "answered";
  terminal.problem(problem(given.error.code, given.error.message, given.error.hint));
  return "left";
}

export function isYes(text: string): boolean {
  return /^y(?:es)?$/i.test(text);
}

/** How long what was typed before a question may take to arrive, and is thrown away. */
const TYPED_AHEAD_MS = 30;

/** The line that was typed, without blanks around it. */
export async function askLine(question: string, terminal: Terminal): Promise<Typed> {
  if (await typedAhead()) return { gone: "interrupted" };
  const reader = createInterface({ input: process.stdin, output: process.stderr, historySize: 0 });
  let interrupt = (): void => {};
  try {
    const typed = await new Promise<Typed>((resolve) => {
      interrupt = () => resolve({ gone: "interrupted" });
      // As a key, and as a signal from elsewhere.
      reader.once("SIGINT", interrupt);
      process.once("SIGINT", interrupt);
      reader.once("close", () => resolve({ gone: "ended" }));
      reader.question(question).then(
        (text) => resolve({ text: text.trim() }),
        () => resolve({ gone: "ended" }),
      );
    });
    if ("gone" in typed) terminal.err("\n");
    return typed;
  } finally {
    process.off("SIGINT", interrupt);
    reader.close();
    process.stdin.pause();
  }
}

/** K1: what stands in the terminal's buffer is read and forgotten. True when Ctrl-C was among it. */
async function typedAhead(): Promise<boolean> {
  const { stdin } = process;
  let interrupted = false;
  const forget = (bytes: Buffer): void => {
    interrupted ||= bytes.includes(3);
  };
  // Raw: half a line that was typed without Enter would otherwise be given to the question.
  stdin.setRawMode(true);
  stdin.on("data", forget);
  await new Promise((resolve) => setTimeout(resolve, TYPED_AHEAD_MS));
  stdin.off("data", forget);
  stdin.pause();
  stdin.setRawMode(false);
  return interrupted;
}
