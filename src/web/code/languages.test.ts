// Languages are made only once (L1). Making them per field leaked memory while the user selected one node after
// another.

import { expect, it } from "vitest";
import { languageOf } from "./languages.ts";

it.each([
  ...(["shell", "python", "javascript", "ruby", "perl", "powershell"] as const),
  ...(["json", "yaml", "expression", "text"] as const),
])("%s is made once", (name) => {
  expect(languageOf(name)).toBe(languageOf(name));
});
