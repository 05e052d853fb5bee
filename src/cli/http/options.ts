// options: the command line of `curlew http`, as one table for its parser, help and completions (spec 3.6, 2.2).
//   O1. No option takes a secret, because the process list would show it.
//   O2. There is no `--insecure`. --cacert names the CA to trust.

import { parseArgs } from "node:util";
import { parseDuration } from "../../base/duration.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { usage } from "./problem.ts";

type Text = "json" | "graphql" | "auth" | "paginate" | "items" | "cursor" | "pageParam" | "cacert";
/** Times are in milliseconds. */
type Amount = "retry" | "retryDelay" | "retryMaxTime" | "maxPages" | "maxTime";
type Flag = "noFail" | "retryUnsafe" | "lines" | "plainHttp";
type Many = "header" | "query" | "data" | "stop";

export type HttpOptions = { method: string; url: string } & Partial<
  Record<Text, string> & Record<Amount, number> & Record<Flag, true> & Record<Many, string[]>
>;

interface OptionSpec {
  key: Text | Amount | Flag | Many;
  name: string;
  short?: string;
  /** The placeholder in the help. Flags have none. */
  value?: string;
  kind: "flag" | "text" | "many";
  about: string;
}

/** Long name, placeholder, help, short name. `…` marks an option that may be repeated. */
const ROWS: readonly (readonly [string, string, string, string?])[] = [
  ["header", "<line>…", "Send a header, `Name: value`, or without a value remove it; @FILE or @- reads lines", "H"],
  ["query", "<name=value>…", "Add a parameter to the URL, percent-encoded; repeat for more"],
  ["data", "<data>…", "Send this body, or with @FILE or @- exactly those bytes; several are joined by &", "d"],
  ["json", "<data>", "Send this body as application/json; @FILE or @- as with --data"],
  ["graphql", "<query>", "Send a GraphQL query (or @FILE); its variables come from stdin as JSON"],
  ["no-fail", "", "Exit 0 for an HTTP status of 400 or more"],
  [
    "auth",
    "<name>",
    "Sign in by the node's auth, an entry of config.yaml, or bearer=VAR, basic=VAR,VAR, header:NAME=VAR",
  ],
  ["retry", "<n>", "Retry temporary failures up to n times (honours Retry-After)"],
  ["retry-delay", "<time>", "Set the first wait, which doubles up to 60 s (default: 1s)"],
  ["retry-max-time", "<time>", "Start no retry after this time"],
  ["retry-unsafe", "", "Retry POST and PATCH as well, which may do them twice"],
  ["paginate", "<how>", "Follow the pages: link, page, cursor, offset"],
  ["items", "<path>", "Print the items at this path of each page, such as data.items, as one JSON array"],
  ["lines", "", "Print one item per line instead"],
  ["cursor", "<path>", "Set where a page names the next cursor (default: the usual names)"],
  ["page-param", "<name>", "Set the parameter that asks for a page (default: page, offset, cursor)"],
  ["stop", "<rule>…", "Stop after the page for which this holds: empty, PATH or PATH=VALUE; repeat for more"],
  ["max-pages", "<n>", "Stop after n pages; without it, more than 1000 are an error"],
  ["max-time", "<time>", "Limit the time of each try", "m"],
  ["cacert", "<file>", "Trust the certificates in this PEM file, and no others"],
  ["plain-http", "", "Allow http:// to other machines; not in a safe node"],
];

export const HTTP_OPTIONS: readonly OptionSpec[] = ROWS.map(([name, placeholder, about, short]) => ({
  key: name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as OptionSpec["key"],
  name,
  short,
  value: placeholder.replace("…", "") || undefined,
  kind: placeholder === "" ? "flag" : placeholder.endsWith("…") ? "many" : "text",
  about,
}));

/** Common habits from curl. */
const HABITS: Readonly<Record<string, string>> = {
  "-X": "The method is the first word: curlew http POST URL.",
  "-k": "Certificates are always checked. Give the CA that signed it: --cacert FILE.",
  "-u": "Keep secrets off the command line: --auth basic=USER,PASSWORD names variables.",
  "-L": "Redirects are always followed.",
  "-o": "The body goes to stdout: curlew http GET URL > FILE.",
  "-F": "curl sends multipart forms.",
};

const EXAMPLE = "curlew http GET https://api.example.com/items";

/** Throws `HttpProblem` with exit code 2. */
export function readOptions(words: readonly string[]): HttpOptions {
  const known = HTTP_OPTIONS.map(({ name, short, kind }) => {
    const type = kind === "flag" ? ("boolean" as const) : ("string" as const);
    return [name, short === undefined ? { type } : { type, short }] as const;
  });
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(known),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const found: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const spec = HTTP_OPTIONS.find(({ name }) => name === token.name);
    if (spec === undefined) throw unknown(token.rawName);
    const { key, kind, value: placeholder } = spec;
    const { rawName, value } = token;
    const read = READERS[placeholder ?? ""];
    if (kind === "flag" && value !== undefined) throw usage("excess-value", `The option "${rawName}" takes no value.`);
    if (kind !== "flag" && value === undefined)
      throw usage("missing-value", `The option "${rawName}" needs a value: ${rawName} ${placeholder}.`);
    if (kind === "many") found[key] = [...((found[key] as string[]) ?? []), value];
    else found[key] = value === undefined ? true : read === undefined ? value : read(rawName, value);
  }
  const [method, url, ...more] = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  if (method === undefined || url === undefined)
    throw usage("missing-argument", '"curlew http" needs METHOD and URL.', EXAMPLE);
  if (more.length > 0)
    throw usage("too-many-arguments", `"curlew http" takes METHOD and URL, but not "${more[0]}".`, "Quote the value.");
  if (!/^[A-Za-z]{1,20}$/.test(method) || method.toUpperCase() === "CONNECT")
    throw usage("bad-method", `"${method}" is not an HTTP method.`, EXAMPLE);
  return { ...found, method: method.toUpperCase(), url };
}

function unknown(name: string) {
  const meant = name.startsWith("--") ? didYouMean(name, [...HTTP_OPTIONS.map((one) => `--${one.name}`)]) : "";
  const help = HABITS[name] ?? '"curlew http --help" lists the options.';
  return usage("unknown-option", `"curlew http" has no option "${name}".${meant}`, help);
}

/** How values are read, by their placeholder. */
const READERS: Readonly<Record<string, (option: string, text: string) => number>> = {
  "<time>": timeOf,
  "<n>": countOf,
};

/** `30s`, `2m`, or seconds as in curl. Returns milliseconds. */
function timeOf(option: string, text: string): number {
  const parsed = parseDuration(/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text);
  if (parsed.ok && parsed.value > 0) return Math.min(parsed.value, 2_147_483_647);
  throw usage("invalid-value", `"${option} ${text}" is not a duration.`, `${option} 30s`);
}

function countOf(option: string, text: string): number {
  if (/^(?:0|[1-9]\d{0,8})$/.test(text)) return Number(text);
  throw usage("invalid-value", `"${option} ${text}" is not an integer from 0.`, `${option} 3`);
}
