// import/source: what `curlew import` was given: a file, stdin, an address or a curl command, read and told apart (spec 2.2).
//   S1. What is read is bounded, UTF-8, and looked at as text only.
//   S2. Where it came from is said without a query or a credential: it stands in the file.
// Deliberately absent: OpenAPI documents and Postman collections; they are recognised, and said to come later.

import { isAbsolute } from "node:path";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { readText } from "../load.ts";
import { type Problem, problem } from "../problem.ts";
import { readTextFile } from "../read-file.ts";
import type { Terminal } from "../terminal.ts";

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

const CURL = /^\s*(?:\$\s+)?curl(?:\.exe)?\s/;

export async function readSource(words: readonly string[], terminal: Terminal): Promise<Result<Source, Problem>> {
  const [first = ""] = words;
  if (/^(?:.*\/)?curl$/.test(first)) return fromCurl(words.map(quoted).join(" "));
  if (words.length > 1)
    return err(problem("too-many-arguments", "Give one file or address, or a curl command in quotes or after --."));
  if (CURL.test(first)) return fromCurl(first);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(first) || /^(?:file|data|javascript):/i.test(first)) return fromAddress(first);
  const text = first === "-" ? readStdin() : readText(first, terminal);
  if (typeof text !== "string") return err(text);
  if (CURL.test(text)) return fromCurl(text);
  const name = first === "-" ? "imported" : first;
  return toldApart(text, {
    from: first === "-" ? "standard input" : `the file ${isAbsolute(first) ? nameOf(first) : first}`,
    name,
  });
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** One word of a shell. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function readStdin(): string | Problem {
  const read = readTextFile(0, limits.documentBytesMax, { pipes: true });
  return read.ok ? read.value : problem("cannot-read", `Standard input cannot be read: ${read.error.why}.`);
}

async function fromAddress(address: string): Promise<Result<Source, Problem>> {
  const { fetchDocument } = await import("./fetch.ts");
  const fetched = await fetchDocument(address);
  if (!fetched.ok) return fetched;
  const { text, from } = fetched.value;
  return toldApart(text, { from, name: decoded(new URL(from).pathname) });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function fromCurl(command: string): Promise<Result<Source, Problem>> {
  const { workflowOfCurl } = await import("../../workflow/import/curl.ts");
  const made = await workflowOfCurl(command);
  if (!made.ok) return err(problem("import-curl", made.error.message, made.error.hint));
  const { text, name, told } = made.value;
  return ok({ text, json: false, asIs: false, from: "a pasted curl command", name, told });
}

/** By what stands in it, not by how it is called. */
async function toldApart(
  text: string,
  { from, name }: { from: string; name: string },
): Promise<Result<Source, Problem>> {
  const json = /^\s*\{/.test(text.replace(/^\ufeff/, "")) && isJson(text);
  if (/(?:^|[{,\s])["']?curlew["']?\s*:/.test(text)) return ok({ text, json, asIs: true, from, name, told: [] });
  const other = otherKind(text);
  if (other !== undefined)
    return err(
      problem(
        "not-yet",
        `This is ${other}, which cannot be imported yet.`,
        "Take one call of it as a curl command: curlew import 'curl …'",
      ),
    );
  if (json && /"nodes"\s*:/.test(text)) {
    const { workflowOfNebulaFlow } = await import("../../workflow/import/nebulaflow.ts");
    const made = workflowOfNebulaFlow(text, name);
    if (!made.ok) return err(problem("import-nebulaflow", made.error.message, made.error.hint));
    return ok({ ...made.value, name, json: false, asIs: false, from });
  }
  return err(
    problem(
      "import-unknown",
      `${from} is nothing that can be imported: no Curlew or NebulaFlow workflow, no curl command.`,
      'A workflow says "curlew: 1".',
    ),
  );
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
