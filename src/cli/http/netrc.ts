// netrc: the login that a .netrc file has for a host.

import { readFileSync } from "node:fs";
import { HttpExit, HttpProblem } from "./problem.ts";

export interface Login {
  login: string;
  password: string;
}

/** Undefined when it has none, and no default. Throws `HttpProblem` (26) when the file cannot be read. */
export function netrcLogin(file: string, host: string): Login | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (reason) {
    throw new HttpProblem(
      HttpExit.READ,
      "cannot-read",
      `The .netrc file cannot be read: ${(reason as Error).message}.`,
    );
  }
  return loginIn(text, host);
}

/** A `macdef` goes to the next empty line; `#` begins a comment. Words may stand in quotes. */
export function loginIn(text: string, host: string): Login | undefined {
  const words =
    text
      .replaceAll(/^\s*macdef\b[\s\S]*?(?:\n\s*\n|$(?![\s\S]))/gm, "\n")
      .replaceAll(/^\s*#.*$/gm, "")
      .match(/"(?:\\.|[^"\\])*"|\S+/g) ?? [];
  const found: { host: string | undefined; login: string; password: string }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const next = () => plain(words[++at] ?? "");
    if (word === "machine") found.push({ host: next().toLowerCase(), login: "", password: "" });
    else if (word === "default") found.push({ host: undefined, login: "", password: "" });
    else if ((word === "login" || word === "password") && found.length > 0) found.at(-1)![word] = next();
    else if (word === "account") next();
  }
  return found.find((one) => one.host === host.toLowerCase()) ?? found.find((one) => one.host === undefined);
}

function plain(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, "$1") : word;
}
