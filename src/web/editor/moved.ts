// moved: the edit that takes a credential out of a node's text, and its values for the local store. Pure.
//   T2. The undo history is cleared, because it would bring the value back.

import { liftedFrom } from "../../workflow/import/curl.ts";
import { type Doc, type Edit, freeName, named, nodesOf, setDocumentField, together } from "../document/index.ts";
import { fixInNode } from "../inspector/edits.ts";

/** Characters of a field of a node. */
export interface Place {
  id: string;
  path: readonly (string | number)[];
  text: string;
  from: number;
  to: number;
}

interface Moved {
  edit: Edit;
  /** The secrets that the text names now. */
  names: readonly string[];
  /** To save. A secret that has the value already is not among them. */
  values: ReadonlyMap<string, string>;
}

/** `taken`: names that already have a value. `same`: those that have this value. */
export async function movedOf(
  place: Place,
  doc: Doc,
  taken: ReadonlySet<string>,
  same: (value: string) => Promise<readonly string[]>,
): Promise<Moved> {
  const { id, path, text, from, to } = place;
  const data = nodesOf(doc.plain ?? {}).find((node) => node.id === id)?.data ?? {};
  const value = text.slice(from, to);
  const lifted = path.length === 1 && path[0] === "content" ? await liftedFrom(text) : undefined;
  const isWhole = lifted !== undefined && !lifted.text.includes(value) && (lifted.auth === undefined || !data.auth);
  const values = isWhole ? lifted.values : new Map([[nameFor(path, text.slice(0, from)), value]]);
  const equal = new Map<string, readonly string[]>();
  for (const [name, one] of values) equal.set(name, await same(one));
  const names = new Map([...equal].map(([name, known]) => [name, nameAmong(name, known) ?? freeName(name, taken)]));
  const rename = (written: string) =>
    [...names].reduce(
      (all, [name, free]) => all.replaceAll(new RegExp(`\\$\\{${name}(?=[}|])`, "g"), `\${${free}`),
      written,
    );
  const [only = ""] = names.values();
  const next = isWhole ? rename(lifted.text) : `${text.slice(0, from)}\${${only}}${text.slice(to)}`;
  const auth =
    isWhole && lifted.auth !== undefined
      ? [{ path: ["auth"], value: JSON.parse(rename(JSON.stringify(lifted.auth))) }]
      : [];
  const label = `Move a credential of ${named(id)} to a secret`;
  const written = fixInNode(id, path, text, {
    label,
    changes: [{ from: 0, to: text.length, insert: next }],
    set: auth,
  });
  const declared: unknown[] = Array.isArray(doc.plain?.secrets) ? doc.plain.secrets : [];
  const added = [...names.values()].filter((name) => !declared.includes(name));
  const edit = together(label, [written, setDocumentField(["secrets"], [...declared, ...added])]);
  return {
    edit: { ...edit, hides: true },
    names: [...names.values()],
    values: new Map(
      [...values].flatMap(([name, one]) => (equal.get(name)!.length > 0 ? [] : [[names.get(name)!, one]])),
    ),
  };
}

/** The wanted name if it is among them, otherwise any. */
function nameAmong(wanted: string, known: readonly string[]): string | undefined {
  return known.includes(wanted) ? wanted : known[0];
}

/** From the field, or from the words before the value: `PGPASSWORD=`. In a URL it is a password. */
function nameFor(path: Place["path"], before: string): string {
  if (/:\/\/[^\s/]*$/.test(before)) return "API_PASSWORD";
  const [, word] = /([A-Za-z][\w-]*)["']?\s*[:=]\s*["']?(?:Bearer\s+)?$/.exec(before) ?? [];
  const last = path.length > 1 ? String(path.at(-1)) : "";
  const name = (word ?? last).replaceAll(/[^A-Za-z0-9]+/g, "_").toUpperCase();
  return /^[A-Z]\w*$/.test(name) && !/^(?:AUTHORIZATION|HTTPS?|VALUE)$/.test(name) ? name : "API_TOKEN";
}
