// facts: the names that Curlew itself gives a value, such as `${run.id}` (spec 8.3).
//   F1. A fact comes after every name that the workflow defines, so an old document keeps its meaning.
//   F2. `run`, `trigger`, `failure`, and `state` have a meaning only with a member. Alone they belong to the shell.
//   F3. `state` is a fact only if the document declares names for it.
//   F4. `failure.body` and the values of `state` are texts. If the text is JSON, a reference can name its members.

import type { Reference } from "../shell/template.ts";

/** The nodes at the end know how the run ended, and they and error branches know the failure. */
export interface FactPlace {
  finally: boolean;
  inErrorBranch: boolean;
  /** The names of the document's `state`. */
  stateNames?: readonly string[];
}

const EVERYWHERE: Facts = { run: ["id", "name", "startedAt", "url"], trigger: ["kind", "at"], attempt: [] };
const FAILURE = ["node", "code", "message", "exitCode", "signal", "status", "body", "stderr", "attempts"];

/** The members of each fact. `attempt` has none. */
export type Facts = Readonly<Record<string, readonly string[]>>;

/** Values kept between runs. */
export const STATE = "state";

const NAMES: readonly string[] = [...Object.keys(EVERYWHERE), "failure"];

/** All names of facts, whether or not they have a value at a node. */
export const factRoots = (stateNames: readonly string[] = []): readonly string[] =>
  stateNames.length === 0 ? NAMES : [...NAMES, STATE];

export function factsAt(place?: FactPlace): Facts {
  return {
    ...EVERYWHERE,
    ...(place?.finally ? { run: [...EVERYWHERE.run!, "status"] } : {}),
    ...(place?.finally || place?.inErrorBranch ? { failure: FAILURE } : {}),
    ...(place?.stateNames?.length ? { [STATE]: place.stateNames } : {}),
  };
}

/** Whether the reference names a fact that has a value at this place. */
export function isFact(root: string, members: Reference["members"] = [], place?: FactPlace): boolean {
  if (!factRoots(place?.stateNames).includes(root)) return false;
  const known = factsAt(place)[root];
  const [member] = members;
  if (known === undefined || known.length === 0) return known !== undefined && member === undefined;
  return typeof member === "string" && known.includes(member) && (members.length === 1 || mayBeJson(root, member));
}

/** F4. */
export const mayBeJson = (root: string, member: unknown): boolean =>
  root === STATE || (root === "failure" && member === "body");

/** As written in a text, for suggestions. */
export const factNames = (place?: FactPlace): string[] =>
  Object.entries(factsAt(place)).flatMap(([root, members]) =>
    members.length === 0 ? [root] : members.map((member) => `${root}.${member}`),
  );
