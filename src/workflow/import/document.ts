// import/document: what was made of something else, as the text of a workflow.

import { stringify } from "yaml";

export interface Made {
  /** YAML. */
  text: string;
  /** What the file may be called after. */
  name: string;
  /** What a person should know about how it was made; sentences without values. */
  told: string[];
}

/** Texts of several lines become blocks; nothing else is styled. */
export function documentText(document: Record<string, unknown>): string {
  return stringify(document, { lineWidth: 0, blockQuote: "literal", aliasDuplicateObjects: false });
}
