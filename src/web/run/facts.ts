// facts: a node's results on one line: `HTTP 200 · 48 kB · 12 lines` (spec ui 6.4). Pure.

import { lastWords } from "../../base/failure.ts";
import { visibleLine } from "../../base/visible.ts";
import type { AttemptView, NodeView } from "../../scheduler/view.ts";
import { count, size } from "../ui/words.ts";

const VALUE_MAX = 60;

export function factsOf(node: NodeView, branch: boolean | undefined): string {
  const last = node.attempts.at(-1);
  const answer = node.failure && lastWords(node.failure);
  const facts = [
    branch === undefined ? "" : String(branch),
    node.cached === undefined ? "" : "from the cache",
    node.kept === undefined ? "" : "kept from before",
    last === undefined ? "" : httpFact(last),
    last === undefined ? "" : usageFact(last),
    ...(answer === undefined ? [last === undefined ? "" : outputFacts(last, node.value)] : [visibleLine(answer)]),
    last !== undefined && node.status !== "succeeded" && answer === undefined ? causeFact(last) : "",
    valueFact(node),
  ].filter((fact) => fact !== "");
  return facts.join(" · ");
}

function httpFact({ http }: AttemptView): string {
  const last = http.at(-1);
  if (last === undefined) return "";
  const answer = last.status === 0 ? "no answer" : `HTTP ${last.status}`;
  return http.length === 1 ? answer : `${answer} · ${count(http.length, "call")}`;
}

function outputFacts({ stdout }: AttemptView, value: string | undefined): string {
  if (stdout === undefined) return "";
  if (stdout.secret) return "output is secret";
  if (stdout.bytes === 0) return "no output";
  if (value === undefined || value === "") return size(stdout.bytes);
  return `${size(stdout.bytes)} · ${count(value.split("\n").length, "line")}`;
}

function usageFact({ usage }: AttemptView): string {
  if (usage === undefined) return "";
  return `${usage.estimated ? "about " : ""}${count(usage.tokensIn + usage.tokensOut, "token")}`;
}

/** `exited(22)` → `exit 22`. */
export function causeFact({ cause }: AttemptView): string {
  if (cause === undefined || cause === "exited(0)") return "";
  const exited = /^exited\((-?\d+)\)$/.exec(cause);
  if (exited !== null) return `exit ${exited[1]}`;
  const signalled = /^signalled\((\w+)\)$/.exec(cause);
  if (signalled !== null) return `ended by ${signalled[1]}`;
  return cause.replace("timed-out(idle)", "silent too long").replace("timed-out(total)", "took too long");
}

/** For a node without a process, the value is the only fact. */
function valueFact({ type, value, attempts }: NodeView): string {
  if (value === undefined || attempts.length > 0 || type === "loop-start" || type === "if" || type === "start")
    return "";
  const line = visibleLine(value.slice(0, VALUE_MAX + 1));
  return line.length > VALUE_MAX ? `${line.slice(0, VALUE_MAX)}…` : line;
}
