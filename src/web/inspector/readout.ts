// readout: reads from a command's text what it will do: requests, pipelines, how it gets values, and why it needs
// approval (ui 6.3, spec 4.1). It never changes the command.
//   R1. It uses the parser and rules that apply before a run (shell/safety). They are loaded on first use.
//   R2. Values appear only by name.
//   R3. For a text that cannot be parsed, or that is for an unsupported shell, the readout says only why nothing was
//       read.

import { rewriteShell } from "../../shell/rewrite/index.ts";
import type { Call, SafetyAsk, Script } from "../../shell/safety/index.ts";
import {
  type CurlCall,
  inspect,
  isInspected,
  lastOption,
  parameterOf,
  type Request,
  readCommand,
  requestsOf,
  type Term,
} from "../../shell/safety/index.ts";
import { referencesOf } from "../../shell/template.ts";
import type { Graph, GraphNode } from "../../workflow/graph.ts";
import { KnownValues } from "../../workflow/known-values.ts";
import type { CliData, CliNode } from "../../workflow/model.ts";
import { type ScopeName, scopeAt } from "./scope.ts";

/** A range of the command. `end` is exclusive. */
export interface Place {
  start: number;
  end: number;
}

export interface RequestReadout extends Place {
  client: string;
  /** Undefined if it is known only at run time. */
  method?: string;
  scheme?: string;
  host: string;
  path: string;
  query: string;
  headers: { name: string; value: string; at: Place }[];
  /** `option` is as in `--json`, `text` has values by name. */
  body: { option: string; text: string; at: Place }[];
  user?: string;
}

export interface Travel {
  /** As written: `${1.id|json}`. */
  name: string;
  from: string;
  how: "environment" | "file" | "stdin";
  /** The environment variable that has the value. */
  variable?: string;
  secret?: true;
  at?: Place;
}

export interface Readout {
  requests: RequestReadout[];
  /** The programs of each pipeline, in the order of the text. */
  pipelines: string[][];
  travels: Travel[];
  asks: SafetyAsk[];
  /** Why the command could not be read. */
  unread?: string;
}

const EMPTY: Readout = { requests: [], pipelines: [], travels: [], asks: [] };

/** `id` must be a CLI node of the graph. Only the document is read. */
export async function readoutOf(graph: Graph, id: string): Promise<Readout> {
  const node = graph.nodes[graph.indexOf.get(id) ?? -1];
  if (node === undefined || node.node.type !== "cli" || node.node.data.content.trim() === "") return EMPTY;
  const drawn = node.node;
  const scope = scopeAt(graph, id, { own: true });
  const byName = new Map(scope.map((name) => [name.name, name]));
  const stdin = ofStdin(node, drawn.data, byName);
  if (!isInspected(drawn.data))
    return { ...EMPTY, travels: stdin, unread: "Only commands for bash, sh and zsh are read out here." };
  const reading = await readCommand(drawn.data.content, (root) => byName.has(root), true);
  if (reading === undefined || reading.tree.errors.length > 0)
    return { ...EMPTY, travels: stdin, unread: "The command cannot be read as shell text yet." };
  const { script, asks } = inspect(reading, new KnownValues(graph).sourceOf(node), drawn.data);
  return {
    requests: script.calls.flatMap((call) => requestsOf(call).map((request) => ofRequest(request, call))),
    pipelines: pipelinesOf(script),
    travels: [...(await ofValues(drawn, byName)), ...stdin],
    asks,
  };
}

