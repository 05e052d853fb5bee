// Who selects one node after the other for an hour has the languages once (L1): what was made anew each time was never let go of.

import { expect, it } from "vitest";
import { languageOf } from "./languages.ts";

it.each([
  ...(["shell", "python", "javascript", "ruby", "perl", "powershell"] as const),
  ...(["json", "yaml", "expression", "text"] as const),
])("%s is made once", (name) => {
  expect(languageOf(name)).toBe(languageOf(name));
});
