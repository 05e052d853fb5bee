// readout: reads from a command's text what it will do: requests, pipelines, and why it needs approval (ui
// 6.3, spec 4.1). It never changes the command.
//   R1. It uses the parser and rules that apply before a run (shell/safety). They are loaded on first use.
//   R2. Values appear only by name.
//   R3. For a text that cannot be parsed, or that is for an unsupported shell, the readout says only why nothing was
//       read.

import {
  type Call,
  type CurlCall,
  inspect,
  isInspected,
  lastOption,
  parameterOf,
  type Request,
  readCommand,
  requestsOf,
  type SafetyAsk,
  type Script,
  type Term,
} from "../../shell/safety/index.ts";
import type { Graph } from "../../workflow/graph.ts";
import { literalValues } from "../../workflow/literal-values.ts";
import { scopeAt } from "./scope.ts";

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

export interface Readout {
  requests: RequestReadout[];
  /** The programs of each pipeline, in the order of the text. */
  pipelines: string[][];
  asks: SafetyAsk[];
  /** Why the command could not be read. */
  unread?: string;
}

const EMPTY: Readout = { requests: [], pipelines: [], asks: [] };

/** `id` must be a CLI node of the graph. Only the document is read. */
export async function readoutOf(graph: Graph, id: string): Promise<Readout> {
  const node = graph.nodes[graph.indexOf.get(id) ?? -1];
  if (node === undefined || node.node.type !== "cli" || node.node.data.content.trim() === "") return EMPTY;
  const drawn = node.node;
  if (!isInspected(drawn.data)) return { ...EMPTY, unread: "Only commands for bash, sh and zsh are read out here." };
  const names = new Set(scopeAt(graph, id, { own: true }).map(({ name }) => name));
  const reading = await readCommand(drawn.data.content, (root) => names.has(root), true);
  if (reading === undefined || reading.tree.errors.length > 0)
    return { ...EMPTY, unread: "The command cannot be read as shell text yet." };
  const { script, asks } = inspect(reading, literalValues(graph)(node), drawn.data);
  return {
    requests: script.calls.flatMap((call) => requestsOf(call).map((request) => ofRequest(request, call))),
    pipelines: pipelinesOf(script),
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
