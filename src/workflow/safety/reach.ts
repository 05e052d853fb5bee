// safety/reach: whom a command talks to, as far as its text says, and the sandbox that would keep it to that (spec 4.2; docs/how-to/import.md).
//   E1. A host is named only when it cannot become another one: it stands in the author's text, up to what ends it.
//   E2. A program that is not known to stay on the machine may talk to anybody.
// Deliberately absent: refusing. It is a suggestion; the sandbox is the wall.

import type { Graph, GraphNode } from "../graph.ts";
import { loopNames } from "../graph-loops.ts";
import type { CliData } from "../model.ts";
import { hostOf } from "./addresses.ts";
import { documentSource, isInspected, readCommand } from "./inspect.ts";
import type { Provenance } from "./provenance.ts";
import { CLIENTS, type Request, requestsOf } from "./requests.ts";
import { type Script, scriptOf } from "./script.ts";
import type { Term } from "./terms.ts";

export interface Reach {
  /** Of its HTTP calls, each once, in their order. */
  hosts: string[];
  /** It makes a call whose host only the run knows. */
  open: boolean;
  /** Programs in it that may talk to anybody; empty for a text that no shell of ours reads. */
  others: string[];
  /** No shell of ours reads it. */
  foreign: boolean;
}

/** Loads the shell's parser. */
export async function reachOf(node: GraphNode, graph: Graph, provenance: Provenance): Promise<Reach> {
  const foreign: Reach = { hosts: [], open: true, others: [], foreign: true };
  if (node.node.type !== "cli" || !isInspected(node.node.data)) return foreign;
  const reading = await readCommand(node.node.data.content, (root) => isName(root, node, graph), true);
  if (reading === undefined || reading.tree.errors.length > 0) return foreign;
  const source = documentSource(node, provenance, { cwd: undefined, home: undefined, tmp: undefined });
  return reachOfScript(scriptOf(reading, source));
}

function isName(root: string, node: GraphNode, { workflow, named, nodes }: Graph): boolean {
  if (/^[0-9]/.test(root)) return Number(root) <= node.parents.length;
  const statics = node.node.type === "cli" ? node.node.data.env?.static : undefined;
  return (
    Object.hasOwn(statics ?? {}, root) ||
    named.has(root) ||
    Object.hasOwn(workflow.inputs, root) ||
    workflow.secrets.includes(root) ||
    node.loops.some((loop) => loopNames(nodes[loop]!.node).includes(root))
  );
}

function reachOfScript(script: Script): Reach {
  const hosts = new Set<string>();
  const others = new Set<string>();
  let open = false;
  for (const call of script.calls) {
    if (call.name === undefined || call.nested || call.redirects.some(({ target }) => isSocket(target))) open = true;
    const requests = requestsOf(call);
    for (const request of requests) {
      const named = request.urls.map(hostIn);
      open ||= named.length === 0 || named.includes(undefined) || takesOtherWay(request);
      for (const host of named) if (host !== undefined) hosts.add(host);
    }
    for (const { name } of call.wrappers) if (!WRAPPING.has(name)) others.add(name);
    if (call.name !== undefined && !STAYING.has(call.name) && !CLIENTS.has(call.name)) others.add(call.name);
  }
  return { hosts: [...hosts], open, others: [...others].sort(), foreign: false };
}

/** E1. */
function hostIn(url: Term): string | undefined {
  let known = "";
  let whole = true;
  for (const piece of url.pieces) {
    if (piece.text === undefined || piece.value !== undefined) {
      whole = false;
      break;
    }
    known += piece.text;
  }
  if (!whole && !/^\s*(?:https?:\/\/)?[^/?#\s]+[/?#]/i.test(known)) return undefined;
  const host = hostOf(known);
  return host !== undefined && HOST.test(host) ? host : undefined;
}

const HOST = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

/** bash opens connections by such names. */
function isSocket(target: Term): boolean {
  const [first] = target.pieces;
  return first?.text === undefined || first.value !== undefined || /^\/dev\/(?:tcp|udp)/.test(first.text);
}

function takesOtherWay({ curl }: Request): boolean {
  return curl?.options.some(({ name }) => OTHER_WAYS.test(name)) ?? false;
}
const OTHER_WAYS =
  /^(?:config|proxy|preproxy|socks\w*|connect-to|resolve|doh-url|haproxy|interface|unix-socket|abstract-unix-socket|ftp-port)/;

const WRAPPING = new Set("command env exec nice nohup setsid stdbuf time timeout".split(" "));

/** Programs that talk to nobody, whatever they are told. Anything that runs other programs or scripts is not among them. */
const STAYING = new Set(
  (
    ": [ [[ base64 basename break cat cd chmod column comm continue cp cut date diff dirname echo exit expand export expr false file fmt fold " +
    "grep egrep fgrep gunzip gzip head hexdump iconv id join jq local ls md5sum mkdir mktemp mv nl od paste printf pwd read readlink realpath " +
    "return rev rm rmdir sed seq set sha1sum sha256sum sha512sum shift shuf sleep sort split stat tac tail tee test touch tr true tsort " +
    "umask uname unexpand uniq unset wait wc xxd yes yq zcat"
  ).split(" "),
);

/** Fields for the node that would keep it to what it needs; nothing when it has a sandbox. */
export function suggestedSandbox({ sandbox }: Pick<CliData, "sandbox">, reach: Reach): string | undefined {
  if (sandbox !== undefined && sandbox !== "none") return undefined;
  if (reach.foreign || reach.open || reach.others.length > 0) return "sandbox: read-only";
  if (reach.hosts.length === 0) return "sandbox: no-network";
  return `sandbox: strict, egress: { allow: [${reach.hosts.join(", ")}] }`;
}
