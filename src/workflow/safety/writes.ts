// safety/writes: where the commands of a script write, as far as their words say it, and whether that lies outside the working folder (4.2).
//   W1. /tmp, $TMPDIR and the standard streams are nobody's; everything under the working folder is the workflow's own.
//   W2. Paths are compared as texts. A link that leads elsewhere is not seen; the sandbox is what holds.

import { requestsOf } from "./requests.ts";
import type { Call, Script } from "./script.ts";
import { headOf, type Term, textOf } from "./terms.ts";

export interface Places {
  /** Absolute path of the working folder; undefined before the run, when the document does not say. */
  cwd: string | undefined;
  home: string | undefined;
  tmp: string | undefined;
}

/** Programs that write to files they are told, for the page; how each is read stands below. */
export const WRITING: Record<string, string> = {
  ">, >>, >|, &>, <>": "the file",
  "tee, touch, mkdir, truncate, rm, rmdir, unlink, shred": "every file",
  "cp, mv, ln, install, rsync": "the last word, or -t; of mv every word",
  "chmod, chown, chgrp": "every file after the first word",
  "sed -i, perl -i": "the files after the program",
  dd: "of=",
  "tar -x, unzip": "-C, -d",
  "curl, wget, xh": "-o, -O, --output-dir, -D, -c and their like",
};

export function outsideWrites(call: Call, script: Script, places: Places): Term[] {
  const leaves = changesFolder(script, places);
  return targetsOf(call).filter((target) => isOutside(target, places, leaves));
}

function targetsOf(call: Call): Term[] {
  const targets = call.redirects
    .filter(({ operator }) => /^(>|>>|>\||&>|&>>|<>)$/.test(operator))
    .map(({ target }) => target);
  // `>&file` without a number is a file too.
  for (const { operator, target } of call.redirects)
    if (operator === ">&" && !/^(?:[0-9]+-?|-|)$/.test(textOf(target) ?? "1")) targets.push(target);
  return [...targets, ...argumentsWritten(call)];
}

function argumentsWritten(call: Call): Term[] {
  const { name, args } = call;
  const files = plainWords(args, VALUES[name ?? ""] ?? "");
  switch (name) {
    case "tee":
    case "touch":
    case "mkdir":
    case "truncate":
    case "rm":
    case "rmdir":
    case "unlink":
    case "shred":
    case "mktemp":
      return files;
    case "cp":
    case "ln":
    case "install":
    case "mv":
    case "rsync":
    case "scp":
      return copied(call, files);
    case "chmod":
    case "chown":
    case "chgrp":
      return args.some((word) => /^--reference/.test(headOf(word))) ? files : files.slice(1);
    case "sed":
    case "gsed":
    case "perl":
      return inPlace(call, files);
    case "dd":
      return args.flatMap((word) => (headOf(word).startsWith("of=") ? [cut(word, 3)] : []));
    case "tar":
      return args.some((word, index) =>
        (index === 0 ? /^-?[a-zA-Z]*x|^--(extract|get)/ : /^-[a-zA-Z]*x|^--(extract|get)/).test(headOf(word)),
      )
        ? optionValues(args, "C", "--directory")
        : [];
    case "unzip":
      return optionValues(args, "d", "--directory");
    default:
      return requestsOf(call).flatMap((request) => request.writes);
  }
}

/** Letters whose option takes the next word. */
const VALUES: Record<string, string> = {
  touch: "drt",
  mkdir: "mZ",
  truncate: "sr",
  shred: "nsr",
  cp: "tS",
  ln: "tS",
  install: "tSmog",
  mv: "tS",
  sed: "efl",
  gsed: "efl",
  perl: "eEIMm",
  rsync: "efTB",
  scp: "cFiJloPSX",
  mktemp: "p",
};

function plainWords(args: readonly Term[], withValue: string): Term[] {
  const words: Term[] = [];
  let ended = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const head = headOf(word);
    if (ended || !/^-./.test(head)) words.push(word);
    else if (textOf(word) === "--") ended = true;
    else if (
      /^--(target-directory|suffix|mode|owner|group|reference|size|expression|file|rsh|exclude|include|date)$/.test(
        head,
      )
    )
      at++;
    else if (!head.startsWith("--") && textOf(word) === head && withValue.includes(head.at(-1)!)) at++;
  }
  return words;
}

