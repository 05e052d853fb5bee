// show-command: a command of an imported workflow as a person sees it before they trust it (spec 4.2): the program, where values come from
// and go to, whom it talks to, what is odd about it.
//   C1. Text of others stands behind bars or on one line with nothing that hides (visible.ts).
//   C2. Everything that trust in it is kept by is shown, or named with where it stands; the program is shown whole.

import { visibleLine } from "../base/visible.ts";
import { previewAsks } from "../server/preview/asks.ts";
import type { PreviewRequest } from "../server/preview/preview.ts";
import type { GraphNode } from "../workflow/graph.ts";
import type { CliData } from "../workflow/model.ts";
import { provenanceOf } from "../workflow/safety/provenance.ts";
import { type Reach, reachOf, suggestedSandbox } from "../workflow/safety/reach.ts";
import { referencesOf } from "../workflow/template.ts";
import type { InertCommand } from "../workflow/unseen.ts";
import type { Style } from "./style.ts";
import { behindBars } from "./visible.ts";

/** `--json` of `curlew trust` and `curlew import`. */
export interface ShownCommand {
  path: string;
  file: string;
  hash: string;
  seen: boolean;
  title: string;
  type: string;
  command: string;
  /** In words: what each reference is, what it reads, where it runs. */
  facts: [label: string, text: string][];
  hosts: string[];
  asks: { code: string; message: string }[];
  /** Fields that would keep it to what it seems to need. */
  suggestion?: string;
}

/** `folder`: absolute, of the document that the command stands in. */
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
  provenance: ReturnType<typeof provenanceOf>;
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
  return { provenance: provenanceOf(graph), asks: await previewAsks(request) };
}

async function shownCommand(command: InertCommand, seen: boolean, known: Known): Promise<ShownCommand> {
  const { node, graph, path, file, hash } = command;
  const { data, type } = node.node;
  const content = "content" in data && typeof data.content === "string" ? data.content : "";
  const reach = type === "cli" ? await reachOf(node, graph, known.provenance) : undefined;
  const suggestion = type === "cli" && reach !== undefined ? suggestedSandbox(data as CliData, reach) : undefined;
  return {
    path,
    file,
    hash,
    seen,
    title: data.title,
    type,
    command: content,
    facts: factsOf(command, content, reach, known),
    hosts: reach?.hosts ?? [],
    asks: known.asks.get(node.id) ?? [],
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function factsOf(
  { node, graph }: InertCommand,
  content: string,
  reach: Reach | undefined,
  { provenance }: Known,
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
    add("advanced", "the checks of safe are off; once it is trusted, nobody is asked");
  const languages = data.mode === "script" ? /^#!.*/.exec(data.content)?.[0] : undefined;
  add("shell", languages ?? data.shell);
  for (const [name, text] of Object.entries(data.env?.static ?? {})) add("env", `${name} = ${text}`);
  if (data.env?.inherit !== undefined)
    add("env", data.env.inherit === true ? "all of yours" : `yours: ${(data.env.inherit || []).join(", ")}`);
  if (data.env?.exposeParents === true)
    add("env", `values of ${node.parents.map((_, index) => parent(index)).join(", ")}`);
  for (const name of new Set(referencesOf(content).map(({ root }) => root))) add("value", meaning(name, node));
  if (data.stdin?.source === "literal") add("stdin", data.stdin.literal ?? "");
  else if (data.stdin?.source === "parent-index") add("stdin", `what ${parent(data.stdin.parentIndex ?? 0)} hands on`);
  else if (data.stdin?.source === "parents-all") add("stdin", "what all nodes before it hand on");
  add("folder", data.cwd);
  const auth = typeof data.auth === "string" ? workflow.auth?.[data.auth] : data.auth;
  if (auth !== undefined) add("auth", JSON.stringify(auth));
  add("sandbox", data.sandbox);
  const egress = data.egress ?? workflow.egress;
  if (egress !== undefined) add("egress", typeof egress === "string" ? egress : `only ${egress.allow.join(", ")}`);
  add("talks to", talksTo(reach));
  return facts;

  function meaning(name: string, at: GraphNode): string | undefined {
    if (/^[0-9]/.test(name)) return `\${${name}} is what ${parent(Number(name) - 1)} hands on`;
    const { text, untrusted, secret } = provenance.ofReference(at, { root: name, members: [] }, true);
    if (secret !== undefined) return `\${${name}} is the secret ${secret}`;
    if (untrusted !== undefined) return `\${${name}} is ${untrusted}`;
    if (text !== undefined) return `\${${name}} is "${text}"`;
    const input = Object.hasOwn(workflow.inputs, name) ? workflow.inputs[name] : undefined;
    if (input === undefined) return undefined;
    return `\${${name}} is an input${input.default === undefined ? "" : `, ${JSON.stringify(input.default)} when none is given`}`;
  }
}

function talksTo(reach: Reach | undefined): string | undefined {
  if (reach === undefined || reach.foreign) return "anybody, as far as can be told";
  const more = reach.others.length > 0 ? [`whom ${reach.others.join(", ")} may talk to`] : [];
  const all = [...reach.hosts, ...(reach.open ? ["a host that only the run knows"] : []), ...more];
  return all.length === 0 ? "nobody, as far as can be told" : all.join(", ");
}

/** Ends in a line break. `place`: `2 of 5`. */
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
    ...(command.suggestion === undefined ? [] : fact(["may fit", command.suggestion])),
    "",
  ];
  return `${lines.join("\n")}\n`;
}
