// schema: the fields of a workflow file and their meaning (spec 1.1, 1.2). The shape check, the types, the JSON Schema
// and the reference are derived from it. `x-…` keys are allowed in every object of fields and kept in the text only.
// Kinds of fields are in schema/fields.ts, shared parts in shared.ts, the document in document.ts, and the data of nodes
// in kinds/.

import { limits } from "../base/limits.ts";
import { KINDS } from "./kinds/index.ts";
import type { NodeType } from "./node-data.ts";

export { DOCUMENT_ORDER, type DocumentHead, documentFields, documentHead, edge } from "./schema/document.ts";
export { CODED, isFreeText } from "./schema/fields.ts";

/** The schema of each kind's data. */
export const dataOf = Object.fromEntries(Object.entries(KINDS).map(([type, { data }]) => [type, data])) as {
  [T in NodeType]: (typeof KINDS)[T]["data"];
};

export const NODE_ID = new RegExp(`^[A-Za-z_][A-Za-z0-9_-]{0,${limits.idCharsMax - 1}}$`);
