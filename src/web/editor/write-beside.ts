// writeBeside: a text as a file of its own beside another: both are kept (spec 2.3: nobody's edit is lost).

import type { WorkflowDocument } from "../../api/shapes.ts";
import { ask, at, Refusal } from "../client/api.ts";

const NAMES_TRIED = 50;

/** Writes it beside the file, under the first name that is free: `orders-mine.flow.yaml`. Tells the name. */
export async function writeBeside(path: string, text: string): Promise<string> {
  const [, stem = path, end = ""] = /^(.*?)(\.flow\.ya?ml|\.ya?ml)?$/.exec(path) ?? [];
  for (let n = 1; n <= NAMES_TRIED; n++) {
    const name = `${stem}-mine${n === 1 ? "" : `-${n}`}${end}`;
    try {
      await ask<WorkflowDocument>(at("workflows", name), {
        method: "PUT",
        body: { text },
        headers: { "if-none-match": "*" },
      });
      return name;
    } catch (reason) {
      if (!(reason instanceof Refusal) || reason.problem.status !== 412) throw reason;
    }
  }
  throw new Error(`There are ${NAMES_TRIED} files called ${stem}-mine${end} already.`);
}
