// create: writes a new workflow file to the served folder. A taken name gets a number; no file is ever overwritten.

import { at } from "../../api/address.ts";
import type { ImportResult, WorkflowDocument } from "../../api/shapes.ts";
import { ask, Refusal } from "../client/api.ts";
import { keys, queryClient } from "../client/queries.ts";
import { fileNameFor, nameIn, nextName } from "./file-names.ts";

const triesMax = 20;

/** Returns the path it was written to. `exact`: fails if the name is taken. */
export async function createDocument(path: string, text: string, { exact = false } = {}): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const name = nextName(path, tries);
    try {
      await ask<WorkflowDocument>(at("workflows", name), {
        method: "PUT",
        headers: { "if-none-match": "*" },
        body: { text },
      });
      void queryClient.invalidateQueries({ queryKey: keys.workflows });
      return name;
    } catch (reason) {
      if (exact || tries >= triesMax || !(reason instanceof Refusal) || reason.problem.status !== 412) throw reason;
    }
  }
}

/** Converts a pasted curl command to a workflow. */
export async function createFromCurl(source: string): Promise<{ path: string; secrets: string[] }> {
  const { text, secrets } = await ask<ImportResult>("/import", { method: "POST", body: { source } });
  const path = await createDocument(fileNameFor(nameIn(text)) || "request.flow.yaml", text);
  return { path, secrets };
}
