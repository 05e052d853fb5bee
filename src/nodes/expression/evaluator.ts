// evaluator: the program of an evaluator process. Reads questions from its channel, evaluates JSONata, answers. Nothing else.
//   V1. It is started without the engine's environment and without rights to files, processes and native code, so that an
//       expression that found a way out of JSONata would find nothing.
//   V2. It does not outlive its engine: a closed channel ends it, and while an expression keeps it busy a second thread looks.
//   V3. What an expression can do is workflow/evaluate.ts's business, here and in the editor.

import { Worker } from "node:worker_threads";
import { evaluateExpression, type Given } from "../../workflow/evaluate.ts";
import type { Answer, Question } from "./protocol.ts";

type Send = (answer: Answer) => void;
const send: Send = (answer) => void process.send?.(answer);

process.on("disconnect", () => process.exit(0));
process.on("message", (question: Question) => {
  void answer(question).then(send);
});
send({ ready: true });
watchParent();

async function answer({ id, expression, scope }: Question): Promise<Answer> {
  return { id, ...(await evaluateExpression(expression, JSON.parse(scope) as Given)) };
}

/** An expression that spins keeps the channel unread; the thread sees that the parent is gone. */
function watchParent(): void {
  const parent = process.ppid;
  const worker = new Worker(
    `setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, "SIGKILL"); }, 1000);`,
    { eval: true },
  );
  worker.unref();
}
