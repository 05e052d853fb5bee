// graphql-syntax: reads the part of GraphQL that the sample API speaks: one operation (query or mutation) with variable
// definitions, arguments, aliases and nested selections. Fragments, directives and subscriptions are refused by name.

export interface Field {
  name: string;
  alias: string;
  args: Record<string, Value>;
  selection: Field[] | undefined;
}
export type Value =
  | { kind: "variable"; name: string }
  | { kind: "constant"; value: unknown }
  | { kind: "list"; values: Value[] }
  | { kind: "object"; members: Record<string, Value> };
export interface VariableDefinition {
  name: string;
  type: string;
  fallback: Value | undefined;
}
export interface Operation {
  kind: "query" | "mutation";
  variables: VariableDefinition[];
  selection: Field[];
}

export class GraphqlSyntaxError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, text: string, offset: number) {
    super(message);
    const before = text.slice(0, offset).split("\n");
    this.line = before.length;
    this.column = (before.at(-1)?.length ?? 0) + 1;
  }
}

const DEPTH_MAX = 32;
const TOKEN =
  /[\s,]+|#[^\n]*|(?<word>[A-Za-z_]\w*)|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<string>"(?:[^"\\\n]|\\.)*")|(?<mark>\.\.\.|[{}()[\]:!=$@])/y;

interface Token {
  kind: "word" | "number" | "string" | "mark" | "end";
  text: string;
  offset: number;
}

export function parseGraphql(text: string): Operation {
  return new Reader(text).operation();
}

class Reader {
  readonly #text: string;
  readonly #tokens: Token[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  operation(): Operation {
    const operation = this.#operation();
    if (this.#peek().kind !== "end")
      this.#fail(`One operation a request, please; found ${seen(this.#peek())} after it.`);
    return operation;
  }

  #operation(): Operation {
    if (this.#peek().text === "{") return { kind: "query", variables: [], selection: this.#selection(0) };
    const token = this.#peek();
    const kind = this.#word('"query", "mutation" or "{"');
    if (kind !== "query" && kind !== "mutation") {
      return this.#fail(`"${kind}" is not supported here; use query or mutation.`, token);
    }
    if (this.#peek().kind === "word") this.#at++; // the operation's name says nothing to us
    const variables: VariableDefinition[] = [];
    if (this.#take("(")) while (!this.#take(")")) variables.push(this.#definition());
    return { kind, variables, selection: this.#selection(0) };
  }

  #definition(): VariableDefinition {
    this.#expect("$");
    const name = this.#word("a variable's name");
    this.#expect(":");
    return { name, type: this.#type(), fallback: this.#take("=") ? this.#value(0) : undefined };
  }

  #type(): string {
    const list = this.#take("[");
    const inner = list ? this.#type() : this.#word("a type");
    if (list) this.#expect("]");
    return (list ? `[${inner}]` : inner) + (this.#take("!") ? "!" : "");
  }

  #selection(depth: number): Field[] {
    this.#expect("{");
    if (depth > DEPTH_MAX) this.#fail(`Selections nest deeper than ${DEPTH_MAX}.`);
    const fields: Field[] = [];
    while (!this.#take("}")) fields.push(this.#field(depth));
    return fields.length > 0 ? fields : this.#fail("A selection may not be empty.");
  }

  #field(depth: number): Field {
    if (["...", "@"].includes(this.#peek().text)) this.#fail("Fragments and directives are not supported here.");
    const alias = this.#word("a field");
    const name = this.#take(":") ? this.#word("a field") : alias;
    const args = this.#take("(") ? this.#members(")", 0) : {};
    return { name, alias, args, selection: this.#peek().text === "{" ? this.#selection(depth + 1) : undefined };
  }

  #members(end: string, depth: number): Record<string, Value> {
    const members: Record<string, Value> = Object.create(null);
    while (!this.#take(end)) {
      const name = this.#word("a name");
      this.#expect(":");
      members[name] = this.#value(depth);
    }
    return members;
  }

  #value(depth: number): Value {
    if (depth > DEPTH_MAX) this.#fail(`Values nest deeper than ${DEPTH_MAX}.`);
    if (this.#take("$")) return { kind: "variable", name: this.#word("a variable's name") };
    if (this.#take("{")) return { kind: "object", members: this.#members("}", depth + 1) };
    if (this.#take("[")) {
      const values: Value[] = [];
      while (!this.#take("]")) values.push(this.#value(depth + 1));
      return { kind: "list", values };
    }
    return { kind: "constant", value: this.#constant() };
  }

  #constant(): unknown {
    const token = this.#peek();
    this.#at++;
    if (token.kind === "number") return Number(token.text);
    if (token.kind === "word") return WORDS.has(token.text) ? WORDS.get(token.text) : token.text; // else an enum's value
    if (token.kind !== "string") return this.#fail(`Expected a value, found ${seen(token)}.`, token);
    try {
      return JSON.parse(token.text);
    } catch {
      return this.#fail(`${token.text} is not a valid string.`, token);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at]!;
  }

  #take(mark: string): boolean {
    const taken = this.#peek().kind === "mark" && this.#peek().text === mark;
    if (taken) this.#at++;
    return taken;
  }

  #expect(mark: string): void {
    if (!this.#take(mark)) this.#fail(`Expected "${mark}", found ${seen(this.#peek())}.`);
  }

  #word(what: string): string {
    const token = this.#peek();
    if (token.kind !== "word") this.#fail(`Expected ${what}, found ${seen(token)}.`);
    this.#at++;
    return token.text;
  }

  #fail(message: string, token = this.#peek()): never {
    throw new GraphqlSyntaxError(message, this.#text, token.offset);
  }
}

function seen(token: Token): string {
  return token.kind === "end" ? "the end" : `"${token.text}"`;
}

const WORDS = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.length) {
    const offset = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) throw new GraphqlSyntaxError(`Unexpected character "${text.charAt(offset)}".`, text, offset);
    for (const kind of ["word", "number", "string", "mark"] as const) {
      if (match.groups?.[kind] !== undefined) tokens.push({ kind, text: match[0], offset });
    }
  }
  tokens.push({ kind: "end", text: "", offset: text.length });
  return tokens;
}
