// attempt: sends the request to the model, streams its tokens, and builds the ending (spec 1.2 LLM, 3.2, 3.3).
//   A1. Tokens are output: written, masked, to the attempt's files as they arrive. The value is the complete last
//       answer.
//   A2. Secrets in the prompt do not reach the model: they are masked, like everything that leaves (4.2).
//   A3. Cancelling and time limits end the request at once, without a grace period.
//   A4. An answer that does not match the schema is sent back with the reason, at most limits.llmRepairsMax times.
//   A5. An answer for a secret Variable is never shown, and kept only sealed.
//   A6. A server's message is masked before it is shortened or put on one line, so that no part of a secret remains.

import type { AttemptEnd } from "../../base/attempt.ts";
import { durationMs } from "../../base/duration.ts";
import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { EMPTY, type Value } from "../../base/value.ts";
import type { StopReason } from "../../process/cause.ts";
import { explainEnd } from "../../process/failure-message.ts";
import type { GrowthListener } from "../../process/output.ts";
import { type OutputFiles, outputFiles } from "../../process/output.ts";
import type { LlmNode } from "../../workflow/model.ts";
import type { NodeContext } from "../context.ts";
import type { Attempt, AttemptEnding } from "../executor.ts";
import { sealText } from "../secret-values.ts";
import { store } from "../values.ts";
import { costOf, estimateTokens, exceeded, room, type Spent, tokensOf } from "./budget.ts";
import type { CheckAnswer } from "./check-answer.ts";
import {
  answerTooLong,
  cutAnswer,
  declined,
  emptyAnswer,
  filtered,
  type Refusal,
  requestRefused,
  schemaMismatch,
  streamBroken,
  webPage,
} from "./failures.ts";
import type { AnswerPart, Line } from "./sdk.ts";
import type { Server } from "./server.ts";

/** A fully checked request. Only sending it is left. */
export interface Ready {
  node: LlmNode;
  context: NodeContext;
  server: Server;
  /** As sent to the model: masked. */
  prompt: string;
  system: string;
  check: CheckAnswer | undefined;
}

/** Why the request ended before the model did. */
type Stop =
  | { type: "cancelled" }
  | { type: "timed-out"; limit: "total" | "idle" }
  | { type: "failed"; failure: Failure };

export function startAttempt(ready: Ready, stem: string, onGrowth: GrowthListener | undefined): Attempt {
  const work = new Work(ready, stem, onGrowth);
  const cancel = (): void => work.stop({ type: "cancelled" });
  return { done: work.run(), cancel, kill: cancel };
}

type End = Extract<AnswerPart, { kind: "end" | "error" }>;
type Message = { role: "user" | "assistant"; content: string };

class Work {
  private readonly ready: Ready;
  private readonly out: OutputFiles;
  private readonly bytes = { stdout: 0, stderr: 0 };
  private readonly controller = new AbortController();
  private readonly startedMs = performance.now();
  private readonly used = { in: 0, out: 0, estimated: false };
  private stopped: Stop | undefined;
  private idle: NodeJS.Timeout | undefined;
  private line: Line | undefined;
  /** The current answer so far, and its size in bytes. */
  private text = "";
  private textBytes = 0;
  private telling: NodeJS.Timeout | undefined;

  constructor(ready: Ready, stem: string, onGrowth: GrowthListener | undefined) {
    this.ready = ready;
    const { files, masker } = ready.context;
    this.out = outputFiles(
      {
        stdoutFile: files.path(`${stem}.out`),
        stderrFile: files.path(`${stem}.err`),
        orderFile: files.path(`${stem}.ord`),
        bytesMax: limits.llmAnswerBytesMax * (limits.llmRepairsMax + 2),
        sync: true,
        transform: () => masker.stream(),
        onChunk: (stream, { length }) => {
          this.bytes[stream] += length;
          this.telling ??= onGrowth && setTimeout(() => this.tell(onGrowth), limits.growthEveryMs);
        },
        onStop: (reason) => this.stop({ type: "failed", failure: notKept(reason) }),
      },
      performance.now(),
    );
  }

  stop(stop: Stop): void {
    if (this.stopped !== undefined) return;
    this.stopped = stop;
    this.controller.abort();
  }

  async run(): Promise<AttemptEnding> {
    const total = durationMs(this.ready.node.data.timeout);
    const timer = total && after(total, () => this.stop({ type: "timed-out", limit: "total" }));
    try {
      const { openLine } = await import("./sdk.ts");
      this.line = await openLine(this.ready.server, this.ready.context.environment);
      const answer = await this.converse(this.line);
      const facts = this.end();
      if (this.stopped !== undefined) return this.stoppedEnding(this.stopped, facts);
      if (!answer.ok) return { status: "failed", failure: answer.error, value: await this.partOf(), facts };
      const value = await this.valueOf(answer.value);
      return value.ok
        ? { status: "succeeded", value: value.value, facts }
        : { status: "failed", failure: value.error, value: EMPTY, facts };
    } finally {
      clearTimeout(timer);
      clearTimeout(this.idle);
      clearTimeout(this.telling);
      this.line?.close();
    }
  }

