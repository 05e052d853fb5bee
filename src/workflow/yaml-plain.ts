// yaml-plain: reads YAML as most people write workflows (maps, lists, plain and quoted words, `|` and `>` texts, `{ a: b }` and `[a, b]` on
// one line), line by line and many times as fast as the whole language is read (spec 5.4). All else is the whole reader's (yaml-tree.ts).
//   P1. What is read here is exactly what the whole reader reads, without a finding; yaml-plain.test.ts holds both against each other.
//   P2. At the first line that might mean something else, nothing is read: no guess, no finding of its own.
//   P3. An item of a list right under a key of the document is a piece: its lines say the same by themselves (yaml-pieces.ts). So are a pair
//       of a map there, and the lines of the key itself.
//   P4. With `kept` an item with the lines that it had before is the very value that it was.
// Deliberately absent: anchors, tags, one plain text or `{}` on several lines, `>` texts with blank or deeper lines, tabs, places.

import { limits } from "../base/limits.ts";
import type { Kept } from "./kept.ts";

export interface PlainYaml {
  plain: Record<string, unknown>;
  /** P3. By key: where the line of each item begins, and where the list has ended. */
  pieces: ReadonlyMap<string, readonly number[]>;
  /** P3. The same of the pairs of maps. */
  pairs: ReadonlyMap<string, readonly number[]>;
  /** P3. Where the line of each key of the document begins, and where the next one's does. */
  sections: ReadonlyMap<string, readonly [from: number, to: number]>;
}

/** Undefined: the whole reader is to be asked. `kept`: of an earlier text of this document. */
export function readPlainYaml(text: string, kept?: Kept): PlainYaml | undefined {
  if (!text.endsWith("\n") || BEYOND.test(text)) return undefined;
  const lines = new Lines(text, kept);
  const plain = mapAt(lines, 0, 1);
  if (plain === ELSE || lines.indent !== NONE) return undefined;
  const { pieces, pairs, sections } = lines;
  return { plain: plain as Record<string, unknown>, pieces, pairs, sections };
}

/** A tab, a control character, half of a character, or what is taken for the end of a line somewhere. */
const BEYOND = /[^\n\x20-\x7e\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe]/;
const ELSE = Symbol("the whole reader's");
/** The indent of no line. */
const NONE = -1;

/** Lines that say something, one at a time. */
class Lines {
  /** Of the line in front; NONE at the end. */
  indent = NONE;
  /** The line in front without its indent. */
  line = "";
  /** Where the line in front begins. */
  from = 0;
  readonly pieces = new Map<string, number[]>();
  readonly pairs = new Map<string, number[]>();
  readonly sections = new Map<string, [number, number]>();
  private readonly text: string;
  private readonly kept: Kept | undefined;
  private next = 0;
  private starts: number[] = [];

  constructor(text: string, kept?: Kept) {
    this.text = text;
    this.kept = kept;
    this.advance();
  }

  advance(): void {
    do {
      if (this.next >= this.text.length) {
        this.indent = NONE;
        this.from = this.text.length;
        return;
      }
      this.from = this.next;
      this.take();
    } while (this.line === "" || this.line.startsWith("#"));
  }

  /** A text whose lines stand deeper than `indent`; its last line has its end, without one it is `strip`. */
  block(indent: number, { folded, strip }: { folded: boolean; strip: boolean }): string | typeof ELSE {
    const kept: string[] = [];
    let own = NONE;
    let blanks = 0;
    while (this.next < this.text.length) {
      const from = this.next;
      this.take();
      if (this.line === "") {
        // Blanks on an empty line may be text.
        if (this.indent > 0 || own === NONE) return ELSE;
        blanks += 1;
        continue;
      }
      if (this.indent <= indent) {
        this.next = from;
        break;
      }
      if (own === NONE) own = this.indent;
      if (this.indent < own || (folded && (this.indent > own || blanks > 0))) return ELSE;
      for (; blanks > 0; blanks -= 1) kept.push("");
      kept.push(`${" ".repeat(this.indent - own)}${this.line}`);
    }
    if (own === NONE) return ELSE;
    this.advance();
    const words = kept.join(folded ? " " : "\n");
    return strip ? words : `${words}\n`;
  }

