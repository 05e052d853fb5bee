// Recognises an imported text and turns it into a workflow (spec 2.2): a curl command, a Curlew workflow, or a document
// of another tool. Shared by `curlew import` and `POST /import`.
//   S1. It is handled as text only: nothing is executed or fetched.
//   S2. The recorded origin contains no query and no credential, because it becomes part of the file.
// OpenAPI documents and Postman collections are recognised, and reported as not supported yet.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJsonObject } from "../../base/tolerant.ts";

export interface Source {
  /** The workflow document. */
  text: string;
  json: boolean;
  /** The text is unchanged, and not converted. */
  asIs: boolean;
  from: string;
  /** The suggested name for the file. */
  name: string;
  /** Notes for the user about the conversion. */
  notes: readonly string[];
}

/** Failure: `import-curl`. */
export async function sourceOfCurl(command: string): Promise<Result<Source, Failure>> {
  const { workflowOfCurl } = await import("../../workflow/import/curl.ts");
  const made = await workflowOfCurl(command);
  if (!made.ok) return err({ ...made.error, code: "import-curl" });
  const { text, name, notes } = made.value;
  return ok({ text, json: false, asIs: false, from: "a pasted curl command", name, notes });
}

interface ImportSource {
  text: string;
  json: boolean;
  from: string;
  name: string;
}

/** A format that is recognised by content, not by file name. */
interface Importer {
  detect(given: ImportSource): boolean;
  convert(given: ImportSource): Promise<Result<Source, Failure>>;
}

const curlew: Importer = {
  detect: ({ text }) => /(?:^|[{,\s])["']?curlew["']?\s*:/.test(text),
  convert: async (given) => ok({ ...given, asIs: true, notes: [] }),
};

const nebulaFlow: Importer = {
  detect: ({ text, json }) => json && /"nodes"\s*:/.test(text),
  async convert({ text, from, name }) {
    const { workflowOfNebulaFlow } = await import("../../workflow/import/nebulaflow.ts");
    const made = workflowOfNebulaFlow(text, name);
    if (!made.ok) return err({ ...made.error, code: "import-nebulaflow" });
    return ok({ ...made.value, name, json: false, asIs: false, from });
  },
};

const notYet = (what: string, pattern: RegExp): Importer => ({
  detect: ({ text }) => pattern.test(text.slice(0, 4_096)),
  convert: async () =>
    err({
      code: "not-yet",
      message: `This is ${what}, which Curlew can't import.`,
      hint: "Import single calls as curl commands: curlew import 'curl …'",
    }),
});

/** The first that detects its format converts the text. */
const IMPORTERS: readonly Importer[] = [
  curlew,
  notYet("an OpenAPI document", /(?:^|[{,\s])["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]/),
  notYet("a Postman collection", /schema\.getpostman\.com|"_postman_id"/),
  nebulaFlow,
];

/** Failures: `import-nebulaflow`, `import-unknown`, `not-yet`. */
export async function sourceOfText(
  text: string,
  { from, name }: { from: string; name: string },
): Promise<Result<Source, Failure>> {
  const json = parseJsonObject(text.replace(/^\ufeff/, "")) !== undefined;
  const given = { text, json, from, name };
  const importer = IMPORTERS.find((one) => one.detect(given));
  if (importer !== undefined) return importer.convert(given);
  return err({
    code: "import-unknown",
    message: `Curlew can't import ${from}: it is neither a curl command nor a Curlew or NebulaFlow workflow.`,
    hint: 'A curl command begins with the word curl, a workflow says "curlew: 1".',
  });
}
