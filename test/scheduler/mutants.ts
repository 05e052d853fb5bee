// mutants: ways to break the scheduler that its suite must notice. Each is one replacement in one file; the text must be there exactly once,
// so that a mutant cannot die of a change that made it meaningless.

export interface Mutant {
  what: string;
  file: string;
  search: string;
  replace: string;
}

const settle = "src/scheduler/settle.ts";
const evolve = "src/scheduler/evolve.ts";
const settled = "src/scheduler/settled.ts";
const listeners = "src/scheduler/listeners.ts";
const loops = "src/scheduler/loops.ts";
const plan = "src/scheduler/plan.ts";
const scope = "src/scheduler/scope.ts";
const ending = "src/scheduler/ending.ts";
const approvals = "src/scheduler/approvals.ts";
const budgets = "src/scheduler/budgets.ts";
const graph = "src/workflow/graph.ts";
const names = "src/workflow/graph-names.ts";
const again = "src/scheduler/again.ts";

export const mutants: Mutant[] = [
  {
    what: "a node behind a merge starts with its first source",
    file: settle,
    search: "if (child.open === 0) becomeReady",
    replace: "if (child.open <= 1) becomeReady",
  },
  {
    what: "a node is live only when its last edge is taken",
    file: settle,
    search: "if (child !== undefined && isTaken(drawn, node, handle)) child.live = true;",
    replace: "if (child !== undefined) child.live = isTaken(drawn, node, handle);",
  },
  {
    what: "both branches of an IF are taken",
    file: settle,
    search: "String(node.branch) === handle",
    replace: "node.branch !== undefined",
  },
  {
    what: "a tolerated failure takes no plain edge",
    file: settle,
    search: 'return handle === "error" ? true : handle === undefined && drawn.tolerated;',
    replace: 'return handle === "error";',
  },
  {
    what: "an error edge is taken after success",
    file: settle,
    search: 'if (node.status !== "succeeded" || handle === "error") return false;',
    replace: 'if (node.status !== "succeeded") return false;',
  },
  {
    what: "accumulators take no turns",
    file: settle,
    search: "if (same !== undefined && !isSettled(same)) return false;",
    replace: "",
  },
  {
    what: "accumulators look only at their own loop's passes",
    file: settle,
    search: "if (scope !== node.scope) return false;",
    replace: "if (scope !== node.scope) continue;",
  },
  {
    what: "needsUserApproval is forgotten",
    file: settle,
    search: "else if (needsApproval(state, node, drawn)) state.unasked.set(node.path, node);",
    replace: "",
  },
  {
    what: "an answer counts whatever it was given for",
    file: approvals,
    search: "state.waitingApproval.get(node.path) !== node || node.request?.hash !== event.hash",
    replace: "state.waitingApproval.get(node.path) !== node",
  },
  {
    what: "an answer counts after its time",
    file: approvals,
    search: "expiresAtMs === undefined || Date.parse(event.at) < expiresAtMs",
    replace: "expiresAtMs === undefined || Date.parse(event.at) > 0",
  },
  {
    what: "what is asked once more may start all the same",
    file: approvals,
    search: "  state.ready.delete(node);\n",
    replace: "",
  },
  {
    what: "a grant is good for every attempt",
    file: evolve,
    search: "  delete node.approved;\n",
    replace: "",
  },
  {
    what: "retries start without being asked",
    file: plan,
    search: "else if (needsApproval(state, node, state.graph.nodes[node.node]!)) actions.push(ask(state, node));",
    replace: "",
  },
  {
    what: "an approval never expires",
    file: approvals,
    search: "if (event.expiresAt !== undefined) state.expiring.set(node.path, node);",
    replace: "",
  },
  {
    what: "a subflow at rest keeps its slot",
    file: approvals,
    search: "  state.running.delete(node.path);\n",
    replace: "",
  },
  {
    what: "a run ends while a subflow rests",
    file: settled,
    search: "    state.paused.size === 0 &&\n",
    replace: "",
  },
  {
    what: "a subflow at rest is not cancelled",
    file: plan,
    search: "[...state.running.values(), ...state.paused.values()]",
    replace: "state.running.values()",
  },
  {
    what: "a subflow at rest is skipped when the run ends",
    file: ending,
    search: "return state.running.has(node.path) || node.paused !== undefined;",
    replace: "return state.running.has(node.path);",
  },
  {
    what: "a loop that does not open leaves its end behind",
    file: settle,
    search: 'if (drawn.node.type === "loop-start" && status !== "succeeded") skipEnd(state, node);',
    replace: "",
  },
  {
    what: "an error branch does not save the run",
    file: settled,
    search: "if (drawn.tolerated || drawn.hasErrorBranch) return state;",
    replace: "if (drawn.tolerated) return state;",
  },
  {
    what: "a retry is not waited for",
    file: evolve,
    search: "if (retryAt === undefined || isOver) return failed",
    replace: "if (retryAt === undefined || retryAt !== undefined || isOver) return failed",
  },
  {
    what: "finally nodes are not tried again in a run that ends early",
    file: evolve,
    search: "finally) return state.finallyStopped === true;",
    replace: "finally) return state.ending !== undefined;",
  },
  {
    what: "a failed finally node is forgiven",
    file: settled,
    search: '  state.ending ??= "failed";\n',
    replace: "",
  },
  {
    what: "finally nodes start while commands still run",
    file: settled,
    search: "state.root.unsettled === 0 &&",
    replace: "state.root.unsettled <= 1 &&",
  },
  {
    what: "the last reason of an early end counts",
    file: ending,
    search: "state.ending ??= why;",
    replace: "state.ending = why;",
  },
  {
    what: "a cancel leaves nodes in passes pending",
    file: ending,
    search: "for (const loop of scope.loops.values()) scopes.push(...loop.active.values());",
    replace: "",
  },
  {
    what: "one pass too many at a time",
    file: loops,
    search: "loop.active.size < passesAtATime(state, loop.start)",
    replace: "loop.active.size <= passesAtATime(state, loop.start)",
  },
  {
    what: "carried variables do not make a loop sequential",
    file: loops,
    search: "return asks || loop.sequential ? 1",
    replace: "return asks ? 1",
  },
  {
    what: "until never stops a loop",
    file: loops,
    search: "if (event.last) loop.exhausted = true;",
    replace: "",
  },
  {
    what: "whichever pass ends last is the last pass",
    file: loops,
    search: "if (event.index > loop.lastIndex)",
    replace: "if (event.index > -1)",
  },
  {
    what: "a loop closes while passes run",
    file: loops,
    search: "loop.exhausted && loop.active.size === 0;",
    replace: "loop.exhausted && loop.active.size <= 1;",
  },
  {
    what: "a skipped variable keeps the value of the pass before",
    file: loops,
    search: "if (value === undefined) published.delete(index);",
    replace: "if (value === undefined || own?.status === 'skipped') return;",
  },
  {
    what: "an edge from outside of the loop does not count",
    file: loops,
    search: "if (node !== undefined) return isTaken(from, node, handle);",
    replace: "if (node !== undefined) return false;",
  },
  {
    what: "a listener is settled before its lines are done with",
    file: listeners,
    search: "sources.length > 0 || queue.size > 0 || loop.active.size > 0",
    replace: "sources.length > 0 || queue.size > 0",
  },
  {
    what: "a listener is settled before its output is read",
    file: listeners,
    search: "sources.length > 0 || queue.size > 0 || loop.active.size > 0",
    replace: "queue.size > 0 || loop.active.size > 0",
  },
  {
    what: "lines are read ahead without end",
    file: listeners,
    search: "queue.size > limits.linesAheadMax / 2) return undefined",
    replace: "false) return undefined",
  },
  {
    what: "what runs in a failed pass goes on",
    file: listeners,
    search: "    state.stopping.set(node.path, node);\n",
    replace: "",
  },
  {
    what: "a failed pass ends while something in it runs",
    file: listeners,
    search: "  open.add(node);\n",
    replace: "",
  },
  {
    what: "a failed line is forgotten",
    file: listeners,
    search: "  listener.failures += 1;\n",
    replace: "",
  },
  {
    what: "passes do not wait for what enters from outside",
    file: loops,
    search: "loop.listener.gates === 0 && ",
    replace: "",
  },
  {
    what: "a listener takes a slot",
    file: "src/scheduler/state.ts",
    search: "return state.running.size - listeningCount(state);",
    replace: "return state.running.size;",
  },
  {
    what: "concurrency is one more",
    file: plan,
    search: "let slots = state.concurrency - busyCount(state);",
    replace: "let slots = state.concurrency - busyCount(state) + 1;",
  },
  {
    what: "retries do not wait for their time",
    file: plan,
    search: "const atMs = node.retryAtMs ?? 0;",
    replace: "const atMs = 0;",
  },
  {
    what: "a skipped parent hands its old value",
    file: scope,
    search: "const value = !live ? EMPTY :",
    replace: "const value = node.value !== EMPTY && !live ? node.value :",
  },
  {
    what: "a for-each loop hands on its last pass only",
    file: scope,
    search: 'return { joined: "json", parts: loop.results, count: loop.results.length };',
    replace: "return loop.last;",
  },
  {
    what: "a variable behind a loop is read from any run of it",
    file: scope,
    search:
      "while (scope.outer !== undefined && loops[scope.indexes.length - 1] !== scope.loop?.start) scope = scope.outer;",
    replace:
      "while (scope.outer !== undefined && !scope.published.has(named) && !scope.nodes.has(named)) scope = scope.outer;",
  },
  {
    what: "naming a variable waits for nothing",
    file: names,
    search: "reader.waits.push(behind);",
    replace: "",
  },
  {
    what: "passes do not wait for what enters from outside",
    file: names,
    search: "  waitBeforeLoops(graph);\n",
    replace: "",
  },
  {
    what: "an IF without a condition tolerates nothing",
    file: graph,
    search: "if (first !== undefined && isCommand(first.node)) first.tolerated = true;",
    replace: "",
  },
  {
    what: "a retry keeps a failure that ends the run",
    file: again,
    search: 'if (body.status === "failed" && !drawn.tolerated && !drawn.hasErrorBranch) return false;',
    replace: "",
  },
  {
    what: "a retry from a node keeps that node",
    file: again,
    search: "return index === this.target.node && isPass === this.target.pass;",
    replace: "return false;",
  },
  {
    what: "a retry from a pass keeps the passes after it",
    file: again,
    search: "if (difference !== 0) return difference > 0;",
    replace: "if (difference !== 0) return false;",
  },
  {
    what: "a retry keeps what lies behind what runs again",
    file: again,
    search: 'return node.status === "pending" && node.open === 0 && node.live',
    replace: 'return node.status === "pending"',
  },
  {
    what: "a retry keeps what failed because the run was stopped",
    file: again,
    search: 'kept !== undefined && !(kept.status === "failed" && wasEnding)',
    replace: "kept !== undefined",
  },
  {
    what: "a retry forgets what accumulators had collected",
    file: again,
    search: '...("added" in event && event.added !== undefined ? { added: event.added } : {}),',
    replace: '...("added" in event && event.added !== undefined ? { added: [] } : {}),',
  },
  {
    what: "a budget is tried again before its time",
    file: plan,
    search: "const atMs = node.budget?.untilMs ?? 0;",
    replace: "const atMs = 0;",
  },
  {
    what: "a node that waits for a budget stays ready",
    file: budgets,
    search: "state.ready.delete(node);",
    replace: "",
  },
  {
    what: "a node whose budget was freed does not start",
    file: budgets,
    search: "state.ready.add(node);",
    replace: "",
  },
  {
    what: "a retry time holds though the attempt waits for a budget",
    file: budgets,
    search: "state.waitingRetry.delete(node.path);",
    replace: "",
  },
  {
    what: "an answer from the cache leaves the node where it was",
    file: evolve,
    search: '      node.cached = true;\n      return settled(state, node, "succeeded", event.value);',
    replace: "      node.cached = true;\n      return progress(state);",
  },
];