  /** P3. An item or a pair begins in the line in front. */
  begin(): void {
    this.starts.push(this.from);
  }

  /** P4. The item that begins in the line in front. `read` goes on to the line behind it. */
  item(read: () => unknown): unknown {
    const end = this.kept === undefined ? this.from : this.endOfItem();
    if (this.kept === undefined || end - this.from < WORTH_KEEPING) return read();
    const key = this.text.slice(this.from, end);
    const known = this.kept.of<{ value: unknown } | undefined>(key, () => undefined);
    if (known === undefined) {
      const value = read();
      // Lines that hang below it and are not its own make the whole text another reader's.
      if (value !== ELSE && this.from >= end) this.kept.put(key, { value });
      return value;
    }
    this.next = end;
    this.advance();
    return known.value;
  }

  /** Where the next line begins that does not stand deeper than its dash, whatever it is. */
  private endOfItem(): number {
    const { text, indent } = this;
    let at = this.next;
    while (at < text.length) {
      let start = at;
      while (text.charCodeAt(start) === 0x20) start += 1;
      if (start - at <= indent && text.charCodeAt(start) !== 0x0a) break;
      at = text.indexOf("\n", start) + 1;
    }
    return at;
  }

  /** P3. What has begun belongs to this key, whose own line begins there. */
  keep(key: string, from: number, isList: boolean): void {
    this.sections.set(key, [from, this.from]);
    if (this.starts.length > 0) (isList ? this.pieces : this.pairs).set(key, [...this.starts, this.from]);
    this.starts = [];
  }

  /** In the middle of a line, behind `- `, begins what stands `by` deeper. */
  inside(by: number): void {
    this.indent += by;
    this.line = this.line.slice(by);
  }

  private take(): void {
    const end = this.text.indexOf("\n", this.next);
    let start = this.next;
    while (this.text.charCodeAt(start) === 0x20) start += 1;
    this.indent = start - this.next;
    this.line = this.text.slice(start, end);
    this.next = end + 1;
  }
}

/** Shorter ones, such as edges, are read as quickly as they are looked up. */
const WORTH_KEEPING = 48;

