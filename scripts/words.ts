// words: holds every text of the project to the style guide (docs/style-guide.md): Markdown, comments, strings and JSX text.
//   node scripts/words.ts            compares each file with its ceiling in scripts/words.json; a file without one must be at zero
//   node scripts/words.ts FILE…      shows each finding of these files
//   node scripts/words.ts --rooms    counts findings and words per folder
//   node scripts/words.ts --lower    writes today's counts as ceilings, where they are lower
// Invariant: a ceiling never rises. The report is sorted, and the same for the same files.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "vite";

interface Text {
  line: number;
  text: string;
  /** A script, a query, a document: its sentences are not counted. */
  isCode?: boolean;
}

interface Finding {
  line: number;
  words: string;
  advice: string;
}

const root = dirname(import.meta.dirname);
const CEILINGS = join(root, "scripts/words.json");
const WORDS_PER_SENTENCE_MAX = 30;

/** Files that quote what the guide forbids, or that somebody else wrote. */
const EXEMPT = [
  /^docs\/style-guide\.md$/, // shows the wrong forms
  /^scripts\/words\.ts$/, // holds the patterns
  /^test\/corpus\//, // input files of tests
  /^LICENSE$/,
];

const PATTERNS: readonly [RegExp, string][] = [
  [/(?:^|[.:;!?]\s+|[-*]\s+)(?:What|Who|Whoever|Whatever)\s+(?![^.]*\?)[a-z]/gm, "name the thing"],
  [/\b(?:is|are|was|were) none\b|(?<!\bthere )\b(?:is|are) no (?!longer|more)[a-z]/gi, "is not a …, there is no …"],
  [/\b(?:stands?|stood|lies?|hangs?) (?:in|on|under|behind|beside|there|here|at|where)\b/gi, "is in, appears in"],
  [/\b(?:go|goes|going|gone|went) on\b/gi, "continue, resume"],
  [/\b(?:is|are|was|were|be) (?:told|said)\b/gi, "Curlew reports …"],
  [
    /\bby (?:itself|themselves)\b|\bof (?:its|their|your|our) own\b|\bof (?:yours|ours)\b/gi,
    "automatically; its own; your",
  ],
  [/\b(?:nobody|somebody|anybody)\b/gi, "name the actor"],
  [/(?:^|[.:;]\s+)Of (?:a|an|the|its|those|each|several)\b/gm, "start with the subject"],
  [/\b(?:one|a|an) \w+ a (?:node|line|page|run|file|call|row|home)\b/gi, "per"],
  [/\b(?:anew|mend(?:s|ed|ing)?|meanwhile|all the same|altogether|shall)\b|, else\b/gi, "again; fix; otherwise"],
  [/\bhand(?:s|ed|ing)? (?:on|over)\b|\blets? go of\b|\bway out\b|\bkeeper\b|\bsmall letters\b/gi, "the standard term"],
];

/** In a string: signs and words that programs have and sentences don't. */
const CODE =
  /[={}|<>$\u001b]|&&|\[ |;(?:\S| *(?:do|done|then|fi|exit)\b)|\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER)\b|\b(?:echo|touch) \w/;

const texts = new Map<string, Text[]>();
const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith("--"));
if (named.length > 0) show(named);
else if (args.includes("--rooms")) rooms();
else compare(args.includes("--lower"));

function show(files: readonly string[]): void {
  for (const file of files)
    for (const { line, words, advice } of findings(file)) console.log(`${file}:${line}: ${words}  (${advice})`);
}

function rooms(): void {
  const totals = new Map<string, { found: number; words: number }>();
  for (const file of tracked()) {
    const room = file
      .split("/")
      .slice(0, file.startsWith("src/") ? 2 : 1)
      .join("/");
    const total = totals.get(room) ?? { found: 0, words: 0 };
    total.found += findings(file).length;
    total.words += textsOf(file).reduce((sum, { text }) => sum + wordsIn(text), 0);
    totals.set(room, total);
  }
  for (const [room, { found, words }] of totals)
    console.log(
      `${room.padEnd(24)} ${found} in ${words} words, ${((found / Math.max(1, words)) * 10_000).toFixed(0)} per 10,000`,
    );
}

function compare(lower: boolean): void {
  const ceilings: Record<string, number> = existsSync(CEILINGS) ? JSON.parse(readFileSync(CEILINGS, "utf8")) : {};
  const firstTime = Object.keys(ceilings).length === 0;
  const next: Record<string, number> = {};
  let above = 0;
  let total = 0;
  for (const file of tracked()) {
    const found = findings(file);
    const ceiling = ceilings[file] ?? (lower && firstTime ? Number.POSITIVE_INFINITY : 0);
    total += found.length;
    if (Math.min(found.length, ceiling) > 0) next[file] = Math.min(found.length, ceiling);
    if (found.length <= ceiling) continue;
    above += 1;
    console.log(`${file}: ${found.length} findings, at most ${ceiling} allowed. Show them: npm run words -- ${file}`);
  }
  if (lower) writeFileSync(CEILINGS, `${JSON.stringify(next, null, 2)}\n`);
  console.log(`${total} findings; ${above} files above their ceiling`);
  process.exitCode = above === 0 ? 0 : 1;
}

