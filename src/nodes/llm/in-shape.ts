// in-shape: answers of servers that are nearly OpenAI's, brought into the shape that the SDK reads (spec 1.2, "any OpenAI-compatible").
//   H1. A server that does not stream answers with one JSON: it becomes a stream of one piece. Which of both it is shows in its first
//       byte, whatever the server calls it; so does a web page.
//   H2. A stream that ends in order ([DONE]) without saying why has ended because the model had finished. One that ends otherwise is left
//       as it is: it broke off.
//   H3. Of a stream's pieces those without `choices` say what an error is, or how many tokens there were; a piece may be empty.
//       What comes after its end counts no more; the last piece may lack the line break behind it.
//   H4. One JSON that is no answer is thrown as the refusal that it is, whatever its status.
//   H5. Of several answers the first counts (`index` 0). What a piece holds may be called `message` or `text`. A count of tokens that is none is
//       left out, and is then estimated: it breaks no answer and opens no budget.
// Deliberately absent: anything about answers whose status is a refusal.

import { errorWords } from "../../base/error-words.ts";
import type { Refusal } from "./failures.ts";

/** H4. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.said);
    this.refusal = refusal;
  }
}

const FINISHED = { index: 0, delta: {}, finish_reason: "stop" };

/** Throws `Refused`. */
export async function inShape(answer: Response): Promise<Response> {
  const { status } = answer;
  if (!answer.ok) return answer;
  const [first, all] = answer.body === null ? ["", null] : await begunBy(answer.body);
  const body =
    all === null || /^[{["<]|^$/.test(first)
      ? asEvents(await new Response(all).text(), status)
      : all.pipeThrough(finishing());
  return new Response(body, { status: 200, headers: { "content-type": "text/event-stream" } });
}

/** The first character that is no blank, "" where there is none, and the whole. */
async function begunBy(body: ReadableStream<Uint8Array>): Promise<[string, ReadableStream<Uint8Array>]> {
  const reader = body.getReader();
  const taken: Uint8Array[] = [];
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    taken.push(read.value);
    text = Buffer.concat(taken)
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .trimStart();
    if (text !== "") break;
  }
  const whole = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = taken.shift();
      if (next !== undefined) return controller.enqueue(next);
      const read = await reader.read();
      if (read.done) controller.close();
      else controller.enqueue(read.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return [text.slice(0, 1), whole];
}

/** H1. */
function asEvents(text: string, status: number): string {
  const chunk = chunkOf(text);
  if (chunk === undefined) throw new Refused(refusalIn(text, status));
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

/** The whole answer as one piece of a stream; undefined: it is none. */
function chunkOf(text: string): object | undefined {
  try {
    const { choices, usage, ...rest } = JSON.parse(text);
    const { finish_reason, ...choice } = choices.find(isFirst);
    const message = contentOf(choice);
    const { tool_calls } = message;
    const delta = Array.isArray(tool_calls)
      ? { ...message, tool_calls: tool_calls.map((call, index) => ({ index, ...call })) }
      : message;
    return { ...rest, ...counted(usage), choices: [{ index: 0, delta, finish_reason: finish_reason ?? "stop" }] };
  } catch {
    return undefined;
  }
}

/** H4. Where an error has a number of its own, that is the status it was meant to have. */
function refusalIn(text: string, status: number): Refusal {
  const value = objectIn(text);
  const said = value === undefined ? "" : errorWords(text);
  return { status: statusIn(codeOf(value ?? {})) ?? status, said, ...(said === "" ? { instead: text.trim() } : {}) };
}

function codeOf({ error, code }: Record<string, unknown>): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : code;
}

/** Some say by a number in the body what the status would have been. */
function statusIn(code: unknown): number | undefined {
  return typeof code === "number" && code >= 400 && code <= 599 ? code : undefined;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** H2, H3. */
function finishing(): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = "";
  let finished = false;
  let ended = false;
  const line = (text: string): string => {
    const data = /^data:(.*)$/.exec(text.trimEnd())?.[1]?.trim();
    if (ended) return "";
    if (data === undefined) return text;
    ended = data === "[DONE]";
    finished ||= /"finish_reason"\s*:\s*"/.test(data);
    if (ended) return finished ? text : `data: ${JSON.stringify({ choices: [FINISHED] })}\n\n${text}`;
    return data.includes('"choices"') ? pieceOf(data, text) : withoutChoices(data, text);
  };
  return new TransformStream({
    transform(bytes, controller) {
      const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) controller.enqueue(encoder.encode(`${lines.map(line).join("\n")}\n`));
    },
    flush(controller) {
      controller.enqueue(encoder.encode(`${line(rest)}\n\n`));
    },
  });
}

type Choice = { index?: unknown; delta?: unknown; message?: unknown; text?: unknown };

/** H5. */
function pieceOf(data: string, line: string): string {
  const { choices, usage, ...rest } = objectIn(data) ?? {};
  if (!Array.isArray(choices)) return line;
  const first = choices.filter(isFirst).map((choice) => ({ ...choice, index: 0, delta: contentOf(choice) }));
  return `data: ${JSON.stringify({ ...rest, ...counted(usage), choices: first })}`;
}

function isFirst({ index }: Choice): boolean {
  return index === undefined || index === null || index === 0;
}

function contentOf({ delta, message, text }: Choice): Record<string, unknown> {
  const content = delta ?? message ?? (typeof text === "string" ? { content: text } : {});
  return content as Record<string, unknown>;
}

function counted(usage: unknown): { usage?: object } {
  if (typeof usage !== "object" || usage === null) return {};
  const { prompt_tokens: asked, completion_tokens: answered } = usage as Record<string, unknown>;
  return Number.isFinite(asked) && Number.isFinite(answered) ? { usage } : {};
}

/** H3. */
function withoutChoices(data: string, line: string): string {
  if (data === "") return "";
  const value = objectIn(data);
  if (value === undefined) return line;
  const { usage, ...others } = value;
  const message = usage === undefined ? errorWords(data) : "";
  if (message === "") return `data: ${JSON.stringify({ ...others, ...counted(usage), choices: [] })}`;
  return `data: ${JSON.stringify({ error: { message, code: codeOf(value) } })}`;
}
