// import/source: a text that somebody gave, told apart and made a workflow (spec 2.2): a pasted curl command, a workflow of ours, one of
// another tool. `curlew import` and `POST /import` take the same.
//   S1. It is looked at as text only: nothing of it is executed, nothing is fetched.
//   S2. Where it came from is said without a query or a credential: it stands in the file.
// Deliberately absent: OpenAPI documents and Postman collections; they are recognised, and said to come later.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";

export interface Source {
  /** A workflow document. */
  text: string;
  json: boolean;
  /** It is the text that came, and not made of it. */
  asIs: boolean;
  from: string;
  /** What the file may be called after. */
  name: string;
  /** What a person should know of how it became a workflow. */
  told: readonly string[];
}

/** Failure `import-curl`. */
export async function sourceOfCurl(command: string): Promise<Result<Source, Failure>> {
  const { workflowOfCurl } = await import("../../workflow/import/curl.ts");
  const made = await workflowOfCurl(command);
  if (!made.ok) return err({ ...made.error, code: "import-curl" });
  const { text, name, told } = made.value;
  return ok({ text, json: false, asIs: false, from: "a pasted curl command", name, told });
}

/** A workflow, by what stands in it, not by how it is called. Failures: `import-nebulaflow`, `import-unknown`, `not-yet`. */
export async function sourceOfText(
  text: string,
  { from, name }: { from: string; name: string },
): Promise<Result<Source, Failure>> {
  const json = /^\s*\{/.test(text.replace(/^\ufeff/, "")) && isJson(text);
  if (/(?:^|[{,\s])["']?curlew["']?\s*:/.test(text)) return ok({ text, json, asIs: true, from, name, told: [] });
  const other = otherKind(text);
  if (other !== undefined)
    return err({
      code: "not-yet",
      message: `This is ${other}, which cannot be imported yet.`,
      hint: "Take one call of it as a curl command: curlew import 'curl …'",
    });
  if (json && /"nodes"\s*:/.test(text)) {
    const { workflowOfNebulaFlow } = await import("../../workflow/import/nebulaflow.ts");
    const made = workflowOfNebulaFlow(text, name);
    if (!made.ok) return err({ ...made.error, code: "import-nebulaflow" });
    return ok({ ...made.value, name, json: false, asIs: false, from });
  }
  return err({
    code: "import-unknown",
    message: `Nothing in ${from} can be imported: it is no curl command, and no Curlew or NebulaFlow workflow.`,
    hint: 'A curl command begins with the word curl, a workflow says "curlew: 1".',
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ""));
    return true;
  } catch {
    return false;
  }
}

function otherKind(text: string): string | undefined {
  const start = text.slice(0, 4_096);
  if (/(?:^|[{,\s])["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]/.test(start)) return "an OpenAPI document";
  return /schema\.getpostman\.com|"_postman_id"/.test(start) ? "a Postman collection" : undefined;
}
