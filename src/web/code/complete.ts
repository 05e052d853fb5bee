// complete: completion in a template or an expression, and the meaning of its references (ui 6.3).
//   M1. Completion offers names in scope, members of the last value, and the fixed list of filters.
//   M2. The value of a secret, and any value made from it, is never shown.

import { FILTERS, type Reference, referencesOf } from "../../shell/template.ts";

/** A name and what it stands for, from inspector/scope.ts. */
export interface Known {
  name: string;
  kind: string;
  from: string;
  secret?: true;
}

export interface Grounds {
  mode: "template" | "expression";
  names: readonly Known[];
  /** The last value of the name, if a run has one. */
  last?: ((name: Known) => string | undefined) | undefined;
  /** Where that value was recorded: "from run 01k3zq". */
  origin?: ((name: Known) => string | undefined) | undefined;
}

export interface Offer {
  label: string;
  detail: string;
  kind: "name" | "member" | "filter" | "function";
  /** The text to insert. */
  insert: string;
}

export interface Offers {
  from: number;
  to: number;
  offers: Offer[];
}

const OPEN = /\$\{([A-Za-z_0-9]*)((?:\.[A-Za-z0-9_-]*|\[\d*\]?)*)(\|[a-z0-9]*)?$/;
const PATH = /(?:^|[^\w.$"'`\]])([A-Za-z_]\w*(?:\[\d+\])?)((?:\.[A-Za-z0-9_]*|\[\d+\])*)$/;

/** The completions at the cursor. `always` offers names even before anything is typed. */
export function offersAt(text: string, at: number, grounds: Grounds, always = false): Offers | undefined {
  return grounds.mode === "template" ? inTemplate(text, at, grounds) : inExpression(text, at, grounds, always);
}

function inTemplate(text: string, at: number, { names, last }: Grounds): Offers | undefined {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const open = OPEN.exec(line);
  if (open === null || line.endsWith("$${")) {
    if (!line.endsWith("$") || line.endsWith("$$")) return undefined;
    const offers = names.map((name) => offer(name, `\${${name.name}}`));
    return { from: at - 1, to: at, offers };
  }
  const [, root = "", path = "", filter] = open;
  const close = /^[^\n}]*\}/.exec(text.slice(at)) === null ? "}" : "";
  if (filter !== undefined) {
    const offered = (label: string, detail: string): Offer => ({
      label,
      detail,
      kind: "filter",
      insert: label + close,
    });
    const offers = [
      ...FILTERS.map((each) => offered(each, FILTER_HELP[each])),
      offered('default("")', "if the node was skipped"),
    ];
    return { from: at - filter.length + 1, to: at, offers };
  }
  if (path !== "") {
    const known = names.find(({ name }) => name === root);
    const value = known === undefined || known.secret === true ? undefined : last?.(known);
    return value === undefined ? below(names, root, path, at, close) : members(value, path, at, close);
  }
  return { from: at - root.length, to: at, offers: names.map((name) => offer(name, name.name + close)) };
}

function inExpression(text: string, at: number, { names, last }: Grounds, always: boolean): Offers | undefined {
  const before = text.slice(0, at);
  if (insideText(before)) return undefined;
  const path = PATH.exec(before);
  const [, root = "", rest = ""] = path ?? [];
  if (rest !== "") {
    const known = names.find(({ name }) => name === root);
    const held = known === undefined || known.secret === true ? undefined : last?.(known);
    if (held !== undefined) return members(held, rest, at, "");
    return below(names, root, rest, at, "");
  }
  const called = /\$([A-Za-z]*)$/.exec(before);
  if (called !== null) {
    const offers = Object.entries(FUNCTIONS).map(([name, detail]) => ({
      ...{ label: `$${name}`, detail, kind: "function" as const, insert: `$${name}(` },
    }));
    return { from: called.index, to: at, offers };
  }
  if (path === null && !always) return undefined;
  const word = path === null ? "" : root;
  return { from: at - word.length, to: at, offers: names.map((name) => offer(name, name.name)) };
}

/** The names after `root.`, such as those of `state` and `vars`. `path` ends at the cursor. */
function below(names: readonly Known[], root: string, path: string, at: number, close: string): Offers | undefined {
  const found = names.filter(({ name }) => name.startsWith(`${root}.`));
  if (found.length === 0 || path.lastIndexOf(".") > 0) return undefined;
  const offers = found.map((name) => offer(name, name.name.slice(root.length + 1) + close));
  return { from: at - path.length + 1, to: at, offers };
}

/** Inside an open quote, the text is a string. */
function insideText(before: string): boolean {
  const left = before.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, "");
  return /["']/.test(left);
}

function offer(name: Known, insert: string): Offer {
  return { label: name.name, detail: name.from, kind: "name", insert };
}

/** Members of a JSON value. `path` ends at the cursor. */
function members(held: string, path: string, at: number, close: string): Offers | undefined {
  const typed = /[A-Za-z0-9_-]*$/.exec(path)?.[0] ?? "";
  const steps = stepsOf(path.slice(0, path.length - typed.length));
  const value = memberOf(parsed(held), steps);
  const list = Array.isArray(value);
  const here = list ? value[0] : value;
  if (typeof here !== "object" || here === null) return undefined;
  const offers = Object.entries(here as Record<string, unknown>)
    .filter(([key]) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key))
    .slice(0, 200)
    .map(([key, inner]) => ({ label: key, detail: brief(inner), kind: "member" as const, insert: key + close }));
  return offers.length === 0 ? undefined : { from: at - typed.length, to: at, offers };
}