const BLOCK = /^([|>])(-?)(?: +#.*)?$/;
const KEY = /^([A-Za-z_][\w-]{0,99}):(?: (.+))?$/;
/** What follows a value on its line. */
const REST = / *(?: #.*)?$/y;
/** Names of values: as keys they are somebody else's business, as are those that mean something to every JavaScript object. */
const WORDS = new Map<string, unknown>([
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
const UNSAFE: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function mapAt(lines: Lines, indent: number, depth: number): unknown {
  if (lines.indent !== indent || depth > limits.nestingMax) return ELSE;
  const map: Record<string, unknown> = {};
  while (lines.indent === indent) {
    const [, key, rest] = KEY.exec(lines.line) ?? [];
    if (!isFree(key, map)) return ELSE;
    const { from } = lines;
    if (depth === 2) lines.begin();
    const value = behindKey(lines, rest, indent, depth);
    if (value === ELSE) return ELSE;
    map[key] = value;
    if (depth === 1) lines.keep(key, from, Array.isArray(value));
  }
  return lines.indent > indent ? ELSE : map;
}

function isFree(key: string | undefined, map: object): key is string {
  return key !== undefined && !WORDS.has(key) && !UNSAFE.has(key) && !Object.hasOwn(map, key);
}

/** `under`: the indent of its key, which may be its own. */
function listAt(lines: Lines, indent: number, under: number, depth: number): unknown {
  if (depth > limits.nestingMax) return ELSE;
  const list: unknown[] = [];
  while (lines.indent === indent && lines.line.startsWith("- ")) {
    if (depth === 2) lines.begin();
    const read = () => itemAt(lines, indent, depth);
    const value = depth === 2 ? lines.item(read) : read();
    if (value === ELSE) return ELSE;
    list.push(value);
  }
  return lines.indent > under ? ELSE : list;
}

function itemAt(lines: Lines, indent: number, depth: number): unknown {
  lines.inside(2);
  if (KEY.test(lines.line)) return mapAt(lines, indent + 2, depth + 1);
  const value = wordOf(lines.line, depth + 1);
  lines.advance();
  return value;
}

/** Of the line in front, behind its key. Goes on to the line behind it. */
function behindKey(lines: Lines, rest: string | undefined, indent: number, depth: number): unknown {
  const [, sign, minus] = BLOCK.exec(rest ?? "") ?? [];
  if (sign !== undefined) return lines.block(indent, { folded: sign === ">", strip: minus === "-" });
  lines.advance();
  if (rest !== undefined && !rest.startsWith("#")) return wordOf(rest, depth + 1);
  const isList = lines.line.startsWith("- ");
  if (lines.indent < indent || (lines.indent === indent && !isList)) return ELSE;
  return isList ? listAt(lines, lines.indent, indent, depth + 1) : mapAt(lines, lines.indent, depth + 1);
}

/** Whole numbers that nobody writes in another way. */
const WHOLE = /^(?:0|[1-9]\d{0,14})$/;
/** What is no number though it begins like one: times such as `30s`, several words, addresses. */
const TEXT = /^[1-9]\d*(?:ms|[smhd])$| |\..*\./;
const QUOTED = /"((?:[^"\\]|\\["\\nt])*)"|'((?:[^']|'')*)'/y;
/** A colon before a blank would end a key, a mark behind one begin a comment. */
const PLAIN = /[\w$/(](?:[^:# ]|:(?=[^ ])|#| +(?=[^# ]))*/y;
/** Between braces or brackets those end it, too. */
const PLAIN_INSIDE = /[\w$/(](?:[^:# ,[\]{}]|:(?=[^ ,[\]{}])| +(?=[^# ,[\]{}]))*/y;

/** A whole value, on one line. */
function wordOf(text: string, depth: number): unknown {
  const at = new Place(text);
  const value = at.value(depth, PLAIN);
  return value !== ELSE && at.takes(REST) !== undefined ? value : ELSE;
}

/** A place in a line, and what stands there. */
class Place {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  takes(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text);
    if (found === null) return undefined;
    this.at = sticky.lastIndex;
    return found;
  }

  value(depth: number, plain: RegExp): unknown {
    if (this.takes(OPEN_MAP)) return depth > limits.nestingMax ? ELSE : this.map(depth);
    if (this.takes(OPEN_LIST)) return depth > limits.nestingMax ? ELSE : this.list(depth);
    const quoted = this.takes(QUOTED);
    if (quoted !== undefined) return quoted[1]?.replaceAll(/\\./g, escaped) ?? quoted[2]?.replaceAll("''", "'");
    const word = this.takes(plain)?.[0];
    if (word === undefined) return ELSE;
    if (WORDS.has(word)) return WORDS.get(word);
    if (WHOLE.test(word)) return Number(word);
    return /^\d/.test(word) && !TEXT.test(word) ? ELSE : word;
  }

  private map(depth: number): unknown {
    const map: Record<string, unknown> = {};
    if (this.takes(CLOSE_MAP)) return map;
    do {
      const key = this.takes(KEY_INSIDE)?.[1];
      if (!isFree(key, map)) return ELSE;
      const value = this.value(depth + 1, PLAIN_INSIDE);
      if (value === ELSE) return ELSE;
      map[key] = value;
    } while (this.takes(COMMA));
    return this.takes(CLOSE_MAP) ? map : ELSE;
  }

  private list(depth: number): unknown {
    const list: unknown[] = [];
    if (this.takes(CLOSE_LIST)) return list;
    do {
      const value = this.value(depth + 1, PLAIN_INSIDE);
      if (value === ELSE) return ELSE;
      list.push(value);
    } while (this.takes(COMMA));
    return this.takes(CLOSE_LIST) ? list : ELSE;
  }
}

function escaped(mark: string): string {
  return mark === "\\n" ? "\n" : mark === "\\t" ? "\t" : mark.slice(1);
}

const OPEN_MAP = /\{ */y;
const OPEN_LIST = /\[ */y;
const CLOSE_MAP = / *\}/y;
const CLOSE_LIST = / *\]/y;
const COMMA = / *, */y;
const KEY_INSIDE = /([A-Za-z_][\w-]{0,99}): +/y;
