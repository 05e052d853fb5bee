// shell/follow: a value that a variable of the script carries, followed to where that variable stands (spec 4.1, "Follow taint").

import { placeOf } from "./arithmetic.ts";
import { atMark } from "./at.ts";
import type { Mark } from "./marks.ts";
import { judge, type Place, type Surroundings } from "./place.ts";
import * as problems from "./problems.ts";
import type { Origin, Taint } from "./taint.ts";
import type { Chain } from "./tree.ts";
import type { Guard, ShellProblem } from "./types.ts";

/** A value given to a variable of the script is followed to where that variable stands. */
export function followCarriers(
  { carriers }: Taint,
  text: string,
  places: Map<Mark, Place>,
  around: Surroundings,
): ShellProblem[] {
  const found: ShellProblem[] = [];
  for (const { chain, from, odd, counts, asNumber } of carriers) {
    const [first] = from;
    if (first === undefined) continue;
    // Where it stands decides, not which value it is: judged once, told about the first value that it concerns.
    const verdict = judge({ at: atMark(text, first.mark), mark: undefined, chain }, around);
    if (asNumber === true) {
      const isRead =
        "problem" in verdict ? isCounted(verdict.problem, chain, around) : verdict.guards.some(isForNumbers);
      if (isRead || placeOf(chain, around) !== undefined)
        for (const { mark: one } of from) mustBeNumber(places.get(one));
      continue;
    }
    if ("problem" in verdict || odd !== undefined) {
      // What an expansion evaluates is evaluated first, whatever stands around it.
      const { code } = "problem" in verdict && odd === undefined ? verdict.problem : { code: "template-evaluated" };
      // What a command made of a value is that command's output, and only running it as code is refused.
      const concerned = RUNS_IT.has(code)
        ? first
        : from.find(({ copied, stored }) => copied && !(stored === true && code === "template-echo"));
      // How echo would change it does not concern it; it may be a number all the same.
      if (concerned === undefined && placeOf(chain, around) !== undefined)
        for (const { mark: one, copied } of from) if (copied) mustBeNumber(places.get(one));
      if (concerned === undefined) continue;
      const at = atMark(text, concerned.mark);
      const told = odd === undefined ? judge({ at, mark: undefined, chain }, around) : undefined;
      if (told !== undefined && "problem" in told) found.push(told.problem);
      else if (odd !== undefined) found.push(problems.oddExpansion(at, odd));
      continue;
    }
    for (const { mark: one, whole: isWhole, copied, stored } of from) {
      const place = places.get(one);
      if (place === undefined || !copied) continue;
      // What the value itself must be; where it only stands inside a longer text, its beginning does not matter.
      for (const guard of counts === true ? [...verdict.guards, { kind: "int" as const }] : verdict.guards)
        if ((guard.kind === "int" || isWhole) && !place.guards.some((other) => isSameGuard(other, guard)))
          place.guards.push(guard);
      place.leavesShell ||= stored !== true && verdict.leavesShell;
    }
  }
  // One place may be read in two ways: `read -t $x`.
  return found.filter(
    ({ code, start }, index) => found.findIndex((one) => one.code === code && one.start === start) === index,
  );
}

function mustBeNumber(place: Place | undefined): void {
  if (place !== undefined && !place.guards.some(isForNumbers)) place.guards.push({ kind: "int" });
}

/** Refused for a value itself; of a name that only leads to one, what is left is the number: `let "z = $y"`, `read "a[$y]"`. */
function isCounted({ code }: ShellProblem, chain: Chain, around: Surroundings): boolean {
  if (code !== "template-evaluated") return code === "template-subscript";
  const command = chain.findLast(({ type }) => type === "Command");
  return command !== undefined && /^let\b|\[/.test(around.text.source.slice(command.pos, command.end));
}

function isForNumbers({ kind }: Guard): boolean {
  return kind === "int";
}

function isSameGuard(one: Guard, other: Guard): boolean {
  return one.kind === other.kind && (one.kind === "int" || JSON.stringify(one) === JSON.stringify(other));
}
/** What they say would run the value, not only change it. */
export const RUNS_IT = new Set(["template-evaluated", "template-program-text", "template-command-name"]);

/** Variables that run code or evaluate what they are set to, however the value comes to them. */
export function followGiven({ given }: Taint, text: string, places: Map<Mark, Place>): ShellProblem[] {
  const found: ShellProblem[] = [];
  for (const { name, from, counts } of given) {
    const copied = from.filter((origin: Origin) => origin.copied);
    const [first] = copied;
    if (first !== undefined && !counts) found.push(problems.dangerousName(atMark(text, first.mark), name));
    if (counts) for (const { mark: one } of copied) places.get(one)?.guards.push({ kind: "int" });
  }
  return found;
}
