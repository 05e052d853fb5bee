// schema: prints the JSON Schema of workflow files, for editors.

import { workflowJsonSchema } from "../../workflow/json-schema.ts";
import { Exit } from "../exit.ts";
import type { Terminal } from "../terminal.ts";

export async function schema(terminal: Terminal): Promise<Exit> {
  terminal.json(workflowJsonSchema(), true);
  return Exit.OK;
}
