// shell/paths: by which name a script's file is followed (see files.ts).
//   P1. A name is what the script says, without its quotes; a variable that is set to one fixed text is that text. Nothing is looked up.
//   P2. Where folders are not the same text for the same place (cd, `"$d/f"`, cp into a folder), a file is known by the end of its name.
//   P3. `/dev/fd/3` is the descriptor, which is followed as a file `&3` (descriptors.ts).

import type { SyntaxNode } from "unbash";
import type { Surroundings } from "./place.ts";

const PREFIX = " file ";

/** The variable that stands for a file. `holder`: the redirection whose target the word is. */
export function fileKey(word: SyntaxNode, around: Surroundings, holder?: SyntaxNode): string {
  const raw = around.text.source.slice(word.pos, word.end);
  if (holder?.type === "Redirect" && holder.operator.endsWith("&")) {
    const number = /^["']?(\d+)-?["']?$/.exec(raw)?.[1];
    // `>& f` is a file, `>& $fd` may be one.
    if (number !== undefined || /\$|^p$/.test(raw)) return descriptorKey(number, around);
  }
  return keyOfPath(raw, around);
}

/** Undefined: one that only the run knows. */
export function descriptorKey(number: number | string | undefined, around: Surroundings): string {
  return `${PREFIX}&${number !== undefined && (Number(number) < 3 || !around.mixedDescriptors) ? number : ""}`;
}

export function keyOfPath(raw: string, around: Surroundings): string {
  const path = isPattern(raw) ? raw.replaceAll(/["']/g, "") : raw.replaceAll(/["'\\]/g, "");
  const said = withFixed(path.replaceAll(/\$\{(\w+)\}/g, "$$$1"), around);
  const descriptor = /^\/(?:dev|proc\/(?:self|\$\$))\/(?:fd\/(\d+|\$.*)|stdin)$/.exec(said);
  if (descriptor !== null)
    return descriptorKey(
      said.endsWith("stdin") ? 0 : /^\d/.test(descriptor[1] ?? "") ? descriptor[1] : undefined,
      around,
    );
  const short = said.replace(/^(?:\$PWD\/|\$\(pwd\)\/|\.\/|\/proc\/self\/cwd\/)+/, "");
  return PREFIX + (around.namesByEnd ? endOf(short) : short);
}

export function pathOf(key: string): string | undefined {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
}

export function endOf(path: string): string {
  return path.replace(/\/+$/, "").split("/").pop() ?? path;
}

/** P1. */
function withFixed(path: string, around: Surroundings): string {
  return path.replaceAll(/\$(\w+)/g, (said, name: string) => {
    const [word, ...more] = around.text.fixed?.get(name) ?? [];
    return word === undefined || more.length > 0 ? said : word;
  });
}

/** P2. */
export function namesByEnd(source: string): boolean {
  return /(?:^|[^\w-])(?:cd|pushd|popd|chdir|cp|mv|ln|install|rsync|tar)\s|\s-C\b|\s--(?:chdir|directory)\b|\$\{?\w+\}?["']?\/|\)["']?\//m.test(
    source,
  );
}

function isPattern(raw: string): boolean {
  return /[*?]|\[.*\]/.test(raw.replaceAll(/"[^"]*"|'[^']*'|\\./g, ""));
}

/** `*.sh`: those of these names that it may stand for. */
export function meantByPattern(path: string, names: Iterable<string>): string[] {
  if (!/[*?[]/.test(path)) return [];
  const pattern = new RegExp(`^(?:${patternOf(path)})$`);
  return [...names].filter((name) => !name.startsWith("&") && pattern.test(name));
}

/** What stands in brackets is any one character. */
export function patternOf(path: string): string {
  return path
    .replaceAll(/\[[^\]]*\]/g, "?")
    .replaceAll(/[.+^${}()|\\[\]]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
}
