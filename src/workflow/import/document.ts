// import/document: the result of an import, as the text of a workflow file.

import { stringify } from "yaml";

export interface Made {
  /** YAML. */
  text: string;
  /** A suggested file name. */
  name: string;
  /** Notes for the user about the import, as sentences without values. */
  notes: string[];
}

/** Multi-line strings become blocks; nothing else is styled. */
export function documentText(document: Record<string, unknown>): string {
  return stringify(document, { lineWidth: 0, blockQuote: "literal", aliasDuplicateObjects: false });
}