function tracked(): string[] {
  const list = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return list
    .split("\n")
    .filter((file) => /\.(?:md|ts|tsx|mjs)$/.test(file) && !EXEMPT.some((pattern) => pattern.test(file)))
    .filter((file) => existsSync(join(root, file)))
    .sort();
}

function findings(file: string): Finding[] {
  return textsOf(file)
    .flatMap(({ line, text, isCode }) => [...patternsIn(line, text), ...(isCode ? [] : longSentences(line, text))])
    .sort((a, b) => a.line - b.line);
}

function patternsIn(line: number, text: string): Finding[] {
  return PATTERNS.flatMap(([pattern, advice]) =>
    [...text.matchAll(pattern)].map((match) => ({
      line: line + linesBefore(text, match.index + match[0].length),
      words: match[0].trim(),
      advice,
    })),
  );
}

function longSentences(line: number, text: string): Finding[] {
  const found: Finding[] = [];
  let from = 0;
  for (const sentence of text.split(/(?<=[.!?:])\s+(?=[A-Z`"'(])|\n\s*\n/)) {
    const at = text.indexOf(sentence, from);
    from = at + sentence.length;
    const semicolons = sentence.split(";").length - 1;
    const words = wordsIn(sentence);
    if (words <= WORDS_PER_SENTENCE_MAX && semicolons <= 1) continue;
    const advice = semicolons > 1 ? "more than one semicolon" : `${words} words in one sentence`;
    found.push({
      line: line + linesBefore(text, at),
      words: `${sentence.trim().slice(0, 60).replaceAll("\n", " ")}…`,
      advice,
    });
  }
  return found;
}

function linesBefore(text: string, index: number): number {
  return text.slice(0, index).split("\n").length - 1;
}

function wordsIn(text: string): number {
  return text.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0;
}

function textsOf(file: string): Text[] {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const content = readFileSync(join(root, file), "utf8");
  const found = file.endsWith(".md") ? markdown(content) : code(file, content);
  texts.set(file, found);
  return found;
}

/** Paragraphs without code, links' addresses and HTML; a list item, a heading and a table's cell each count as one text. */
function markdown(content: string): Text[] {
  const found: Text[] = [];
  let current: Text | undefined;
  let fence: string | undefined;
  for (const [at, raw] of content.split("\n").entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(raw)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      current = undefined;
      continue;
    }
    if (fence !== undefined) continue;
    const text = proseOf(raw);
    if (/^\s*(?:[-*]|\d+\.|#+|>)\s/.test(raw) || text.trim() === "" || raw.startsWith("|")) current = undefined;
    if (text.trim() === "") continue;
    if (raw.startsWith("|")) {
      found.push(...text.split("|").map((cell) => ({ line: at + 1, text: cell.trim() })));
    } else if (current === undefined) {
      current = { line: at + 1, text };
      found.push(current);
    } else current.text += `\n${text}`;
  }
  return found;
}

function proseOf(line: string): string {
  return line
    .replace(/`[^`]*`/g, "`code`")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/<[^>]*>/g, "")
    .replace(/^\s*(?:[-*]|\d+\.|#+|>)\s+/, "");
}

/** Comments, and strings and JSX text of several words. */
function code(file: string, content: string): Text[] {
  const { program, comments } = parseSync(file, content);
  const found: Text[] = joined(
    comments.map(({ start, end, value }) => ({ start, end, text: commentOf(value) })),
    content,
  );
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (typeof value === "object" && value !== null) {
      const node = value as { type?: string; start?: number };
      const text = stringOf(node);
      if (text !== undefined && /[A-Za-z]{2,}[\s,.]+[A-Za-z]{2,}/.test(text))
        found.push({
          ...{ line: linesBefore(content, node.start ?? 0) + 1, text: text.replace(/\s+/g, " ") },
          isCode: CODE.test(text),
        });
      for (const [key, member] of Object.entries(node)) if (key !== "start" && key !== "end") visit(member);
    }
  };
  visit(program);
  return found;
}

function stringOf(node: {
  type?: string;
  value?: unknown;
  quasis?: { value: { cooked?: string } }[];
}): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "JSXText" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral") return node.quasis?.map(({ value }) => value.cooked ?? "").join("x");
  return undefined;
}

function commentOf(value: string): string {
  return value
    .replace(/^\s*\*\s?/gm, "")
    .replace(/^\*+/, "")
    .replace(/`[^`]*`/g, "`code`");
}

/** Line comments that follow each other are one text. */
function joined(comments: readonly { start: number; end: number; text: string }[], content: string): Text[] {
  const found: Text[] = [];
  let last: { end: number; text: Text } | undefined;
  for (const { start, end, text } of comments) {
    if (last !== undefined && /^\n[ \t]*$/.test(content.slice(last.end, start))) last.text.text += `\n${text}`;
    else {
      last = { end, text: { line: linesBefore(content, start) + 1, text } };
      found.push(last.text);
    }
    last.end = end;
  }
  return found;
}
