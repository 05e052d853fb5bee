// whole-config: config.yaml in the home looked at as a whole: each of its parts as whoever uses it reads it (spec 2.7, 4.2).
//   W1. Who reads one part takes no notice of the others. A person is told of all of them: when a server starts, by doctor, and before
//       the program changes the file.

import { join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { configText, problemsIn } from "./config.ts";
import { modelsOf } from "./models.ts";
import { type AuthCheck, authOf } from "./tokens/config-auth.ts";

/** Nothing: it is sound, or there is none. Failures: `config-invalid`, `config-unreadable`, `config-open`. */
export async function configProblems(home: string, ofAuth?: AuthCheck): Promise<Failure[]> {
  const text = configText(home);
  if (!text.ok) return [text.error];
  return text.value === undefined ? [] : configProblemsIn(text.value, join(home, "config.yaml"), ofAuth);
}

/** Of a text that stands there, or shall. */
export function configProblemsIn(text: string, file: string, ofAuth?: AuthCheck): Promise<Failure[]> {
  return problemsIn(text, file, [modelsOf, (top, place) => authOf(top, place, ofAuth)]);
}
