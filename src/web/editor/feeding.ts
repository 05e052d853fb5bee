// feeding: connecting a node to a command that reads standard input also feeds it, in the same undo step. For another
// node, the value is offered, because an edge alone only sets the order (ui-2 U3).

import { isMapValue } from "../document/equal.ts";
import {
  connect,
  type Doc,
  type Edit,
  type Link,
  linksOf,
  nodesOf,
  type Plain,
  reconnect,
  setField,
  titleOf,
  together,
} from "../document/index.ts";
import { isSameLink } from "../document/links.ts";

export interface Fed {
  edit: Edit;
  /** For a node that does not use the value yet. */
  offer?: { text: string; label: string; edit: Edit };
}

export async function connectFed(doc: Doc, { source, target, handle }: Link): Promise<Fed> {
  const plain = connect(source, target, handle);
  const nodes = nodesOf(doc.plain ?? {});
  const [from, to] = [nodes.find(({ id }) => id === source), nodes.find(({ id }) => id === target)];
  if (from === undefined || to === undefined || handle === "error" || /start$/.test(from.type)) return { edit: plain };
  const data = to.data ?? {};
  const content = typeof data.content === "string" ? data.content : "";
  const isFree = data.stdin === undefined || (isMapValue(data.stdin) && data.stdin.source === "none");
  const isCommand = to.type === "cli";
  if (isCommand && isFree && (await readsStdin({ ...data, content })))
    return { edit: together(plain.label, [plain, setField(target, ["stdin"], source)]) };
  const number = linksOf(doc.plain?.edges).filter((link) => link.target === target).length + 1;
  const name = /^\w+$/.test(source) ? source : String(number);
  const isUsed = new RegExp(`\\$\\{(?:${source}|${number})[^\\w-]|nodes\\.${source}\\b|\\binputs\\b|exposeParents`);
  if (!(isCommand || to.type === "text" || to.type === "llm") || isUsed.test(JSON.stringify(data)))
    return { edit: plain };
  const text = `${titleOf(to)} does not use the output of ${titleOf(from)} yet.`;
  if (isCommand && isFree && !/^\s*curl\b/.test(content)) {
    const label = `Feed the output of ${titleOf(from)} to it`;
    return { edit: plain, offer: { text, label, edit: { ...setField(target, ["stdin"], source), label } } };
  }
  const label = `Insert \${${name}}`;
  const written = `${content.trimEnd()}${content.trim() === "" ? "" : " "}\${${name}}`;
  return { edit: plain, offer: { text, label, edit: { ...setField(target, ["content"], written), label } } };
}

/** Moves an edge, or makes the new one if there is no old one. The new source feeds the node if the old one did. */
export function rewired(doc: Doc, old: Link, link: Link): Edit {
  const isThere = linksOf(doc.plain?.edges).some((other) => isSameLink(other, old));
  const moved = isThere ? reconnect(old, link) : connect(link.source, link.target, link.handle);
  const { stdin } = nodesOf(doc.plain ?? {}).find(({ id }) => id === old.target)?.data ?? {};
  const isFed = isThere && stdin === old.source && old.target === link.target;
  return isFed ? together(moved.label, [moved, setField(link.target, ["stdin"], link.source)]) : moved;
}

/** Whether the source has a value that a node after it can read. */
export function hasValue(plain: Plain, { source, handle }: Pick<Link, "source" | "handle">): boolean {
  const from = nodesOf(plain).find(({ id }) => id === source);
  return from !== undefined && handle !== "error" && !/start$/.test(from.type);
}

/** Whether the command reads the standard input of its node (shell/safety/stdin.ts). */
export async function readsStdin(data: { content: string; mode?: unknown; shell?: unknown }): Promise<boolean> {
  const safety = await import("../../shell/safety/index.ts");
  const command = { content: data.content, mode: String(data.mode ?? ""), shell: String(data.shell ?? "bash") };
  if (!safety.isInspected(command) || !safety.STDIN_WORDS.test(data.content)) return false;
  const reading = await safety.readCommand(data.content, () => false, true);
  return reading !== undefined && safety.stdinReader(safety.scriptOf(reading, safety.NO_VALUES), true) !== undefined;
}
