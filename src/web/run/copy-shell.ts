// copy-shell: an attempt as a script that does the same in your own terminal (spec ui 5, 6.4). Pure, except that it
// loads the shell parser.
//   C1. References become the same parameters as in the run (shell/rewrite/index.ts), with the values that the run
//       shows.
//   C2. Secrets and values unknown to the page must be set by the user. The script names them and stops if they are
//       missing.
// PowerShell and cmd scripts are copied as written. Sandbox and token broker are left out.

import type { NodeView } from "../../scheduler/view.ts";
import type { ShellVariable } from "../../shell/rewrite/index.ts";
import { type Known, memberPath } from "../../shell/template.ts";
import { staticsOf } from "../../workflow/node-fields.ts";
import { isSecretName, memberOf, stdinOf, textNamed } from "./given.ts";
import type { RunModel } from "./run-model.ts";

export async function shellScriptOf(model: RunModel, node: NodeView): Promise<string> {
  const last = node.attempts.at(-1);
  const drawn = model.graph.nodes[model.graph.indexOf.get(node.id) ?? -1]?.node;
  const command = last?.command ?? (drawn !== undefined && "content" in drawn.data ? (drawn.data.content ?? "") : "");
  const shell = last?.shell ?? "bash";
  const head = [
    `# ${node.title.replaceAll("\n", " ")}: ${node.path} of run ${model.started.run}`,
    ...(last?.cwd === undefined ? [] : [`cd ${quoted(last.cwd)} || exit`]),
    ...environment(model, node),
  ];
  if (shell !== "bash" && shell !== "sh" && shell !== "zsh") return `${[...head, command].join("\n")}\n`;
  const { rewriteShell } = await import("../../shell/rewrite/index.ts");
  const known: Known = (root, members) =>
    textNamed(model, node, root, members) !== undefined || /^[0-9]+$/.test(root) || isSecretName(model, root);
  const rewritten = await rewriteShell(command, shell, known);
  const body = rewritten.ok
    ? [...rewritten.value.variables.map((variable) => assignment(model, node, variable)), rewritten.value.script]
    : [command];
  return `${[`#!/usr/bin/env ${shell}`, ...head, ...fed(model, node, body)].join("\n")}\n`;
}

/** Environment variables of the command. The user has to set those that hold secrets. */
function environment(model: RunModel, node: NodeView): string[] {
  const names = node.attempts.at(-1)?.env ?? [];
  const drawn = model.graph.nodes[model.graph.indexOf.get(node.id) ?? -1]?.node;
  const fixed = drawn === undefined ? {} : staticsOf(drawn);
  return names.map((name) => {
    const value = fixed[name];
    if (value !== undefined && !value.includes("${")) return `export ${name}=${quoted(value)}`;
    return demanded(name, isSecretName(model, name) ? "it is a secret" : "the workflow gave it");
  });
}

function assignment(model: RunModel, node: NodeView, variable: ShellVariable): string {
  const { root, members, filter } = variable;
  const text = textNamed(model, node, root, members);
  const value = text === undefined ? undefined : filtered(memberOf(text, members), filter);
  const name = `\${${root}${memberPath(members)}}`;
  if (value !== undefined) return `${variable.variable}=${quoted(value)}`;
  return demanded(variable.variable, isSecretName(model, root) ? `${name} is a secret` : `the value of ${name}`, false);
}

function filtered(text: string | undefined, filter: string | undefined): string | undefined {
  if (text === undefined || filter === undefined || filter === "arg" || filter === "sh" || filter === "int")
    return text;
  if (filter === "uri") return encodeURIComponent(text);
  return filter === "json" ? JSON.stringify(text) : undefined;
}

/** Standard input, if the node had any that the page knows. */
function fed(model: RunModel, node: NodeView, body: string[]): string[] {
  const given = node.attempts.at(-1)?.stdin;
  if (given === undefined || given.bytes === 0) return body;
  const text = stdinOf(model, node);
  if (text === undefined) return [`# It read ${given.bytes} bytes from standard input: give them with < FILE`, ...body];
  return [`printf %s ${quoted(text)} | {`, ...body, "}"];
}

function demanded(name: string, why: string, exported = true): string {
  return `: "\${${name}:?set it first: ${why.replaceAll(/["$`\\{}]/g, "")}}"${exported ? `; export ${name}` : ""}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
