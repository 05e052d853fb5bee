// safety/inspect: looks at the command of one CLI node, before the run with what the document says, in it with the values (spec 4.2).
//   N1. The same rules before and in the run; only what is known of the values differs.
//   N2. The shell's parser is loaded only for commands in which one of the listed words stands.
// Deliberately absent: pwsh, cmd, and scripts whose first line names another interpreter; nothing is said about those.

import type { Graph, GraphNode } from "../graph.ts";
import type { CliData, CliNode, Workflow } from "../model.ts";
import type { Unbash } from "../shell/tree.ts";
import { asksOf, ESCALATING, type SafetyAsk } from "./asks.ts";
import { DELETING } from "./deletes.ts";
import { FETCHERS, type PlainUse, plainUses } from "./https-only.ts";
import { type Provenance, provenanceOf } from "./provenance.ts";
import { CLIENTS } from "./requests.ts";
import { type Meaning, type Reading, readScript, type Script, type Source, scriptOf } from "./script.ts";
import { CHANGING, FETCHING } from "./untrusted.ts";
import type { Places } from "./writes.ts";

/** A node's command, read once; what its values are is asked each time. */
export interface Inspected {
  asks: SafetyAsk[];
  plain: PlainUse[];
  script: Script;
}

/** The parsed command; undefined when nothing in it is on any list. */
export async function readCommand(
  content: string,
  known: (root: string) => boolean,
  always = false,
): Promise<Reading | undefined> {
  if (!always && !mayMatter(content)) return undefined;
  const unbash: Unbash = await import("unbash");
  return readScript(unbash, content, known);
}

export function inspect(
  reading: Reading,
  source: Source,
  node: CliNode,
  places: Places,
  stdin: string | undefined,
): Inspected {
  const script = scriptOf(reading, source);
  const statics: Record<string, string> = {};
  for (const name of Object.keys(node.data.env?.static ?? {})) {
    const text = source.exported(name)?.text;
    if (text !== undefined) statics[name] = text;
  }
  return {
    asks: asksOf(script, { places, stdin, statics }),
    plain: plainUses(script, node.data.auth !== undefined),
    script,
  };
}

/** Whether the command comes under the rules of `safe`: those a shell of ours reads. */
export function isInspected(data: CliData): boolean {
  if (data.shell === "pwsh" || data.shell === "cmd") return false;
  const first = data.mode === "script" ? /^#!.*/.exec(data.content)?.[0] : undefined;
  return first === undefined || /[/\s](?:bash|sh|zsh|dash)(?:\s|$)/.test(first);
}

/** `https` and a list of hosts both mean that nothing goes out in the clear. */
export function allowsPlain(node: CliNode, workflow: { egress?: Workflow["egress"] | undefined }): boolean {
  return (node.data.egress ?? workflow.egress) === "any" || node.data.safetyLevel === "advanced";
}

/** What standard input brings when that is not the document's own text, for a message. */
export function stdinSource(node: GraphNode, provenance: Provenance): string | undefined {
  const { node: drawn } = node;
  if (drawn.type !== "cli") return undefined;
  const { stdin } = drawn.data;
  const ofParent = (index: number): string | undefined => {
    const parent = node.parents[index];
    if (parent === undefined) return undefined;
    const meaning = provenance.ofParent(node, index);
    return meaning.text === undefined ? (meaning.untrusted ?? "what the node before it hands on") : undefined;
  };
  switch (stdin?.source) {
    case "parent-index":
      return ofParent(stdin.parentIndex ?? 0);
    case "parents-all":
      return node.parents.map((_each, index) => ofParent(index)).find((from) => from !== undefined);
    case "literal": {
      const meaning = provenance.ofText(node, stdin.literal ?? "", true);
      return meaning.text === undefined ? (meaning.untrusted ?? "a text with values in it") : undefined;
    }
    default:
      return undefined;
  }
}

/** What the document itself says of a node's references. */
export function documentSource(node: GraphNode, provenance: Provenance, places: Places): Source {
  return {
    meaningOf: (reference) => provenance.ofReference(node, reference, true),
    exported: (name) => provenance.ofExported(node, name),
    environment: (name) => environmentOf(name, places),
  };
}

/** In the run: texts as they are, and where they come from as the document says. */
export function runSource(
  node: () => { node: GraphNode; provenance: Provenance } | undefined,
  textOf: (reference: Parameters<Source["meaningOf"]>[0]) => string | undefined,
  exported: Readonly<Record<string, string>>,
  places: Places,
): Source {
  const lazy = (
    text: string | undefined,
    origin: (from: { node: GraphNode; provenance: Provenance }) => Meaning | undefined,
  ): Meaning => {
    const found = () => {
      const from = node();
      return from === undefined ? undefined : origin(from);
    };
    return {
      ...(text === undefined ? {} : { text }),
      get untrusted() {
        return found()?.untrusted;
      },
      get foreign() {
        return found()?.foreign;
      },
      get secret() {
        return found()?.secret;
      },
    } as Meaning;
  };
  return {
    meaningOf: (reference) =>
      lazy(textOf(reference), ({ node: at, provenance }) => provenance.ofReference(at, reference, true)),
    exported: (name) =>
      Object.hasOwn(exported, name)
        ? lazy(exported[name], ({ node: at, provenance }) => provenance.ofExported(at, name))
        : undefined,
    environment: (name) => environmentOf(name, places),
  };
}

function environmentOf(name: string, places: Places): string | undefined {
  if (name === "HOME") return places.home;
  if (name === "PWD") return places.cwd;
  return name === "TMPDIR" ? places.tmp : undefined;
}

const graphs = new WeakMap<Workflow, { graph: Graph; provenance: Provenance }>();

/** Where the values of a workflow come from, found out once. */
export function originsOf(workflow: Workflow, analyze: (workflow: Workflow) => { graph: Graph }) {
  let known = graphs.get(workflow);
  if (known === undefined) {
    const { graph } = analyze(workflow);
    known = { graph, provenance: provenanceOf(graph) };
    graphs.set(workflow, known);
  }
  return known;
}

/** Names that some rule is about, in any spelling of quotes. */
function mayMatter(content: string): boolean {
  return INTERESTING.test(content.replaceAll(/["'\\]|\$(?=['"])/g, "").replaceAll(/\n/g, " "));
}

const INTERPRETERS =
  "sh bash dash zsh ksh mksh ash fish eval source trap python node deno bun perl ruby php lua ssh find xargs parallel watch";
const WRITERS = "tee touch mkdir rmdir unlink sed gsed tar unzip cd pushd read mapfile let export set mktemp";
const INTERESTING = new RegExp(
  `>|\\\\x|\\$\\(\\(|\\[\\[|(?:^|[\\s;&|(])\\.\\s|(?<![\\w])(?:${[
    ...DELETING.flatMap(({ programs }) => programs),
    ...ESCALATING,
    ...CHANGING,
    ...Object.keys(FETCHING),
    ...CLIENTS,
    ...FETCHERS,
    ...INTERPRETERS.split(" "),
    ...WRITERS.split(" "),
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "PYTHONHTTPSVERIFY",
    "GIT_SSL_NO_VERIFY",
  ]
    .map((name) => name.replaceAll(/[.+-]/g, "\\$&"))
    .join("|")})`,
);
