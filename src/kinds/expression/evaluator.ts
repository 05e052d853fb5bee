// evaluator: the program of an evaluator process. It reads questions from its channel, evaluates JSONata, and answers.
//   V1. It starts without the engine's environment and without access to files, processes, and native code, so that an
//       expression that escapes from JSONata finds nothing.
//   V2. It does not outlive its engine: a closed channel ends it, and a second thread checks while an expression keeps
//       it busy.
//   V3. workflow/evaluate.ts defines what an expression can do, here and in the editor.

import { Worker } from "node:worker_threads";
import { type ExpressionInput, evaluateExpression } from "../../workflow/evaluate.ts";
import type { Answer, Question } from "./evaluator-process.ts";

type Send = (answer: Answer) => void;
const send: Send = (answer) => void process.send?.(answer);

process.on("disconnect", () => process.exit(0));
process.on("message", (question: Question) => {
  void answer(question).then(send);
});
send({ ready: true });
watchParent();

async function answer({ id, expression, scope }: Question): Promise<Answer> {
  return { id, ...(await evaluateExpression(expression, JSON.parse(scope) as ExpressionInput)) };
}

/** A busy expression blocks the channel, so this thread notices when the parent is gone. */
function watchParent(): void {
  const parent = process.ppid;
  const worker = new Worker(
    `setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, "SIGKILL"); }, 1000);`,
    { eval: true },
  );
  worker.unref();
}