  /** A4. The answer's text, or JSON that matches the schema. */
  private async converse(line: Line): Promise<Result<string, Failure>> {
    const { prompt, check } = this.ready;
    const messages: Message[] = [{ role: "user", content: prompt }];
    for (let repairs = 0; ; repairs++) {
      const answer = await this.askOnce(line, messages);
      if (!answer.ok || check === undefined || this.stopped !== undefined) return answer;
      const checked = check(answer.value);
      if (checked.ok) return checked;
      const why = this.toldOf(answer.value, checked.error, check);
      if (repairs === limits.llmRepairsMax) return err(schemaMismatch(why, repairs + 1));
      this.show("stdout", "\n");
      this.show(
        "stderr",
        `The reply is not valid: ${why}. Trying again (${repairs + 1} of ${limits.llmRepairsMax}).\n`,
      );
      messages.push({ role: "assistant", content: answer.value }, { role: "user", content: repairOf(why) });
    }
  }

  /**
   * A6. The reason why an answer does not match. If the answer contains a secret, the reason is computed from the
   * masked answer.
   */
  private toldOf(answer: string, why: string, check: CheckAnswer): string {
    const shown = this.mask(answer);
    if (shown === answer) return why;
    const checked = check(shown);
    return checked.ok ? "a value with a secret in it does not fit" : checked.error;
  }

  private async askOnce(line: Line, messages: readonly Message[]): Promise<Result<string, Failure>> {
    const { node, system, server, check } = this.ready;
    const { budget, schema, temperature, maxOutputTokens } = node.data;
    const tokensIn = estimateTokens(`${system}${messages.map(({ content }) => content).join("")}`);
    const left = room(budget, this.spent(), tokensIn, { name: server.model, price: server.price });
    if (!left.ok) return left;
    const most = Math.min(left.value ?? Number.POSITIVE_INFINITY, maxOutputTokens ?? Number.POSITIVE_INFINITY);
    this.text = "";
    this.textBytes = 0;
    const { signal } = this.controller;
    const asked = {
      ...{ system, messages, temperature, signal },
      maxOutputTokens: Number.isFinite(most) ? most : undefined,
      schema: check === undefined ? undefined : schema,
    };
    const before = line.calls.length;
    let end: End | undefined;
    this.alive();
    for await (const part of line.ask(asked)) {
      this.alive();
      if (part.kind === "text") this.take(part.text, left.value);
      else if (part.kind === "error") end = { ...part, refusal: this.masked(part.refusal) };
      else if (part.kind === "end") end = part;
    }
    clearTimeout(this.idle);
    const began = line.calls.slice(before).some(({ status }) => status === 200);
    // A server that rejected the request or could not be reached has used no tokens.
    const isRefused = !began || (this.text === "" && end?.kind === "error" && end.refusal.status !== undefined);
    if (isRefused && end?.kind === "error") return err(requestRefused(server, end.refusal));
    if (!began && this.stopped !== undefined) return ok("");
    this.count(end, tokensIn);
    return this.judge(end, left.value);
  }

  private readonly mask = (text: string): string => this.ready.context.masker.mask(text);

  /** A6. */
  private masked({ said, ...rest }: Refusal): Refusal {
    return { ...rest, said: this.mask(said) };
  }

  /** Adds streamed text. Too much of it ends the request. */
  private take(text: string, left: number | undefined): void {
    this.text += text;
    this.textBytes += Buffer.byteLength(text);
    this.show("stdout", text);
    if (this.textBytes > limits.llmAnswerBytesMax)
      this.stop({ type: "failed", failure: answerTooLong(this.ready.server) });
    if (left !== undefined && tokensOf(this.textBytes) > left) this.stop({ type: "failed", failure: overDuring(left) });
  }

  private count(end: End | undefined, tokensIn: number): void {
    const counted = end?.kind === "end" ? end : undefined;
    if (counted?.tokensIn === undefined || counted.tokensOut === undefined) this.used.estimated = true;
    this.used.in += counted?.tokensIn ?? tokensIn;
    this.used.out += counted?.tokensOut ?? estimateTokens(this.text);
  }

