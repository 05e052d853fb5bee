// Checks config.yaml in the data directory as a whole, with the readers of all its sections (spec 2.7, 4.2).
//   W1. A reader of one section ignores the others. All problems are reported when a server starts, by doctor,
//       and before Curlew changes the file.

import { join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { configText, problemsIn } from "./config.ts";
import { modelsOf } from "./models.ts";
import { type AuthCheck, authOf } from "./tokens/config-auth.ts";

/** Empty if the file is valid or does not exist. Failures: `config-invalid`, `config-unreadable`, `config-open`. */
export async function configProblems(home: string, ofAuth?: AuthCheck): Promise<Failure[]> {
  const text = configText(home);
  if (!text.ok) return [text.error];
  return text.value === undefined ? [] : configProblemsIn(text.value, join(home, "config.yaml"), ofAuth);
}

/** The same for the current text of the file, or for a text to be written. */
export function configProblemsIn(text: string, file: string, ofAuth?: AuthCheck): Promise<Failure[]> {
  return problemsIn(text, file, [modelsOf, (top, place) => authOf(top, place, ofAuth)]);
}
