// http-form: reads a command that is one curl call into the fields of a form, and writes a changed field back into the
// command. Pure.
//   H1. The text is the truth. A change replaces, adds, or removes one argument, and keeps all other characters.
//   H2. A text of a field is a template: `${x}` is a value, `$${x}` is literal text. Reading what was written gives the
//       same text.
//   H3. A field with an expansion that only the shell knows (`$HOME`) is shown and cannot be changed.

import {
  type CurlCall,
  type CurlOption,
  curlCalls,
  hasOption,
  lastOption,
  NO_VALUES,
  readCommand,
  scriptOf,
  type Term,
} from "../../shell/safety/index.ts";
import { parseTemplate, referencesOf } from "../../shell/template.ts";

export interface FieldText {
  text: string;
  /** H3. */
  fixed: boolean;
}

export interface Row {
  name: string;
  value: string;
  fixed: boolean;
}

export type Body =
  | { kind: "none" | "stdin" | "other" }
  | ({ kind: "json" | "raw" } & FieldText)
  | { kind: "form" | "multipart"; rows: Row[] };
export type BodyKind = Body["kind"];

export interface HttpForm {
  /** Empty if only the shell knows it. */
  method: string;
  /** All of it. Its query is in the rows too. */
  url: FieldText;
  query: Row[];
  headers: Row[];
  body: Body;
}

/** A command that the form can show. */
export interface HttpCall {
  content: string;
  form: HttpForm;
  /** Its parts in the text. */
  name: Term;
  end: number;
  curl: CurlCall;
}

/** `undefined`: the command has no curl call. */
export async function readHttp(content: string): Promise<HttpCall | { unfit: string } | undefined> {
  const reading = await readCommand(content, () => true, true);
  if (reading === undefined) return undefined;
  const { tree } = reading;
  const calls = scriptOf(reading, NO_VALUES).calls;
  const call = calls.find(({ name }) => name === "curl");
  if (tree.errors.length > 0) return /\bcurl\b/.test(content) ? { unfit: "it is not complete shell text" } : undefined;
  if (call === undefined) return undefined;
  const chain = tree.nodes.find((nodes) => nodes.at(-1) === call.node);
  const commands = tree.nodes.filter((nodes) => nodes.at(-1)?.type === "Command");
  if (chain?.some(({ type }) => type === "Pipeline")) return { unfit: "it has a pipe" };
  if (commands.length > 1 || calls.length > 1) return { unfit: "it has several commands" };
  if (call.nested || chain?.map(({ type }) => type).join() !== "Script,Statement,Command")
    return { unfit: "the call is inside a loop, a condition, or another command" };
  const [curl, ...more] = curlCalls(call.args);
  if (curl === undefined || more.length > 0) return { unfit: "--next adds another call" };
  if (curl.open) return { unfit: "some of its options are elsewhere (-K or a variable)" };
  if (curl.urls.length > 1) return { unfit: "it has several URLs" };
  if (hasOption(curl, "get")) return { unfit: "-G sends the body in the URL" };
  const end = Math.max(call.nameTerm.end, ...call.args.map((arg) => arg.end));
  return { content, curl, name: call.nameTerm, end, form: formOf(curl) };
}

function formOf(curl: CurlCall): HttpForm {
  const url = curl.urls[0] === undefined ? { text: "", fixed: false } : shown(curl.urls[0]);
  const [, query] = urlParts(url.text);
  const headers = headersOf(curl).map(({ value }) => headerRow(shown(value!)));
  return {
    method: methodOf(curl),
    url,
    query: pairsOf(query).map((pair) => ({ ...pair, fixed: url.fixed })),
    headers,
    body: bodyOf(bodyOptions(curl), headers),
  };
}

/** `GET /items`, or the host where the URL has no path. `undefined` without a URL. */
export function titleOfRequest({ method, url }: HttpForm): string | undefined {
  const address = urlParts(url.text)[0]
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/\/$/, "");
  const path = address.replace(/^(?:\$\{[^}]*\}|[^/])*/, "");
  return address === "" ? undefined : `${method} ${path === "" ? address : path}`.slice(0, titleCharsMax);
}

const titleCharsMax = 80;

// ---- Reading

