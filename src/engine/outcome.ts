// outcome: the outcome of a run and its result, as 2.2 and 2.7 define them.
//   U1. One value is written byte-exact, also if all other last nodes were skipped. Several values are written as an
//       object, whose members are JSON where the value is a JSON object or array, or the workflow declares JSON.

import { once } from "node:events";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { impossible } from "../base/result.ts";
import { parseJson } from "../base/tolerant.ts";
import { EMPTY, isSealed, type Value } from "../base/value.ts";
import { asUtf8, piecesOf, type RunFiles, startOf, valueText, writeValue } from "../kinds/values.ts";
import type { PartialRun } from "../scheduler/event.ts";
import { plan } from "../scheduler/plan.ts";
import { onlyResultNode, resultNodes, skippedResult } from "../scheduler/result.ts";
import type { NodeState, RunState } from "../scheduler/state.ts";
import { kindOf } from "../workflow/kinds/index.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import type { RunOutcome } from "./contract.ts";

/** `seq`: number of the run's last event. `mask` hides the run's secrets: a workflow may contain one in plain text. */
export function outcomeOf(
  of: { run: string; state: RunState; seq: number; started?: { resultIsSecret?: true; only?: PartialRun } },
  files: RunFiles,
  mask: (text: string) => string,
): RunOutcome {
  const { run: id, state, seq } = of;
  const resultOf = of.started?.only?.result;
  switch (state.status) {
    case "succeeded":
      return {
        id,
        status: "succeeded",
        result: {
          ...(resultHasSecrets(state, resultOf) ? { secret: of.started?.resultIsSecret ? "whole" : "part" } : {}),
          skipped: skippedResult(state, resultOf),
          write: (sink) => writeResult(state, resultOf, files, sink),
        },
      };
    case "failed":
      return {
        id,
        status: "failed",
        failure: failureOf(state, files, mask),
      };
    case "cancelled":
    case "timed-out":
      return { id, status: state.status };
    default:
      return { id, status: "waiting", waiting: waitingIn(state), ...restOf(id, state, seq) };
  }
}

function failureOf(state: RunState, files: RunFiles, mask: (text: string) => string): RunOutcome["failure"] {
  const { failure, failedNode: of } = state;
  if (failure === undefined) return undefined;
  const answer = of === undefined ? undefined : answerOf(of, files, limits.failureTextBytes);
  return { ...failure, ...commandOf(state, failure.node, mask), answer };
}

/** The status of the node's last call, and what it printed. A subflow has those of its failed node. */
export function answerOf(node: NodeState, files: RunFiles, bytesMax: number): NonNullable<Failure["answer"]> {
  const inside = node.failure?.answer;
  return inside ?? { status: node.answer?.status, body: startOf(node.value, files, bytesMax) };
}

function waitingIn(state: RunState): { node: string; path: string }[] {
  const here = [...state.waitingApproval.values()].map((node) => ({ node: idOf(state, node), path: node.path }));
  const inside = [...state.paused.values()].flatMap((node) =>
    (node.paused?.waiting ?? []).map((path) => ({ node: idOf(state, node), path })),
  );
  return [...here, ...inside];
}

function restOf(id: string, state: RunState, seq: number): { seen: Record<string, number>; wakeAtMs?: number } {
  const seen: Record<string, number> = { [id]: seq };
  for (const node of state.paused.values()) Object.assign(seen, node.paused?.seen);
  // Time 0 is before any start, so only the earliest deadline is reported.
  const { wakeAtMs } = plan(state, 0);
  return wakeAtMs === undefined ? { seen } : { seen, wakeAtMs };
}

function resultHasSecrets(state: RunState, resultOf: string | undefined): boolean {
  return resultNodes(state, resultOf).some((index) => isSealed(state.root.nodes.get(index)?.value ?? EMPTY));
}

async function writeResult(
  state: RunState,
  resultOf: string | undefined,
  files: RunFiles,
  sink: NodeJS.WritableStream,
): Promise<void> {
  const { graph, root } = state;
  const only = onlyResultNode(state, resultOf);
  if (only !== undefined) {
    must(await writeValue(root.nodes.get(only)?.value ?? EMPTY, files, sink));
    return;
  }
  let separator = "{";
  for (const index of resultNodes(state, resultOf)) {
    const node = root.nodes.get(index);
    if (node?.status !== "succeeded") continue;
    await put(sink, `${separator}${JSON.stringify(graph.nodes[index]!.id)}:`);
    await writeMember(graph.nodes[index]!.node, node.value, files, sink);
    separator = ",";
  }
  await put(sink, separator === "{" ? "{}" : "}");
}

async function writeMember(
  node: WorkflowNode,
  value: Value,
  files: RunFiles,
  sink: NodeJS.WritableStream,
): Promise<void> {
  const text = valueText(value, files, limits.expressionInputBytesMax);
  if (text.ok) return put(sink, isJson(node, text.value) ? text.value.trim() : JSON.stringify(text.value));
  // Too large for memory: write its pieces as one JSON string, chunk by chunk.
  const { StringDecoder } = await import("node:string_decoder");
  const { createReadStream } = await import("node:fs");
  const decoder = new StringDecoder("utf8");
  await put(sink, '"');
  for (const piece of must(piecesOf(value, files))) {
    if ("text" in piece) await put(sink, JSON.stringify(asUtf8(piece.text)).slice(1, -1));
    else
      for await (const chunk of createReadStream(piece.file, { end: piece.bytes - 1 }))
        await put(sink, JSON.stringify(decoder.write(chunk)).slice(1, -1));
  }
  await put(sink, `${JSON.stringify(decoder.end()).slice(1, -1)}"`);
}

/** Whether the value is a JSON object or array, or JSON that the workflow declares as such. An empty value is not. */
function isJson(node: WorkflowNode, text: string): boolean {
  if (kindOf(node).isJson?.(node.data, text) !== true && !/^\s*[[{]/.test(text)) return false;
  return parseJson(text) !== undefined;
}

async function put(sink: NodeJS.WritableStream, text: string): Promise<void> {
  if (!sink.write(text)) await once(sink, "drain");
}

function must<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  return result.ok ? result.value : impossible(result.error.message);
}

function commandOf(state: RunState, id: string, mask: (text: string) => string): { command?: string } {
  const node = state.graph.nodes[state.graph.indexOf.get(id) ?? -1]?.node;
  return node?.type === "cli" ? { command: mask(node.data.content) } : {};
}

function idOf(state: RunState, node: NodeState): string {
  return state.graph.nodes[node.node]!.id;
}
