// variables: the environment variables that carry values to a script.

import type { Reference } from "../template.ts";
import { type Guard, PREFIX, type ShellVariable } from "./types.ts";

/** One name per root, members, default and filter; colliding names get a number. */
export class VariableNames {
  #byKey = new Map<string, ShellVariable>();
  #taken = new Set<string>();

  of(reference: Reference): ShellVariable {
    const key = JSON.stringify([reference.root, reference.members, reference.filter, reference.default]);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const words = [...reference.members, ...(reference.filter === undefined ? [] : [reference.filter])].map((word) =>
      String(word).replaceAll("-", "_"),
    );
    const wanted = PREFIX + [reference.root, ...(words.length > 0 ? ["", ...words] : [])].join("_");
    let variable = wanted;
    for (let number = 2; this.#taken.has(variable); number++) variable = `${wanted}_${number}`;
    this.#taken.add(variable);
    const { root, members, default: fallback, filter } = reference;
    const made: ShellVariable = { variable, root, members, default: fallback, filter, uses: [] };
    this.#byKey.set(key, made);
    return made;
  }

  use(reference: Reference, place: { guards: Guard[]; leavesShell: boolean }): void {
    this.of(reference).uses.push({
      start: reference.start,
      end: reference.end,
      guards: place.guards,
      leavesShell: place.leavesShell,
    });
  }

  all(): ShellVariable[] {
    return [...this.#byKey.values()].filter((variable) => variable.uses.length > 0);
  }
}