function copied(call: Call, files: readonly Term[]): Term[] {
  const folder = optionValues(call.args, "t", "--target-directory");
  const isRemote = (word: Term) => /^[^/]*:/.test(headOf(word));
  if (call.name === "install" && call.args.some((word) => /^(-[a-zA-Z]*d|--directory)/.test(headOf(word))))
    return [...files];
  const written = folder.length > 0 ? folder : files.length > 1 || call.name === "ln" ? files.slice(-1) : [];
  const moved = call.name === "mv" ? (folder.length > 0 ? files : files.slice(0, -1)) : [];
  return [...moved, ...written].filter((word) => !((call.name === "rsync" || call.name === "scp") && isRemote(word)));
}

function inPlace(call: Call, files: readonly Term[]): Term[] {
  const edits = call.args.some((word) => {
    const head = headOf(word);
    return call.name === "perl" ? /^-[a-zA-Z0-9]*i/.test(head) : /^(-[nErsuz]*i|--in-place)/.test(head);
  });
  if (!edits) return [];
  const program = call.args.some((word) => /^(-[a-zA-Z]*[efE]|--expression|--file)/.test(headOf(word)));
  return program ? [...files] : files.slice(1);
}

/** Of `-t DIR`, `-tDIR`, `--target-directory=DIR`. */
function optionValues(args: readonly Term[], letter: string, name: string): Term[] {
  return args.flatMap((word, index) => {
    const head = headOf(word);
    if (head.startsWith(`${name}=`)) return [cut(word, name.length + 1)];
    if (head === name) return args.slice(index + 1, index + 2);
    const at = /^-[^-]/.test(head) ? head.indexOf(letter, 1) : -1;
    if (at === -1 || !/^[a-zA-Z]*$/.test(head.slice(1, at))) return [];
    return at === head.length - 1 && textOf(word) === head ? args.slice(index + 1, index + 2) : [cut(word, at + 1)];
  });
}

function cut(word: Term, characters: number): Term {
  let left = characters;
  const pieces = word.pieces.flatMap((piece) => {
    if (left === 0 || piece.text === undefined) return [piece];
    const taken = Math.min(left, piece.text.length);
    left -= taken;
    return piece.text.length === taken ? [] : [{ ...piece, text: piece.text.slice(taken) }];
  });
  return { ...word, raw: word.raw.slice(characters), pieces };
}

/** Whether the script goes to a folder outside, from where its relative paths count. */
function changesFolder(script: Script, places: Places): boolean {
  return script.calls.some(
    ({ name, args }) =>
      (name === "cd" || name === "pushd") && args[0] !== undefined && isOutside(args[0], places, false),
  );
}

function isOutside(target: Term, places: Places, leaves: boolean): boolean {
  const path = pathOf(target, places);
  if (path === undefined || path === "") return false;
  if (!path.startsWith("/") && (leaves || places.cwd === undefined)) return leaves || normal(path).startsWith("..");
  const absolute = `/${normal(path.startsWith("/") ? path : `${places.cwd}/${path}`)}`;
  if (/^\/dev\/(null|zero|full|stdin|stdout|stderr|tty|fd\/[0-9]+)$|^\/proc\/self\/fd\/[0-9]+$/.test(absolute))
    return false;
  return ![places.cwd, places.tmp, "/tmp", "/var/tmp"].some((folder) => {
    const base = folder === undefined ? undefined : `/${normal(folder)}`;
    return base !== undefined && (absolute === base || absolute.startsWith(base === "/" ? "/" : `${base}/`));
  });
}

/** What is known of it; `~` is the home folder. An unknown end does not matter, an unknown beginning does. */
function pathOf(target: Term, places: Places): string | undefined {
  const head = headOf(target);
  if (/^~(\/|$)/.test(target.raw)) return `${places.home ?? "/~"}${head.slice(1)}`;
  if (/^["']?\$\{?HOME\b/.test(target.raw) && target.pieces[0]?.text === undefined) return places.home ?? "/~";
  if (/^["']?\$\{?TMPDIR\b/.test(target.raw)) return places.tmp ?? "/tmp";
  const [first] = target.pieces;
  if (first === undefined || first.text === undefined) return undefined;
  // `> x$(date)`: a relative beginning with an unknown rest stays where it is.
  return textOf(target) ?? head.replace(/[^/]*$/, "x");
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || !path.startsWith("/")) parts.push(part);
  }
  return parts.join("/");
}
