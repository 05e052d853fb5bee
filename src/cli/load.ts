// load: a workflow file named on the command line becomes a checked workflow, or its diagnostics on stderr.
export async function loadWorkflow(file: string, terminal: import("./terminal.ts").Terminal) {
  const { readFileSync } = await import("node:fs");
  const { parseWorkflow } = await import("../workflow/parse.ts");
  const { renderDiagnostic } = await import("../workflow/render.ts");
  const text = readFileSync(file, "utf8");
  const parsed = parseWorkflow(text, file);
  for (const d of parsed.diagnostics) terminal.err(renderDiagnostic(d, text));
  if (!parsed.workflow) return undefined;
  return { workflow: parsed.workflow };
}
