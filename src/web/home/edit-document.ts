// edit-document: changes of whole workflow files from outside the editor: edit, rename, duplicate, remove.
//   E1. Each change names the version that it replaces, so no edit of someone else is lost.
//   E2. A copy has no triggers: otherwise everything would start twice.

import { at } from "../../api/address.ts";
import type { WorkflowDocument } from "../../api/shapes.ts";
import { ask } from "../client/api.ts";
import { keys, queryClient } from "../client/queries.ts";
import type { Edit } from "../document/index.ts";
import { createDocument } from "./create.ts";

export const readDocument = (path: string): Promise<WorkflowDocument> => ask<WorkflowDocument>(at("workflows", path));

/** The text after the edits. The editing model is loaded only now. */
async function edited({ path, text }: WorkflowDocument, edits: readonly Edit[]): Promise<string> {
  const { openDoc, perform } = await import("../document/index.ts");
  let doc = openDoc(text, path);
  for (const edit of edits) {
    const changed = perform(doc, edit);
    if (!changed.ok) throw new Error(changed.error);
    doc = changed.value.doc;
  }
  return doc.text;
}

const field = async (name: string, value: unknown): Promise<Edit> =>
  (await import("../document/index.ts")).setDocumentField([name], value);

/** E1. `change` gets the present value of the field and returns the new one, or throws what is wrong. */
export async function changeField(
  path: string,
  name: string,
  change: (value: unknown) => unknown,
): Promise<WorkflowDocument> {
  const document = await readDocument(path);
  const { openDoc } = await import("../document/index.ts");
  const value = change(openDoc(document.text, path).plain?.[name]);
  const text = await edited(document, [await field(name, value)]);
  const saved = await ask<WorkflowDocument>(at("workflows", path), {
    method: "PUT",
    headers: { "if-match": document.etag },
    body: { text },
  });
  await told();
  return saved;
}

/** Changes the name in the file, and then the path. Runs and triggers follow the file. */
export async function renameDocument(path: string, given: { name?: string; to: string }): Promise<string> {
  const { name, to } = given;
  const { etag } = name === undefined ? await readDocument(path) : await changeField(path, "name", () => name);
  if (to !== path)
    await ask(at("workflows", path, "rename"), { method: "POST", headers: { "if-match": etag }, body: { to } });
  await told();
  return to;
}

/** E2. */
export async function duplicateDocument(path: string, name: string): Promise<{ path: string; hadTriggers: boolean }> {
  const document = await readDocument(path);
  const { openDoc } = await import("../document/index.ts");
  const hadTriggers = openDoc(document.text, path).plain?.on !== undefined;
  const text = await edited(document, [await field("name", `${name} copy`), await field("on", undefined)]);
  const made = await createDocument(path.replace(/(\.flow\.\w+)$/, "-copy$1"), text);
  return { path: made.path, hadTriggers };
}

/** Returns a function that puts the file back. */
export async function deleteDocument(path: string): Promise<() => Promise<void>> {
  const { text, etag } = await readDocument(path);
  await ask(at("workflows", path), { method: "DELETE", headers: { "if-match": etag } });
  await told();
  return async () => {
    await ask(at("workflows", path), { method: "PUT", headers: { "if-none-match": "*" }, body: { text } });
    await told();
  };
}

async function told(): Promise<void> {
  for (const queryKey of [keys.workflows, keys.triggers, keys.runs]) void queryClient.invalidateQueries({ queryKey });
}