/** The text of a word as a template (H2). */
export function shown({ pieces }: Term): FieldText {
  let fixed = false;
  const parts = pieces.map(({ text = "", value, dynamic }, at) => {
    if (dynamic !== undefined) {
      fixed = true;
      return "text" in dynamic && typeof dynamic.text === "string" ? dynamic.text : "$(…)";
    }
    if (value !== undefined) return value.name;
    // These would read as something else once they are part of a template.
    if (text.includes("$${") || (text.endsWith("$") && pieces[at + 1] !== undefined)) fixed = true;
    return literally(text);
  });
  return { text: parts.join(""), fixed };
}

/** Text in which every complete `${x}` is escaped. */
function literally(text: string): string {
  return referencesOf(text).reduceRight((done, { start }) => `${done.slice(0, start)}$${done.slice(start)}`, text);
}

const REFERENCE = String.raw`\$\$?\{[^}]*\}`;
const URL_PARTS = new RegExp(String.raw`^((?:${REFERENCE}|[^?#])*)(?:\?((?:${REFERENCE}|[^#])*))?(#[\s\S]*)?$`);

function urlParts(url: string): [base: string, query: string, fragment: string] {
  const [, base = url, query = "", fragment = ""] = URL_PARTS.exec(url) ?? [];
  return [base, query, fragment];
}

const PAIR = new RegExp(`(?:${REFERENCE}|[^&])+`, "g");

function rawPairs(query: string): string[] {
  return query.match(PAIR) ?? [];
}

function pairsOf(query: string): { name: string; value: string }[] {
  return rawPairs(query).map((pair) => {
    const at = pair.indexOf("=");
    return { name: decoded(at < 0 ? pair : pair.slice(0, at)), value: at < 0 ? "" : decoded(pair.slice(at + 1)) };
  });
}

/** Changes the text between references. */
function betweenReferences(text: string, change: (part: string) => string): string {
  return text
    .split(new RegExp(`(${REFERENCE})`))
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join("");
}

function decoded(text: string): string {
  return betweenReferences(text, (part) => {
    try {
      return decodeURIComponent(part.replaceAll("+", " "));
    } catch {
      return part;
    }
  });
}

function encoded(text: string): string {
  return betweenReferences(text, (part) =>
    encodeURIComponent(part).replace(/%(?:2C|2F|3A|40)/g, (code) => decodeURIComponent(code)),
  );
}

export function headersOf({ options }: CurlCall): CurlOption[] {
  return options.filter(({ name, value }) => name === "header" && value !== undefined && !value.head.startsWith("@"));
}

export function headerRow({ text, fixed }: FieldText): Row {
  const [, name = text, value = ""] = /^([^:;]*)[:;][ \t]*([\s\S]*)$/.exec(text) ?? [];
  return { name, value, fixed };
}

const BODY = /^(?:data|data-ascii|data-binary|data-raw|data-urlencode|json|form|form-string|upload-file)$/;

export function bodyOptions({ options }: CurlCall): CurlOption[] {
  return options.filter(({ name, value }) => BODY.test(name) && value !== undefined);
}

function bodyOf(options: readonly CurlOption[], headers: readonly Row[]): Body {
  const [only, ...more] = options;
  if (only?.value === undefined) return { kind: "none" };
  const rows = options.map(({ value }) => formRow(shown(value!)));
  const isEach = (...names: string[]) =>
    options.every(({ name, value }) => names.includes(name) && /^[^=@]+=/.test(value?.head ?? ""));
  if (isEach("data-urlencode")) return { kind: "form", rows };
  if (isEach("form", "form-string")) return { kind: "multipart", rows };
  if (more.length > 0 || /^(?:data-urlencode|upload-file|form)/.test(only.name)) return { kind: "other" };
  if (only.value.literal === "@-" && only.name !== "data-raw") return { kind: "stdin" };
  const saysJson = headers.some(({ name, value }) => /^content-type$/i.test(name) && /[/+]json\b/i.test(value));
  const isJson = only.name === "json" || (saysJson && !only.value.head.startsWith("@"));
  return { kind: isJson ? "json" : "raw", ...shown(only.value) };
}

function formRow({ text, fixed }: FieldText): Row {
  const at = text.indexOf("=");
  return { name: text.slice(0, at), value: text.slice(at + 1), fixed };
}

