// auth-hosts: the hosts to which a node's credential may go (spec 8.4).
//   A1. `hosts` of the entry decides. Without it: the hosts of its URLs, and those that the commands with this
//       entry name by text, inputs, secrets and the environment. A value of another node or of an event names no
//       host, also not as the input of a subflow.
//   A2. If no command names a host that way, the credential goes where the command calls, as the author wrote it.
//   A3. Only bash, sh and zsh are read.

import type { Failure } from "../../base/failure.ts";
import { ok, type Result } from "../../base/result.ts";
import { hostOf, hostsIn, isInspected, readCommand, type Source, scriptOf } from "../../shell/safety/index.ts";
import { parseTemplate } from "../../shell/template.ts";
import { hostsOf, isHostName, ownHosts } from "../../workflow/auth-hosts.ts";
import type { CliNode } from "../../workflow/model.ts";
import { inheritedBy, variableName } from "../../workflow/node-fields.ts";
import { DELIVERY, EVENT } from "../../workflow/triggers/index.ts";
import { entryOf } from "../auth.ts";
import { eventOf, inputText, type NodeContext } from "../context.ts";

/** Undefined without a limit (A2). Failures: those of `entryOf`. */
export async function authHosts(
  node: CliNode,
  context: NodeContext,
  home: string,
): Promise<Result<string[] | undefined, Failure>> {
  const entry = await entryOf(node, context.workflow, home);
  if (!entry.ok) return entry;
  // curl takes an entry of .netrc only for its own machine.
  if (entry.value === undefined || entry.value.fields.type === "netrc") return ok(undefined);
  const { fields } = entry.value;
  const listed = hostsOf(fields.hosts);
  if (listed.length > 0) return ok([...listed, ...ownHosts(fields)]);
  const { auth } = node.data;
  const users = typeof auth === "string" ? context.workflow.nodes.filter((one) => usesEntry(one, auth)) : [node];
  const called = new Set<string>();
  for (const user of users) for (const host of await hostsOfCommand(user as CliNode, context)) called.add(host);
  return ok(called.size === 0 ? undefined : [...called, ...ownHosts(fields)]);
}

function usesEntry(node: NodeContext["workflow"]["nodes"][number], entry: string): boolean {
  return "auth" in node.data && node.data.auth === entry;
}

async function hostsOfCommand(node: CliNode, context: NodeContext): Promise<string[]> {
  if (!isInspected(node.data)) return [];
  const { content, env } = node.data;
  const statics = env?.static ?? {};
  const inherited = inheritedBy(node);
  const known = (root: string) => /^[0-9]/.test(root) || Object.hasOwn(statics, root) || context.knows(root);
  const reading = await readOnce(node, context, () => readCommand(content, known, true));
  if (reading === undefined) return [];
  const source: Source = {
    meaningOf: ({ root, members, filter }) =>
      members.length > 0 || filter !== undefined ? {} : { text: ownValue(root, statics, context) },
    exported: (name) => {
      const isPassed = Object.hasOwn(statics, name) || inherited === true || inherited.includes(name);
      const text = isPassed ? ownValue(name, statics, context) : undefined;
      return text === undefined ? undefined : { text };
    },
  };
  const hosts = hostsIn(scriptOf(reading, source), true);
  return hosts.length > 0 ? hosts : hostsInText(filled(content, statics, context, 0, UNKNOWN) ?? "");
}

type Reading = ReturnType<typeof readCommand>;

/** The commands as the nodes at these paths read them, for each node of a run. */
const readings = new WeakMap<CliNode, Map<string, Reading>>();

/** A loop reads a command once, not once per iteration. */
function readOnce(node: CliNode, { path }: NodeContext, read: () => Reading): Reading {
  const known = readings.get(node) ?? new Map<string, Reading>();
  readings.set(node, known);
  const reader = path.replace(/\[.*$/, "");
  const reading = known.get(reader) ?? read();
  known.set(reader, reading);
  return reading;
}

/** Stands for a value that names no host. */
const UNKNOWN = "$";

/** A script may call `"$next"`: then the URLs that it writes down anywhere count. */
function hostsInText(text: string): string[] {
  return [...text.matchAll(/\bhttps?:\/\/[^\s"'`<>|;&()${}\\]+(?=(.?))/g)].flatMap(([url, next]) => {
    const isWhole = next !== "$" || /^https?:\/\/[^/?#]+[/?#]/.test(url);
    const host = isWhole ? hostOf(url) : undefined;
    return host !== undefined && isHostName(host) ? [host] : [];
  });
}

/** Whether the author or the owner of this machine gave the whole of this text, and no node and no event. */
export function isAuthors(text: string, context: NodeContext): boolean {
  return filled(text, {}, context, 0) !== undefined;
}

/** A value that the author or the owner of this machine gave, and no node. Undefined for others. */
function ownValue(
  root: string,
  statics: Readonly<Record<string, string>>,
  context: NodeContext,
  depth = 0,
): string | undefined {
  if (depth > 3 || /^[0-9]/.test(root) || root === EVENT || root === DELIVERY || root in context.loop())
    return undefined;
  if (Object.hasOwn(statics, root)) return filled(statics[root]!, {}, context, depth);
  const { workflow } = context;
  const variable = workflow.nodes.find((node) => variableName(node) === root);
  if (variable !== undefined) {
    const isFixed = variable.type === "variable" && !workflow.edges.some(({ target }) => target === variable.id);
    return isFixed ? filled(variable.data.content ?? variable.data.initialValue ?? "", {}, context, depth) : undefined;
  }
  if (context.handedOn?.includes(root)) return undefined;
  if (Object.hasOwn(context.inputs, root)) {
    // The event of a trigger may have filled it.
    const isGiven = eventOf(context) === undefined || context.inputs[root] === workflow.inputs[root]?.default;
    return isGiven ? inputText(context.inputs[root]) : undefined;
  }
  return context.environment[root] ?? context.secrets.get(root);
}

function filled(
  text: string,
  statics: Readonly<Record<string, string>>,
  context: NodeContext,
  depth: number,
  unknown?: string,
): string | undefined {
  let whole = "";
  for (const part of parseTemplate(text)) {
    if (part.kind === "text") whole += part.text;
    else {
      const isPlain = part.members.length === 0 && part.filter === undefined;
      const value = (isPlain ? ownValue(part.root, statics, context, depth + 1) : undefined) ?? unknown;
      if (value === undefined) return undefined;
      whole += value;
    }
  }
  return whole;
}
