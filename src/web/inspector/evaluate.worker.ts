// evaluate.worker: evaluates one expression after the other, in a thread that evaluate.ts can terminate.

import { evaluateExpression, type Given } from "../../workflow/evaluate.ts";

addEventListener("message", ({ data }: MessageEvent<{ id: number; expression: string; given: Given }>) => {
  void evaluateExpression(data.expression, data.given).then((answer) => postMessage({ id: data.id, answer }));
});
