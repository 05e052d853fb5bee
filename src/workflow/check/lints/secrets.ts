// safety/lints/secrets: finds secrets that others can read: on a command line or in a trace (4.1, "Warned"; 4.2, "Off
// the command line").

import { type Call, curlCalls, type Script, type Term } from "../../../shell/safety/index.ts";
import * as diagnostics from "../../diagnostics/safety.ts";
import { type Finding, finding } from "./finding.ts";

/** `content`: the node's content, to locate a name in a word. `exported`: names of env.static. */
export function secretFindings(
  script: Script,
  content: string,
  hasSecrets: boolean,
  exported: ReadonlySet<string>,
): Finding[] {
  const functions = new Set(
    script.reading.tree.nodes.flatMap((chain) => {
      const node = chain.at(-1);
      return node?.type === "Function" ? [node.name.value] : [];
    }),
  );
  const findings: Finding[] = [];
  for (const call of script.calls) {
    if (hasSecrets) for (const word of tracing(call)) findings.push(finding(word, diagnostics.secretTraced));
    for (const { words, program } of commandLines(call))
      if (!BUILTINS.has(program) && !functions.has(program))
        for (const word of words) findings.push(...inWord(word, program, content, signInFor(call, word, exported)));
  }
  return findings;
}

/** Shell builtins: no other program can read their arguments. */
const BUILTINS: ReadonlySet<string> = new Set(
  (
    "echo printf test [ : set local readonly export declare typeset read return exit cd eval source . shift unset command " +
    "builtin exec noglob nocorrect"
  ).split(" "),
);

/** For `sudo curl x`, both: sudo's own command line contains the command that it starts. */
function commandLines(call: Call): { words: Term[]; program: string }[] {
  const name = call.name ?? "a program";
  const wrappers = call.wrappers.filter((wrapper) => wrapper.name !== name);
  return [{ words: call.args, program: name }, ...wrappers.map((one) => ({ words: one.own, program: one.name }))];
}

/** One finding per word: `${user}:${password}` is one mistake. */
function inWord(word: Term, program: string, content: string, signIn: string | undefined): Finding[] {
  const secret = word.pieces.findLast(({ value }) => value?.meaning.secret !== undefined && value.filter !== "file");
  if (secret?.value === undefined) return [];
  const { name } = secret.value;
  const start = content.indexOf(name, word.start);
  const exact = start !== -1 && start + name.length <= word.end ? { start, end: start + name.length } : word;
  const fix = program === "curl" ? (signIn ?? "") : undefined;
  return [finding(exact, (at) => diagnostics.secretOnCommandLine(at, name, program, fix))];
}

/** `set -x`, `set -o xtrace`, `bash -x`. */
function tracing({ name = "", args }: Call): Term[] {
  if (name !== "set" && !/^(?:ba|z|da|k)?sh$/.test(name)) return [];
  return args.filter((word, index) => {
    const text = word.literal ?? "";
    const isOption = name === "set" || args.slice(0, index).every((one) => /^-/.test(one.literal ?? ""));
    const isTrace = /^-[a-zA-Z]*x/.test(text) || (text === "xtrace" && args[index - 1]?.literal === "-o");
    return isOption && isTrace;
  });
}

const CHARS_MAX = 200;

/**
 * `auth: { type: bearer, token: "${TOKEN}" }`; undefined if there is no equivalent. `exported`: names of env.static,
 * which auth cannot use.
 */
function signInFor(call: Call, word: Term, exported: ReadonlySet<string>): string | undefined {
  if (call.name !== "curl") return undefined;
  const [only, ...more] = curlCalls(call.args);
  if (only === undefined || more.length > 0) return undefined;
  const option = only.options.find(({ at, value }) => at === word || value === word);
  const text = option?.value === undefined ? undefined : templateOf(option.value, exported);
  if (text === undefined || text.length > CHARS_MAX) return undefined;
  if (option?.name === "header") return ofHeader(text);
  return option?.name === "user" ? ofUser(text) : undefined;
}

/** The word as a template of the workflow; undefined if it depends on the shell. */
function templateOf({ pieces }: Term, exported: ReadonlySet<string>): string | undefined {
  let text = "";
  for (const { text: written, value, dynamic } of pieces) {
    if (dynamic !== undefined) return undefined;
    if (value === undefined) text += written ?? "";
    else {
      const root = /^\$\{([A-Za-z_]\w*)/.exec(value.name)?.[1];
      if (root === undefined || exported.has(root)) return undefined;
      text += value.name;
    }
  }
  return text;
}

function ofHeader(text: string): string | undefined {
  const [, name = "", value = ""] = /^([A-Za-z0-9-]+):\s*(.+)$/.exec(text) ?? [];
  if (name === "") return undefined;
  const [, token] = /^authorization$/i.test(name) ? (/^Bearer\s+(\S+)$/i.exec(value) ?? []) : [];
  if (token !== undefined) return `auth: { type: bearer, token: ${JSON.stringify(token)} }`;
  return `auth: { type: header, name: ${name}, value: ${JSON.stringify(value)} }`;
}

function ofUser(text: string): string | undefined {
  const [, user, password] = /^([^:]+):(.+)$/.exec(text) ?? [];
  if (user === undefined) return undefined;
  return `auth: { type: basic, username: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }`;
}
