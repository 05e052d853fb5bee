// readout: reads from a command's text what it will do: requests, pipelines, and why it needs approval (ui
// 6.3, spec 4.1). It never changes the command.
//   R1. It uses the parser and rules that apply before a run (shell/safety). They are loaded on first use.
//   R2. Values appear only by name.
//   R3. For a text that cannot be parsed, or that is for an unsupported shell, the readout says only why nothing was
//       read.

import {
  type CurlOption,
  hasOption,
  inspect,
  isInspected,
  type Request,
  readCommand,
  requestsOf,
  type SafetyAsk,
  type Script,
} from "../../shell/safety/index.ts";
import { isFact } from "../../workflow/facts.ts";
import type { Graph } from "../../workflow/graph.ts";
import { literalValues } from "../../workflow/literal-values.ts";
import { bodyOptions, headerRow, headersOf, type Row, shown } from "./http-form.ts";
import { scopeAt } from "./scope.ts";

export interface RequestReadout {
  client: string;
  /** Undefined if it is known only at run time. */
  method?: string;
  url: string;
  headers: readonly Pick<Row, "name" | "value">[];
  /** `option` is as in `--json`. */
  body: readonly { option: string; text: string }[];
  /** The command signs in with an option. */
  signsIn: boolean;
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
  const reading = await readCommand(
    drawn.data.content,
    (root, members) => names.has(root) || isFact(root, members),
    true,
  );
  if (reading === undefined || reading.tree.errors.length > 0)
    return { ...EMPTY, unread: "The command cannot be read as shell text yet." };
  const { script, asks } = inspect(reading, literalValues(graph)(node), drawn.data);
  return {
    requests: script.calls.flatMap((call) => requestsOf(call).map(ofRequest)),
    pipelines: pipelinesOf(script),
    asks,
  };
}

function ofRequest({ client, method, urls, curl = { options: [], urls: [], open: false } }: Request): RequestReadout {
  const textOf = ({ value }: CurlOption): string => shown(value!).text;
  const others = curl.options.flatMap((option) => {
    const name = HEADERS[option.name];
    return name === undefined || option.value === undefined ? [] : [{ name, value: textOf(option) }];
  });
  return {
    client,
    method,
    url: urls[0] === undefined ? "" : shown(urls[0]).text,
    headers: [...headersOf(curl).map((option) => headerRow(shown(option.value!))), ...others],
    body: bodyOptions(curl).map((option) => ({ option: `--${option.name}`, text: textOf(option) })),
    signsIn: hasOption(curl, "user", "oauth2-bearer"),
  };
}

/** Options that set a header. */
const HEADERS: Record<string, string> = { "user-agent": "User-Agent", referer: "Referer", cookie: "Cookie" };

/** A single command is a pipeline of one. Commands nested in another command's text are left out. */
function pipelinesOf(script: Script): string[][] {
  const pipelines: string[][] = [];
  for (const call of script.calls) {
    if (call.nested) continue;
    const name = [...call.wrappers.map((wrapper) => wrapper.name), call.name ?? shown(call.nameTerm).text].join(" ");
    if (name === "") continue;
    const last = pipelines.at(-1);
    if (call.feed.kind === "pipe" && last !== undefined) last.push(name);
    else pipelines.push([name]);
  }
  return pipelines;
}
