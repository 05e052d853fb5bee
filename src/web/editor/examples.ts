// examples: the workflows of examples/, which tests run against the sample API, to start from or to add to a workflow
// (spec ui.md 6.2: API catalogue). All of them are one chunk, which is loaded when the user looks for one.

import { nameIn } from "../home/file-names.ts";

const texts = import.meta.glob<string>("../../../examples/*.flow.yaml", {
  query: "?raw",
  import: "default",
  eager: true,
});

export interface Example {
  id: string;
  name: string;
  /** The first comment of the file. */
  says: string;
  /** The text itself, so that a search finds `POST` and `jq`. */
  words: string;
  text: string;
}

const EXAMPLES: readonly Example[] = Object.entries(texts).map(([file, text]) => ({
  id: /([^/]+)\.flow\.yaml$/.exec(file)?.[1] ?? file,
  name: nameIn(text),
  says: /^# (.*)$/m.exec(text)?.[1] ?? "",
  words: text,
  text,
}));

/** Examples that are complete without another file beside them. */
export const WHOLE = EXAMPLES.filter(({ text }) => !/^[^#\n]*[\w-]\.(?:flow\.yaml|sh|js|mjs|py|pem)\b/m.test(text));

/** The keys of a workflow that adding it to another one keeps. */
const KEPT = new Set(["curlew", "name", "description", "inputs", "secrets", "auth", "nodes", "edges", "output"]);

/** Examples that can be added to another workflow without losing anything. */
export const ADDABLE = WHOLE.filter(({ text }) =>
  [...text.matchAll(/^([\w-]+):/gm)].every(([, key]) => KEPT.has(key!)),
);
