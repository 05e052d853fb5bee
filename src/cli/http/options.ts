// options: the command line of `curlew http`, as one table for its parser, help and completions (spec 3.6, 2.2).
//   O1. No option takes a secret: the process list would show it (spec 3.6).
//   O2. There is no `--insecure`. --cacert names the CA to trust.

import { parseDuration, parseSize } from "../../base/duration.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { type HttpProblem, usage } from "./problem.ts";

type Text =
  | ("json" | "variables" | "output" | "auth" | "retry" | "retryDelay" | "retryMaxTime" | "paginate" | "items")
  | ("cursor" | "pageParam" | "maxPages" | "maxTime" | "connectTimeout" | "maxRedirs" | "maxFilesize")
  | ("cacert" | "cert" | "key");
type Flag = "include" | "noFail" | "retryUnsafe" | "lines" | "compressed" | "http11" | "plainHttp";
type Many = "header" | "query" | "data" | "form" | "stop";

export type HttpOptions = { method: string; url: string; graphql?: string | true } & Partial<
  Record<Text, string> & Record<Flag, true> & Record<Many, string[]>
>;

interface OptionSpec {
  key: keyof HttpOptions;
  long: string;
  short?: string;
  /** The placeholder in the help. Flags have none. */
  value?: string;
  kind: "flag" | "text" | "many" | "maybe";
  about: string;
}

/** Long name, placeholder, help, short name. `…` takes several values, `[…]` is optional. */
const ROWS: readonly (readonly [string, string, string, string?])[] = [
  ["header", "<line>…", "Send a header, `Name: value`; `Name:` removes one; @FILE or @- reads lines", "-H"],
  ["query", "<name=value>…", "Add a parameter to the URL, percent-encoded; repeat for more"],
  ["data", "<data>…", "Send this body; @FILE or @- sends exactly those bytes; several are joined by &", "-d"],
  ["json", "<data>", "Send this body as application/json; @FILE or @- as with --data"],
  ["form", "<name=value>…", "Send a field of a multipart form; name=@FILE sends a file, name=<FILE its text", "-F"],
  ["graphql", "[query]", "Send a GraphQL query (or @FILE); variables, or { query, variables }, come from stdin"],
  ["variables", "<json>", "Set the variables of the GraphQL query, if not from stdin; @FILE"],
  ["output", "<file>", "Write the body to a file, which appears when it is complete", "-o"],
  ["include", "", "Print the status line and headers of the answer before the body", "-i"],
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
  ["max-time", "<time>", "Limit the time of each try", "-m"],
  ["connect-timeout", "<time>", "Limit the time for connecting (default: 30s)"],
  ["max-redirs", "<n>", "Follow at most n redirects (default: 10; 0 prints the redirect)"],
  ["max-filesize", "<size>", "Reject larger answers, such as 10MB"],
  ["compressed", "", "Ask for a compressed answer"],
  ["cacert", "<file>", "Trust the certificates in this PEM file, and no others"],
  ["cert", "<file>", "Use this client certificate (PEM)"],
  ["key", "<file>", "Use this private key, if it is not in the same file"],
  ["http1.1", "", "Do not use HTTP/2"],
  ["plain-http", "", "Allow http:// to other machines; not in a safe node"],
];