function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\.([A-Za-z0-9_-]+)|\[(\d+)\]/g)].map((match) => match[1] ?? Number(match[2]));
}

export function memberOf(value: unknown, steps: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of steps) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

/** The text as JSON, or the text itself if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value on one line. */
export function brief(value: unknown, most = 60): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** The JSONata functions that conditions and selections use most. Others can be typed. */
const FUNCTIONS: Record<string, string> = {
  count: "how many there are",
  exists: "whether there is one",
  sum: "of numbers",
  max: "of numbers",
  min: "of numbers",
  average: "of numbers",
  round: "to a number of decimals",
  number: "of a text",
  string: "of any value",
  length: "of a text",
  contains: "whether a text holds another",
  match: "what a pattern finds",
  replace: "a part of a text",
  split: "a text into parts",
  join: "texts with a separator",
  lowercase: "a text",
  uppercase: "a text",
  trim: "a text",
  substringBefore: "a text, before another",
  substringAfter: "a text, after another",
  keys: "of an object",
  lookup: "a member by its name",
  merge: "objects into one",
  filter: "those for which a function holds",
  map: "each by a function",
  sort: "in order",
  reverse: "the other way round",
  distinct: "each once",
  append: "one list to another",
  not: "the opposite",
  boolean: "whether it counts as true",
  now: "this moment, ISO 8601",
  millis: "this moment, in milliseconds",
  toMillis: "of an ISO time",
  fromMillis: "an ISO time",
};

const FILTER_HELP: Record<(typeof FILTERS)[number], string> = {
  json: "as one JSON string, with its quotes",
  uri: "percent-encoded, for URLs",
  b64: "as Base64",
  int: "must be an integer",
  arg: "may begin with a dash",
  sh: "as one quoted word for a second shell",
  file: "path of a file that holds it",
};

export interface Explained {
  reference: Reference;
  /** `undefined` if no name in scope matches. */
  known?: Known;
  /** The last value, with secrets masked. */
  value?: string;
  origin?: string;
}

/** Every reference of a text with its meaning. */
export function explain(text: string, { names, last, origin }: Grounds): Explained[] {
  const byName = new Map(names.map((name) => [name.name, name]));
  return referencesOf(text).map((reference) => {
    const known = byName.get(reference.root);
    if (known === undefined) return { reference };
    if (known.secret === true) return { reference, known, value: "••••••" };
    const held = last?.(known);
    if (held === undefined) return { reference, known };
    const value = reference.members.length === 0 ? held : memberOf(parsed(held), reference.members);
    return { reference, known, value: value === undefined ? undefined : brief(value, 200), origin: origin?.(known) };
  });
}
