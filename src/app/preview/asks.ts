// Finds why a command will need approval, as far as that is known before the run (spec 2.2 `--dry-run`, 4.2).
// The rules are those of the run (shell/safety), with the inputs filled in.

import { inspect, isInspected, readCommand } from "../../shell/safety/index.ts";
import { parseTemplate } from "../../shell/template.ts";
import type { GraphNode } from "../../workflow/graph.ts";
import { loopNames } from "../../workflow/graph-loops.ts";
import { staticsOf } from "../../workflow/node-fields.ts";
import { factsOfCommand } from "../../workflow/script-names.ts";
import { inputSpecs } from "../../workflow/triggers/index.ts";
import { knownText, type PreviewRequest, type Step } from "./preview.ts";

type Request = Omit<PreviewRequest, "asks">;
type Asks = NonNullable<Step["asks"]>;

/** Reasons by node id, for nodes that will need approval. */
export async function previewAsks(request: Request): Promise<Map<string, Asks>> {
  const asks = new Map<string, Asks>();
  for (const node of request.graph.nodes) {
    const found = await asksOfNode(node, request);
    if (found.length > 0) asks.set(node.id, found);
  }
  return asks;
}

async function asksOfNode(node: GraphNode, request: Request): Promise<Asks> {
  const { node: drawn } = node;
  if (drawn.type !== "cli" || drawn.data.safetyLevel === "advanced" || !isInspected(drawn.data)) return [];
  const isFactHere = factsOfCommand(drawn, node);
  const reading = await readCommand(
    drawn.data.content,
    (root, members) => /^[0-9]/.test(root) || knows(root, node, request) || isFactHere(root, members),
  );
  if (reading === undefined) return [];
  const statics = drawn.data.env?.static ?? {};
  const { asks } = inspect(
    reading,
    {
      meaningOf: (reference) => ({
        text: knownText({ kind: "reference", start: 0, end: 0, ...reference }, node, request),
      }),
      exported: (name) =>
        Object.hasOwn(statics, name) ? { text: templateText(statics[name]!, node, request) } : undefined,
    },
    drawn.data,
  );
  return asks.map(({ code, message }) => ({ code, message }));
}

/** Undefined if one of its values is known only during the run. */
function templateText(text: string, node: GraphNode, request: Request): string | undefined {
  const parts = parseTemplate(text).map((part) => (part.kind === "text" ? part.text : knownText(part, node, request)));
  return parts.includes(undefined) ? undefined : parts.join("");
}

function knows(root: string, node: GraphNode, { graph }: Request): boolean {
  const { workflow } = graph;
  return (
    Object.hasOwn(staticsOf(node.node), root) ||
    graph.named.has(root) ||
    node.refers.get(root)?.byName === true ||
    Object.hasOwn(inputSpecs(workflow), root) ||
    workflow.secrets.includes(root) ||
    node.loops.some((loop) => loopNames(graph.nodes[loop]!.node).includes(root))
  );
}