  private judge(end: End | undefined, left: number | undefined): Result<string, Failure> {
    const { server, node } = this.ready;
    const { budget, maxOutputTokens } = node.data;
    const page = this.line?.calls.at(-1)?.headers["content-type"] ?? "";
    if (this.text === "" && /^text\/html\b/i.test(page)) return err(webPage(server));
    if (end?.kind === "error") return err(streamBroken(server, end.refusal.said));
    const over = exceeded(budget, this.spent());
    if (over !== undefined) return err(over);
    if (end?.raw === undefined || end.finish === "error") return err(streamBroken(server, ""));
    if (end.finish === "length") {
      const byBudget = left !== undefined && left <= (maxOutputTokens ?? Number.POSITIVE_INFINITY);
      return err(byBudget ? overDuring(left) : cutAnswer(server, maxOutputTokens));
    }
    if (end.finish === "content-filter") {
      const isOwnWord = end.raw === "stop" || end.raw === "refusal";
      return err(isOwnWord ? declined(server, this.mask(this.text)) : filtered(server));
    }
    return this.text.trim() === "" ? err(emptyAnswer(server)) : ok(this.text);
  }

  /** Usage of this attempt and those before it. */
  private spent(): Spent {
    const { context, server } = this.ready;
    const before = context.spent ?? { tokens: 0, usd: 0 };
    return {
      tokens: before.tokens + this.used.in + this.used.out,
      usd: before.usd + (costOf(this.used.in, this.used.out, server.price) ?? 0),
    };
  }

  private tell(onGrowth: GrowthListener): void {
    this.telling = undefined;
    for (const stream of ["stdout", "stderr"] as const)
      if (this.bytes[stream] > 0) onGrowth(stream, this.bytes[stream]);
  }

  private alive(): void {
    const idle = durationMs(this.ready.node.data.idleTimeout);
    clearTimeout(this.idle);
    if (idle !== undefined) this.idle = after(idle, () => this.stop({ type: "timed-out", limit: "idle" }));
  }

  /** A5. */
  private show(stream: "stdout" | "stderr", text: string): void {
    if (!this.ready.context.isSecret) this.out.write(stream, Buffer.from(text));
  }

  private end(): AttemptEnd {
    const { context, server } = this.ready;
    const printed = this.out.end(this.stopped !== undefined);
    const { in: tokensIn, out: tokensOut, estimated } = this.used;
    const usd = costOf(tokensIn, tokensOut, server.price);
    const usage = {
      ...{ model: server.model, tokensIn, tokensOut, usd },
      estimated: estimated ? (true as const) : undefined,
    };
    return {
      durationMs: Math.round(performance.now() - this.startedMs),
      stdout: context.isSecret
        ? { bytes: Buffer.byteLength(this.text), secret: true }
        : { bytes: printed.stdoutBytes, sha256: printed.stdoutSha256 },
      stderr: { bytes: printed.stderrBytes, sha256: printed.stderrSha256 },
      http: [...(this.line?.calls ?? [])],
      usage: tokensIn + tokensOut === 0 ? undefined : usage,
    };
  }

  private async stoppedEnding(stop: Stop, facts: AttemptEnd): Promise<AttemptEnding> {
    if (stop.type === "cancelled") return { status: "cancelled", facts };
    const value = await this.partOf();
    if (stop.type === "failed") return { status: "failed", failure: stop.failure, value, facts };
    return { status: "timed-out", failure: timedOut(stop, this.ready.node), value, facts };
  }

  /** The part of an answer that arrived, for nodes that continue after a failure. */
  private async partOf(): Promise<Value> {
    const value = await this.valueOf(this.text);
    return value.ok ? value.value : EMPTY;
  }

  private async valueOf(text: string): Promise<Result<Value, Failure>> {
    const { context } = this.ready;
    return context.isSecret ? sealText(Buffer.from(text), context) : ok(store(text, context.files));
  }
}

function repairOf(what: string): string {
  return `That reply is not valid: ${what}. Reply again, with nothing but JSON that satisfies the schema.`;
}

const overDuring = failureOf("llm-budget-exceeded", (left: number) => [
  `The node's budget is used up. Curlew stopped the reply after the remaining ${left} tokens.`,
  "Raise budget, or ask for a shorter reply.",
]);

function timedOut({ limit }: Extract<Stop, { type: "timed-out" }>, { data }: LlmNode): Failure {
  if (limit === "total")
    return {
      code: "timed-out",
      message: `Curlew stopped the model after ${data.timeout}, the node's time limit.`,
      hint: "Raise timeout, or ask for a shorter reply.",
    };
  return {
    code: "timed-out-idle",
    message: `Curlew stopped the model, because it sent nothing for ${data.idleTimeout}, the node's idle limit.`,
    hint: "Raise idleTimeout. A large model may take a while to load.",
  };
}

function notKept(cause: StopReason): Failure {
  return explainEnd({ cause, program: "", stderrTail: "" });
}

function after(ms: number, call: () => void): NodeJS.Timeout | undefined {
  return ms > limits.timerMsMax ? undefined : setTimeout(call, ms);
}
