// evaluate.worker: evaluates one expression after the other, in a thread that evaluate.ts can terminate.

import { type ExpressionInput, evaluateExpression } from "../../workflow/evaluate.ts";

addEventListener("message", ({ data }: MessageEvent<{ id: number; expression: string; given: ExpressionInput }>) => {
  void evaluateExpression(data.expression, data.given).then((answer) => postMessage({ id: data.id, answer }));
});
