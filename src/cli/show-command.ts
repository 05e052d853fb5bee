// show-command: a command of an imported workflow as shown before you trust it: the program, its data flow and why it
// needs approval (spec 4.2).
//   C1. Untrusted text is behind bars, or on one line with hidden characters made visible (visible.ts).
//   C2. Everything the trust hash covers is shown or listed with its place. The program is shown in full.

import { previewAsks } from "../app/preview/asks.ts";
import type { PreviewRequest } from "../app/preview/preview.ts";
import { visibleLine } from "../base/visible.ts";
import { hostsIn, isInspected, NO_VALUES, readCommand, scriptOf } from "../shell/safety/index.ts";
import { referencesOf } from "../shell/template.ts";
import type { GraphNode } from "../workflow/graph.ts";
import { literalValues } from "../workflow/literal-values.ts";
import type { InertCommand } from "../workflow/unseen.ts";
import type { Style } from "./style.ts";
import { behindBars } from "./visible.ts";

/** The shape that `curlew trust --json` and `curlew import --json` print. */
export interface ShownCommand {
  path: string;
  file: string;
  hash: string;
  seen: boolean;
  title: string;
  type: string;
  command: string;
  /** Described in words: the references, what the command reads, and where it runs. */
  facts: [label: string, text: string][];
  /** That its text names for HTTP calls. */
  hosts: string[];
  asks: { code: string; message: string }[];
}

/** `folder`: absolute path of the folder that contains the workflow file. */
export type Around = Pick<PreviewRequest, "environment"> & { folderOf(file: string): string };

export async function shownCommands(
  commands: readonly InertCommand[],
  seen: ReadonlySet<string>,
  around: Around,
): Promise<ShownCommand[]> {
  const shown: ShownCommand[] = [];
  const graphs = new Map<InertCommand["graph"], Known>();
  for (const command of commands) {
    const known = graphs.get(command.graph) ?? (await knownOf(command, around));
    graphs.set(command.graph, known);
    shown.push(await shownCommand(command, seen.has(command.hash), known));
  }
  return shown;
}

interface Known {
  valuesOf: ReturnType<typeof literalValues>;
  asks: Awaited<ReturnType<typeof previewAsks>>;
}

async function knownOf({ graph, file }: InertCommand, { environment, folderOf }: Around): Promise<Known> {
  const inputs = Object.fromEntries(
    Object.entries(graph.workflow.inputs).flatMap(([name, spec]) =>
      spec.default === undefined ? [] : [[name, spec.default]],
    ),
  );
  const none = { nodes: new Set<number>(), inputs: new Set<string>() };
  const request = { graph, folder: folderOf(file), inputs, environment, approvedInAdvance: [], secrets: none };
  return { valuesOf: literalValues(graph), asks: await previewAsks(request) };
}

async function shownCommand(command: InertCommand, seen: boolean, known: Known): Promise<ShownCommand> {
  const { node, path, file, hash } = command;
  const { data, type } = node.node;
  const content = "content" in data && typeof data.content === "string" ? data.content : "";
  const hosts = await hostsOf(command, content);
  return {
    path,
    file,
    hash,
    seen,
    title: data.title,
    type,
    command: content,
    facts: factsOf(command, content, hosts, known),
    hosts,
    asks: known.asks.get(node.id) ?? [],
  };
}

async function hostsOf({ node }: InertCommand, content: string): Promise<string[]> {
  if (node.node.type !== "cli" || !isInspected(node.node.data)) return [];
  const reading = await readCommand(content, () => true);
  return reading === undefined || reading.tree.errors.length > 0 ? [] : hostsIn(scriptOf(reading, NO_VALUES));
}

function factsOf(
  { node, graph }: InertCommand,
  content: string,
  hosts: readonly string[],
  { valuesOf }: Known,
): ShownCommand["facts"] {
  const facts: ShownCommand["facts"] = [];
  const add = (label: string, text: string | undefined) => text !== undefined && facts.push([label, text]);
  if (node.node.type !== "cli") {
    add("model", "model" in node.node.data ? node.node.data.model : undefined);
    return facts;
  }
  const { data } = node.node;
  const { workflow } = graph;
  const parent = (index: number) => graph.nodes[node.parents[index]?.source ?? -1]?.id ?? "nothing";
  if (data.safetyLevel === "advanced")
    add("advanced", "the checks of safe are off; once trusted, it runs without approval");
  const languages = data.mode === "script" ? /^#!.*/.exec(data.content)?.[0] : undefined;
  add("shell", languages ?? data.shell);
  for (const [name, text] of Object.entries(data.env?.static ?? {})) add("env", `${name} = ${text}`);
  if (data.env?.inherit !== undefined)
    add(
      "env",
      data.env.inherit === true ? "all of your variables" : `your variables: ${(data.env.inherit || []).join(", ")}`,
    );
  if (data.env?.exposeParents === true)
    add("env", `values of ${node.parents.map((_, index) => parent(index)).join(", ")}`);
  for (const name of new Set(referencesOf(content).map(({ root }) => root))) add("value", meaning(name, node));
  if (data.stdin?.source === "literal") add("stdin", data.stdin.literal ?? "");
  else if (data.stdin?.source === "parent-index") add("stdin", `the output of ${parent(data.stdin.parentIndex ?? 0)}`);
  else if (data.stdin?.source === "parents-all") add("stdin", "the outputs of all nodes before it");
  add("folder", data.cwd);
  const auth = typeof data.auth === "string" ? workflow.auth?.[data.auth] : data.auth;
  if (auth !== undefined) add("auth", JSON.stringify(auth));
  add("sandbox", data.sandbox);
  const egress = data.egress ?? workflow.egress;
  if (egress !== undefined) add("egress", typeof egress === "string" ? egress : `only ${egress.allow.join(", ")}`);
  add("hosts", hosts.length === 0 ? undefined : hosts.join(", "));
  return facts;

  function meaning(name: string, at: GraphNode): string | undefined {
    if (/^[0-9]/.test(name)) return `\${${name}} is the output of ${parent(Number(name) - 1)}`;
    const { text, secret } = valuesOf(at).meaningOf({ root: name, members: [] });
    if (secret !== undefined) return `\${${name}} is the secret ${secret}`;
    if (text !== undefined) return `\${${name}} is "${text}"`;
    const input = Object.hasOwn(workflow.inputs, name) ? workflow.inputs[name] : undefined;
    if (input === undefined) return undefined;
    return `\${${name}} is an input${input.default === undefined ? "" : `, ${JSON.stringify(input.default)} when none is given`}`;
  }
}

/** Ends in a newline. `place`: `2 of 5`. */
export function commandText(command: ShownCommand, place: string, style: Style, columns: number): string {
  const fact = ([label, text]: [string, string]) => {
    const lines = behindBars(`${visibleLine(text)}`, { columns: columns - 10, faint: () => "" });
    return lines.map((line, index) => `  ${style("faint", (index === 0 ? label : "").padEnd(9))}${line.trimStart()}`);
  };
  const lines = [
    `${style("faint", place)}  ${style("strong", visibleLine(command.path))}  ${visibleLine(command.title)}${command.seen ? "  (approved here)" : ""}`,
    ...behindBars(command.command, { columns, faint: (text) => style("faint", text) }),
    ...command.facts.flatMap(fact),
    ...command.asks.flatMap(({ message }) => fact(["because", message])),
    "",
  ];
  return `${lines.join("\n")}\n`;
}
