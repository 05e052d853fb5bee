// import/document: the result of an import, as the text of a workflow file.

import { stringify } from "yaml";
import { formatWorkflow } from "../format.ts";

export interface Made {
  /** YAML. */
  text: string;
  /** A suggested file name. */
  name: string;
  /** Notes for the user about the import, as sentences without values. */
  notes: string[];
  /** The values of the secrets that the text names, by their names. They are never written to a file. */
  values?: ReadonlyMap<string, string>;
}

/** In the short form, unless the workflow has errors. */
export function documentText(document: Record<string, unknown>): string {
  const text = stringify(document, { lineWidth: 0, blockQuote: "literal", aliasDuplicateObjects: false });
  const formatted = formatWorkflow(text, "imported.flow.yaml", "short");
  return formatted.ok ? formatted.value : text;
}