function ofRequest(request: Request, call: Call): RequestReadout {
  const url = request.urls[0] === undefined ? "" : shown(request.urls[0]);
  const [, scheme, rest = ""] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/)?([\s\S]*)$/.exec(url) ?? [];
  const [, host = "", path = "", query = ""] = /^((?:\$\{[^}]*\}|[^/?#])*)([^?#]*)([\s\S]*)$/.exec(rest) ?? [];
  const user = request.curl === undefined ? undefined : lastOption(request.curl, "user", "oauth2-bearer");
  return {
    client: request.client,
    method: request.method,
    scheme: scheme?.toLowerCase(),
    host,
    path,
    query,
    headers: headersOf(request.curl),
    body: bodyOf(request.curl),
    user: user?.value === undefined ? undefined : shown(user.value).replace(/:(?!\$\{)[\s\S]*$/, ":…"),
    start: call.start,
    end: call.end,
  };
}

const HEADERS: Record<string, string> = { "user-agent": "User-Agent", referer: "Referer", cookie: "Cookie" };
const DATA = /^(?:data|data-ascii|data-binary|data-raw|data-urlencode|json|form|form-string|upload-file)$/;

function headersOf(curl: CurlCall | undefined): RequestReadout["headers"] {
  return (curl?.options ?? []).flatMap(({ name, value, at }) => {
    if (value === undefined) return [];
    const place = { start: at.start, end: Math.max(at.end, value.end) };
    const text = shown(value);
    if (name === "header") {
      const [, key = text, rest = ""] = /^([^:;]*)[:;]\s*([\s\S]*)$/.exec(text) ?? [];
      return [{ name: key, value: rest, at: place }];
    }
    return HEADERS[name] === undefined ? [] : [{ name: HEADERS[name], value: text, at: place }];
  });
}

function bodyOf(curl: CurlCall | undefined): RequestReadout["body"] {
  return (curl?.options ?? []).flatMap(({ name, value }) =>
    DATA.test(name) && value !== undefined
      ? [{ option: `--${name}`, text: shown(value), at: { start: value.start, end: value.end } }]
      : [],
  );
}

/** The whole word, with values by name. Parts that only the shell knows appear as `$x` or `$(…)`. */
function shown(term: Term): string {
  return term.pieces
    .map(({ text, value, dynamic }) => {
      if (value !== undefined) return value.name;
      if (dynamic === undefined) return text ?? "";
      const name = parameterOf(dynamic);
      return name === undefined ? "$(…)" : `$${name}`;
    })
    .join("");
}

/** A single command is a pipeline of one. Commands nested in another command's text are left out. */
function pipelinesOf(script: Script): string[][] {
  const pipelines: string[][] = [];
  for (const call of script.calls) {
    if (call.nested) continue;
    const name = [...call.wrappers.map((wrapper) => wrapper.name), call.name ?? shown(call.nameTerm)].join(" ");
    if (name === "") continue;
    const last = pipelines.at(-1);
    if (call.feed.kind === "pipe" && last !== undefined) last.push(name);
    else pipelines.push([name]);
  }
  return pipelines;
}

/** References in the text. The value is passed in the environment, or in a file with the `file` filter. */
async function ofValues({ data }: CliNode, byName: ReadonlyMap<string, ScopeName>): Promise<Travel[]> {
  const dialect = data.shell === "zsh" || data.shell === "sh" ? data.shell : "bash";
  const statics = data.env?.static ?? {};
  const told = await rewriteShell(
    data.content,
    dialect,
    (root) => byName.has(root),
    (name) => Object.hasOwn(statics, name),
  );
  const variables = new Map<string, string>();
  if (told.ok)
    for (const { variable, uses } of told.value.variables)
      for (const { start } of uses) variables.set(String(start), variable);
  const travels: Travel[] = [];
  for (const { root, filter, start, end } of referencesOf(data.content)) {
    const name = byName.get(root);
    const written = data.content.slice(start, end);
    if (name === undefined || travels.some((travel) => travel.name === written)) continue;
    const variable = variables.get(String(start));
    travels.push({
      name: written,
      from: name.from,
      how: filter === "file" ? "file" : "environment",
      variable,
      ...(name.secret === true ? { secret: true as const } : {}),
      at: { start, end },
    });
  }
  for (const [variable, text] of Object.entries(statics)) {
    const sources = referencesOf(text).map(({ root }) => root);
    const secret = sources.some((root) => byName.get(root)?.secret === true);
    travels.push({
      name: `$${variable}`,
      from: sources.length === 0 ? "text of this node" : sources.map((root) => `\${${root}}`).join(", "),
      how: "environment",
      variable,
      ...(secret ? { secret: true as const } : {}),
    });
  }
  return travels;
}

function ofStdin(node: GraphNode, { stdin }: CliData, byName: ReadonlyMap<string, ScopeName>): Travel[] {
  if (stdin === undefined || stdin.source === "none") return [];
  if (stdin.source === "literal") return [{ name: "text of this node", from: "stdin.literal", how: "stdin" }];
  const at = stdin.source === "parent-index" ? [stdin.parentIndex ?? 0] : node.parents.map((_, index) => index);
  return at.flatMap((index) => {
    const parent = byName.get(String(index + 1));
    return parent === undefined ? [] : [{ name: `\${${index + 1}}`, from: parent.from, how: "stdin" as const }];
  });
}
