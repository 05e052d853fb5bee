// asks: why a person will be asked about a command, as far as it is known before the run (spec 2.2 `--dry-run`, 4.2).
// The rules are those of the run (workflow/safety); what only the run will know is looked at there.

import { resolve } from "node:path";
import type { GraphNode } from "../../workflow/graph.ts";
import { loopNames } from "../../workflow/graph-loops.ts";
import type { CliNode } from "../../workflow/model.ts";
import { documentSource, inspect, isInspected, readCommand, stdinSource } from "../../workflow/safety/inspect.ts";
import { type Provenance, provenanceOf } from "../../workflow/safety/provenance.ts";
import type { Source } from "../../workflow/safety/script.ts";
import { parseTemplate } from "../../workflow/template.ts";
import { inputSpecs } from "../../workflow/triggers.ts";
import { knownText, type PreviewRequest, type Step } from "./preview.ts";

type Request = Omit<PreviewRequest, "asks">;

/** By the ids of the nodes that ask. */
export async function previewAsks(request: Request): Promise<Map<string, NonNullable<Step["asks"]>>> {
  const asks = new Map<string, NonNullable<Step["asks"]>>();
  const provenance = provenanceOf(request.graph);
  for (const node of request.graph.nodes) {
    if (node.node.type !== "cli" || node.node.data.safetyLevel === "advanced" || !isInspected(node.node.data)) continue;
    const found = await asksOfNode(node, node.node, provenance, request);
    if (found.length > 0) asks.set(node.id, found);
  }
  return asks;
}

async function asksOfNode(
  node: GraphNode,
  drawn: CliNode,
  provenance: Provenance,
  request: Request,
): Promise<NonNullable<Step["asks"]>> {
  const { data } = drawn;
  const textOf = (text: string): string | undefined => {
    const parts = parseTemplate(text).map((part) =>
      part.kind === "text" ? part.text : knownText(part, node, request),
    );
    return parts.includes(undefined) ? undefined : parts.join("");
  };
  const folder = data.cwd === undefined ? "." : textOf(data.cwd);
  const { HOME, TMPDIR } = request.environment;
  const places = { cwd: folder === undefined ? undefined : resolve(request.folder, folder), home: HOME, tmp: TMPDIR };
  const written = documentSource(node, provenance, places);
  const known = (root: string): boolean => /^[0-9]/.test(root) || knows(root, node, request);
  const source: Source = {
    ...written,
    meaningOf: (reference) => {
      const text = knownText({ kind: "reference", start: 0, end: 0, ...reference }, node, request);
      return { ...written.meaningOf(reference), ...(text === undefined ? {} : { text }) };
    },
    exported: (name) => {
      const meaning = written.exported(name);
      const literal = data.env?.static?.[name];
      const text = literal === undefined ? undefined : textOf(literal);
      return meaning === undefined || text === undefined ? meaning : { ...meaning, text };
    },
  };
  const reading = await readCommand(data.content, known);
  if (reading === undefined) return [];
  return inspect(reading, source, drawn, places, stdinSource(node, provenance)).asks.map(({ code, message }) => ({
    code,
    message,
  }));
}

function knows(root: string, node: GraphNode, { graph }: Request): boolean {
  const { workflow } = graph;
  return (
    Object.hasOwn((node.node.type === "cli" ? node.node.data.env?.static : undefined) ?? {}, root) ||
    graph.named.has(root) ||
    Object.hasOwn(inputSpecs(workflow), root) ||
    workflow.secrets.includes(root) ||
    node.loops.some((loop) => loopNames(graph.nodes[loop]!.node).includes(root))
  );
}