/** The method that curl uses without `-X`. */
function impliedMethod(curl: CurlCall): string {
  if (hasOption(curl, "upload-file")) return "PUT";
  return bodyOptions(curl).length > 0 ? "POST" : "GET";
}

function methodOf(curl: CurlCall): string {
  const given = lastOption(curl, "request")?.value;
  if (given !== undefined) return given.literal?.toUpperCase() ?? "";
  return hasOption(curl, "head") ? "HEAD" : impliedMethod(curl);
}

// ---- Writing

interface Splice {
  from: number;
  to: number;
  text: string;
}

function spliced(content: string, splices: readonly Splice[]): string {
  return splices
    .toSorted((a, b) => b.from - a.from || b.to - a.to)
    .reduce((done, { from, to, text }) => done.slice(0, from) + text + done.slice(to), content);
}

const PLAIN = /^[\w@%+=:,./][\w@%+=:,./-]*$/;

/** A shell word for a template. `like`: the quotes of the word that it replaces. */
export function wordFor(text: string, like = ""): string {
  const canBeSingle = !text.includes("'");
  const isJson = /^\s*[[{]/.test(text);
  const isQuoted = like === "'" || like === '"';
  if (!isQuoted && PLAIN.test(text)) return text;
  if (like === "'" && canBeSingle) return `'${text}'`;
  const hasReference = referencesOf(text).length > 0;
  if (canBeSingle && (isJson || (!hasReference && like !== '"'))) return `'${text}'`;
  return doubleQuoted(text);
}

function doubleQuoted(text: string): string {
  let done = "";
  let from = 0;
  const escaped = (part: string) =>
    part.replace(/\$\$\{|[\\"`$]/g, (found) => (found === "$${" ? found : `\\${found}`));
  for (const part of parseTemplate(text)) {
    if (part.kind !== "reference") continue;
    done += escaped(text.slice(from, part.start)) + text.slice(part.start, part.end);
    from = part.end;
  }
  return `"${done}${escaped(text.slice(from))}"`;
}

/** Where an option's value is: a word, or the rest of the option's own word. */
function valueSplice({ content }: HttpCall, { at, value }: CurlOption, text: string): Splice {
  if (value === undefined || value.start > at.start)
    return { from: value!.start, to: value!.end, text: wordFor(text, content[value!.start]) };
  const prefix = at.head.slice(0, at.head.length - value.head.length);
  return { from: at.start, to: at.end, text: prefix + wordFor(text, content[at.start + prefix.length]) };
}

const LETTERS: Record<string, string> = {
  ...{ data: "d", form: "F", head: "I", header: "H", request: "X", "upload-file": "T" },
};

/** Takes an option out, with the space before it. Other letters of a cluster (`-sSX`) stay. */
function removal({ content }: HttpCall, { name, at, value }: CurlOption): Splice {
  const to = Math.max(at.end, value?.end ?? 0);
  const letter = at.head.startsWith("--") ? -1 : at.head.indexOf(LETTERS[name] ?? "", 1);
  const isAttached = value !== undefined && value.start === at.start;
  const rest = letter < 1 ? "-" : at.head.slice(0, letter) + (isAttached ? "" : at.head.slice(letter + 1));
  if (rest !== "-") return { from: at.start, to, text: rest };
  const before = /(?:\s|\\\r?\n)*$/.exec(content.slice(0, at.start))?.[0].length ?? 0;
  return { from: at.start - before, to, text: "" };
}

/** Adds arguments: after others of their kind, otherwise before the URL, otherwise at the end. */
function addition({ content, curl, end }: HttpCall, text: string, after?: CurlOption): Splice {
  const gapBefore = (at: number): string => {
    const gap = /(?:\s|\\\r?\n)*$/.exec(content.slice(0, at))?.[0] ?? "";
    return gap.includes("\n") ? gap : " ";
  };
  if (after !== undefined) {
    const at = Math.max(after.at.end, after.value?.end ?? 0);
    return { from: at, to: at, text: gapBefore(after.at.start) + text };
  }
  const url = curl.options.some(({ value }) => value === curl.urls[0]) ? undefined : curl.urls[0];
  if (url === undefined) return { from: end, to: end, text: ` ${text}` };
  return { from: url.start, to: url.start, text: text + gapBefore(url.start) };
}

const first = ({ name }: HttpCall, text: string): Splice => ({ from: name.end, to: name.end, text: ` ${text}` });
const withName = (curl: CurlCall, ...names: string[]) => curl.options.filter(({ name }) => names.includes(name));

export function withMethod(call: HttpCall, method: string): string {
  const { curl, content } = call;
  const heads = withName(curl, "head");
  const [request, ...more] = withName(curl, "request").toReversed();
  const gone = [...heads, ...more].map((option) => removal(call, option));
  if (method === "HEAD" || method === impliedMethod(curl)) {
    if (request !== undefined) gone.push(removal(call, request));
    return spliced(content, method === "HEAD" ? [...gone, first(call, "--head")] : gone);
  }
  return spliced(content, [
    ...gone,
    request === undefined ? first(call, `-X ${wordFor(method)}`) : valueSplice(call, request, method),
  ]);
}

export function withUrl(call: HttpCall, url: string): string {
  const { curl, content } = call;
  const [word] = curl.urls;
  if (word === undefined) return spliced(content, [addition(call, wordFor(url))]);
  const option = curl.options.find(({ value }) => value === word);
  const splice =
    option === undefined
      ? { from: word.start, to: word.end, text: wordFor(url, content[word.start]) }
      : valueSplice(call, option, url);
  return spliced(content, [splice]);
}

type Change = Pick<Row, "name" | "value"> | undefined;

/** Changes a row of the query, adds one at the end, or removes it. */
export function withQuery(call: HttpCall, at: number, row: Change): string {
  const [base, query, fragment] = urlParts(call.form.url.text);
  const pairs = rawPairs(query);
  if (row === undefined) pairs.splice(at, 1);
  else pairs[at] = `${encoded(row.name)}=${encoded(row.value)}`;
  return withUrl(call, `${base}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}${fragment}`);
}

/** The same for a header. */
export function withHeader(call: HttpCall, at: number, row: Change): string {
  // curl sends an empty header only with a semicolon.
  const text = row === undefined ? "" : row.value === "" ? `${row.name};` : `${row.name}: ${row.value}`;
  return withOption(call, headersOf(call.curl), at, row === undefined ? undefined : text, "-H");
}

/** The same for a row of a form body. */
export function withFormRow(call: HttpCall, at: number, row: Change): string {
  const flag = call.form.body.kind === "multipart" ? "-F" : "--data-urlencode";
  return withOption(call, bodyOptions(call.curl), at, row && `${row.name}=${row.value}`, flag);
}

function withOption(call: HttpCall, options: CurlOption[], at: number, text: string | undefined, flag: string): string {
  const known = options[at];
  if (text === undefined) return known === undefined ? call.content : spliced(call.content, [removal(call, known)]);
  if (known !== undefined) return spliced(call.content, [valueSplice(call, known, text)]);
  return spliced(call.content, [addition(call, `${flag} ${wordFor(text)}`, options.at(-1))]);
}

const NEW_BODY: Record<Exclude<BodyKind, "other" | "none">, (text: string) => string> = {
  json: (text) => `--json ${wordFor(text || "{}", "'")}`,
  raw: (text) => `--data-raw ${wordFor(text, "'")}`,
  stdin: () => "--json @-",
  form: () => "--data-urlencode name=value",
  multipart: () => "-F name=value",
};

/** Another kind of body. A text stays if the new kind has one. */
export function withBodyKind(call: HttpCall, kind: BodyKind): string {
  const { curl, content, form } = call;
  const text = "text" in form.body ? form.body.text : "";
  const splices = bodyOptions(curl).map((option) => removal(call, option));
  if (kind !== "none" && kind !== "other") {
    splices.push(addition(call, NEW_BODY[kind](text)));
    // curl would send a body with GET.
    for (const option of withName(curl, "request"))
      if (option.value?.literal === "GET") splices.push(removal(call, option));
  }
  return spliced(content, splices);
}

export function withBodyText(call: HttpCall, text: string): string {
  const [option] = bodyOptions(call.curl);
  return option === undefined ? call.content : spliced(call.content, [valueSplice(call, option, text)]);
}
