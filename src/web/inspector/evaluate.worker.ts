// evaluate.worker: one expression after the other, in a thread that can be ended (evaluate.ts does).

import { evaluateExpression, type Given } from "../../workflow/evaluate.ts";

addEventListener("message", ({ data }: MessageEvent<{ id: number; expression: string; given: Given }>) => {
  void evaluateExpression(data.expression, data.given).then((answer) => postMessage({ id: data.id, answer }));
});