export const HTTP_OPTIONS: readonly OptionSpec[] = ROWS.map(([name, placeholder, about, short]) => {
  const key = name.replaceAll(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof HttpOptions;
  const kind =
    placeholder === "" ? "flag" : placeholder.endsWith("…") ? "many" : placeholder.startsWith("[") ? "maybe" : "text";
  const spec: OptionSpec = { key, long: `--${name}`, kind, about };
  if (kind !== "flag") spec.value = placeholder.replace("…", "");
  if (short !== undefined) spec.short = short;
  return spec;
});

/** Common habits from curl. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:-X|--request)$/, "The method is the first word: curlew http POST URL."],
  [/^(?:-k|--insecure)$/, "Certificates are always checked. Give the CA that signed it: --cacert FILE."],
  [/^(?:-u|--user|--oauth2-bearer)$/, "Keep secrets off the command line: --auth basic=USER,PASSWORD names variables."],
  [/^(?:-L|--location)$/, "Redirects are followed; --max-redirs 0 turns that off."],
  [/^(?:-f|--fail|--fail-with-body)$/, "An HTTP error is a failure here, and its body is printed; leave it out."],
  [/^(?:-s|-sS|-S|--silent|--show-error)$/, "There is no progress output; leave it out."],
  [/^(?:-G|--get|--data-urlencode)$/, "Give parameters of the URL with --query name=value."],
  [/^(?:-T|--data-binary|--data-raw)$/, "-d @FILE sends exactly those bytes; -d sends other text as it is."],
];

const BY_NAME = new Map(HTTP_OPTIONS.flatMap((spec) => [spec.long, spec.short ?? ""].map((name) => [name, spec])));

/** Throws `HttpProblem` with exit code 2. */
export function readOptions(words: readonly string[]): HttpOptions {
  const found: Record<string, unknown> = Object.create(null);
  const rest: string[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") rest.push(...left.splice(0));
    else if (word.startsWith("-") && word !== "-") readOption(word, left, found);
    else rest.push(word);
  }
  const [method, url, ...more] = rest;
  const example = "curlew http GET https://api.example.com/items";
  if (method === undefined || url === undefined)
    throw usage("missing-argument", '"curlew http" needs METHOD and URL.', example);
  if (more.length > 0)
    throw usage("too-many-arguments", `"curlew http" takes METHOD and URL, but not "${more[0]}".`, "Quote the value.");
  if (!/^[A-Za-z]{1,20}$/.test(method) || method.toUpperCase() === "CONNECT")
    throw usage("bad-method", `"${method}" is not an HTTP method.`, example);
  return { ...found, method: method.toUpperCase(), url } as HttpOptions;
}

function readOption(word: string, left: string[], found: Record<string, unknown>): void {
  const [name, attached] = splitWord(word);
  const spec = BY_NAME.get(name);
  if (spec === undefined) throw unknown(name);
  if (spec.kind === "flag") {
    if (attached !== undefined) throw usage("excess-value", `The option "${name}" takes no value.`);
    found[spec.key] = true;
    return;
  }
  if (spec.kind === "maybe") {
    found[spec.key] = attached ?? (looksLikeQuery(left[0]) ? left.shift() : true);
    return;
  }
  const value = attached ?? left.shift();
  if (value === undefined) throw usage("missing-value", `The option "${name}" needs a value: ${name} ${spec.value}.`);
  found[spec.key] = spec.kind === "many" ? [...((found[spec.key] as string[]) ?? []), value] : value;
}

/** `--name=value`, `-Hvalue`. */
function splitWord(word: string): [string, string | undefined] {
  const [, long, value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
  if (long !== undefined) return [long, value];
  const spec = BY_NAME.get(word.slice(0, 2));
  const attached = spec !== undefined && spec.kind !== "flag" && !word.startsWith("--") && word.length > 2;
  return attached ? [word.slice(0, 2), word.slice(2)] : [word, undefined];
}

/** The word after --graphql is the query, not the URL. */
function looksLikeQuery(word = ""): boolean {
  return /^\s*(?:@|#|\{|(?:query|mutation|subscription|fragment)\b)/.test(word);
}

function unknown(name: string): HttpProblem {
  const habit = HABITS.find(([words]) => words.test(name))?.[1];
  const meant = habit === undefined && name.startsWith("--") ? didYouMean(name, [...BY_NAME.keys()]) : "";
  const help = habit ?? '"curlew http --help" lists the options.';
  return usage("unknown-option", `"curlew http" has no option "${name}".${meant}`, help);
}

/** `30s`, `2m`, or seconds as in curl. Returns milliseconds. */
export function timeOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDuration(/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text);
  if (parsed.ok && parsed.value > 0) return Math.min(parsed.value, 2_147_483_647);
  throw usage("invalid-value", `"${option} ${text}" is not a duration.`, `${option} 30s`);
}

/** In bytes. A single letter has curl's meaning: 1k is 1024 bytes. */
export function sizeOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const unit = (_: string, n: string, letter?: string) => `${n}${letter ? `${letter.toUpperCase()}iB` : "B"}`;
  const parsed = parseSize(text.replace(/^(\d+)(?:([kmg])|b?)$/i, unit));
  if (parsed.ok) return parsed.value;
  throw usage("invalid-value", `"${option} ${text}" is not a size.`, `${option} 10MB`);
}

export function countOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^(?:0|[1-9]\d{0,5})$/.test(text)) return Number(text);
  throw usage("invalid-value", `"${option} ${text}" is not an integer from 0.`, `${option} 3`);
}
