// graph: prints the graph of a workflow as text, SVG or JSON on stdout. Runs nothing.

import { wiresOf } from "../../workflow/drawing/layout.ts";
import { analyze } from "../../workflow/graph.ts";
import { Exit } from "../exit.ts";
import { isProgram, loadWorkflow, noProgram } from "../load.ts";
import { refuse, refused } from "../open.ts";
import type { Terminal } from "../terminal.ts";
import { columnsOf } from "../text.ts";

export async function graph(
  file: string,
  options: { svg?: boolean; json?: boolean },
  terminal: Terminal,
): Promise<Exit> {
  if (options.svg && options.json)
    return refuse(terminal, "conflicting-options", "--svg and --json cannot be given together.");
  if (isProgram(file)) return refused(noProgram(file), terminal);
  const loaded = await loadWorkflow(file, terminal);
  if (loaded === undefined) return Exit.USAGE;
  const drawn = analyze(loaded.workflow).graph;
  if (options.svg) terminal.out((await import("../graph/svg.ts")).svg(drawn));
  else if (options.json)
    terminal.json({
      name: drawn.workflow.name,
      nodes: drawn.nodes.map((node) => ({
        id: node.id,
        type: node.node.type,
        title: node.node.data.title,
        loops: node.loops.map((loop) => drawn.nodes[loop]!.id),
        ...(node.finally ? { [node.stage]: true } : {}),
      })),
      edges: wiresOf(drawn).map(({ source, target, handle, kind }) => ({
        source: drawn.nodes[source]!.id,
        target: drawn.nodes[target]!.id,
        sourceHandle: handle,
        implicit: kind === "edge" ? undefined : true,
        reference: kind === "reference" ? true : undefined,
      })),
    });
  else {
    const { graphText } = await import("../graph/text.ts");
    const columns = terminal.outStream.isTTY ? columnsOf(terminal.outStream, 80) : undefined;
    terminal.out(graphText(drawn, terminal.outStyle, columns));
  }
  return Exit.OK;
}
