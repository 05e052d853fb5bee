// in-shape: answers of servers that are nearly OpenAI's, brought into the shape that the SDK reads (spec 1.2, "any OpenAI-compatible").
//   H1. A server that does not stream answers with one JSON: it becomes a stream of one piece.
//   H2. A stream that ends in order ([DONE]) without saying why has ended because the model had finished. One that ends otherwise is left
//       as it is: it broke off.
// Deliberately absent: anything about answers that are refusals.

const FINISHED = { index: 0, delta: {}, finish_reason: "stop" };

export async function inShape(answer: Response): Promise<Response> {
  if (!answer.ok || answer.body === null) return answer;
  const headers = { "content-type": "text/event-stream" };
  if (!(answer.headers.get("content-type") ?? "").includes("json"))
    return new Response(answer.body.pipeThrough(finishing()), { status: answer.status, headers });
  return new Response(asEvents(await answer.text()), { status: answer.status, headers });
}

/** H1. What is no such answer goes on as it is: the SDK says what is wrong with it. */
function asEvents(text: string): string {
  let chunk = text.replaceAll("\n", " ");
  try {
    const { choices, ...rest } = JSON.parse(text);
    const [{ message, finish_reason }] = choices;
    const delta = { role: "assistant", content: message.content };
    chunk = JSON.stringify({ ...rest, choices: [{ index: 0, delta, finish_reason: finish_reason ?? "stop" }] });
  } catch {
    // As it is.
  }
  return `data: ${chunk}\n\ndata: [DONE]\n\n`;
}

/** H2. */
function finishing(): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = "";
  let finished = false;
  const line = (text: string): string => {
    finished ||= /"finish_reason"\s*:\s*"/.test(text);
    const inserted = !finished && /^data:\s*\[DONE\]\s*$/.test(text);
    return inserted ? `data: ${JSON.stringify({ choices: [FINISHED] })}\n\n${text}` : text;
  };
  return new TransformStream({
    transform(bytes, controller) {
      const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) controller.enqueue(encoder.encode(`${lines.map(line).join("\n")}\n`));
    },
    flush(controller) {
      controller.enqueue(encoder.encode(line(rest)));
    },
  });
}
