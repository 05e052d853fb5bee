// Lists, reads, writes, and removes the workflow files of the served folder (spec 2.4, 2.7).
//   W1. document/folder.ts handles paths (S12). Nothing here accesses the disk.
//   W2. A write names the version it replaces. If that has changed, the response has the current one. Invalid text is
//       saved, and the response lists its problems.

import type { WorkflowDocument } from "../../api/shapes.ts";
import type { Condition, FolderProblem, StoredDocument } from "../../app/documents/folder.ts";
import { type Handlers, json, noContent } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { pageOf } from "../page-of.ts";
import { failureProblem, problem } from "../problem.ts";

export const workflowRoutes = {
  "GET /workflows": async ({ query }, { documents }) => {
    const { items, cut } = await documents.items();
    const page = pageOf(query, items, {
      list: "workflows",
      keyOf: ({ path }) => path,
      isBehind: ({ path }, key) => path > key,
    });
    return page instanceof Response ? page : json({ ...page, cut: cut || undefined });
  },

  "GET /workflows/{path}": async ({ params, request }, context) => {
    const read = context.documents.folder.read(params.path);
    if (!read.ok) return refused(read.error, context);
    const { text, etag } = read.value;
    const known = tagsIn(request.headers.get("if-none-match")?.replaceAll(WEAK, ""));
    if (known?.includes(etag) || known?.includes("*")) return new Response(null, { status: 304, headers: { etag } });
    const type = textType(request.headers.get("accept"));
    if (type !== undefined)
      return new Response(text, { headers: { "content-type": `${type}; charset=utf-8`, etag, vary: "accept" } });
    return json(await withDiagnostics(read.value, context), 200, { etag, vary: "accept" });
  },

  "GET /workflows/{path}/head": async ({ params }, context) => {
    const found = await context.documents.atHead(params.path);
    return found.ok ? json({ path: params.path, ...found.value }) : refused(found.error, context);
  },

  "PUT /workflows/{path}": async ({ params, request, body: { text } }, context) => {
    const condition = conditionOf(request.headers);
    if (condition === undefined) return problem("condition-missing");
    const written = context.documents.write(params.path, text, condition);
    if (!written.ok) return refused(written.error, context);
    const { made, ...document } = written.value;
    const place: Record<string, string> = made
      ? { location: `/api/v1/workflows/${encodeURIComponent(params.path)}` }
      : {};
    return json(await withDiagnostics(document, context), made ? 201 : 200, { etag: document.etag, ...place });
  },

  /** Runs, stored deliveries, and paused or due triggers follow the file. */
  "POST /workflows/{path}/rename": async ({ params, request, body: { to } }, context) => {
    const condition = conditionOf(request.headers);
    if (condition === undefined || condition === "none") return problem("condition-missing");
    const { documents, store, triggers } = context;
    const file = documents.fileOf(to);
    const ids = triggers?.idsUnder(params.path, file) ?? [];
    const renaming = { from: documents.fileOf(params.path), to: file, triggers: ids };
    const renamed = await store.renamed(renaming, () => documents.rename(params.path, to, condition));
    if (!renamed.ok) return failureProblem(renamed.error, 503);
    if (!renamed.value.ok) return refused(renamed.value.error, context);
    const document = await withDiagnostics(renamed.value.value, context);
    return json(document, 200, { etag: document.etag, location: `/api/v1/workflows/${encodeURIComponent(to)}` });
  },

  "DELETE /workflows/{path}": ({ params, request }, context) => {
    const condition = conditionOf(request.headers);
    if (condition === undefined || condition === "none") return problem("condition-missing");
    const removed = context.documents.remove(params.path, condition);
    return removed.ok ? noContent() : refused(removed.error, context);
  },
} satisfies Partial<Handlers>;

async function withDiagnostics(
  { path, text, etag, modifiedAt }: StoredDocument,
  { documents }: ServerContext,
): Promise<WorkflowDocument> {
  const { diagnostics } = await documents.check(path, text);
  return { path, text, etag, modifiedAt, diagnostics };
}

/** Undefined if there is no condition that a file can meet: weak tags in `If-Match` never match. */
function conditionOf(headers: Headers): Condition | undefined {
  const [match, noneMatch] = [tagsIn(headers.get("if-match")), tagsIn(headers.get("if-none-match"))];
  if (noneMatch !== undefined)
    return match === undefined && noneMatch.length === 1 && noneMatch[0] === "*" ? "none" : undefined;
  if (match === undefined) return undefined;
  return match.includes("*") ? "any" : { tags: match };
}

/** A reader's tag may be weak, because reading uses weak comparison (RFC 9110, 13.1.2). */
const WEAK = /(?<=^|[,\s])W\/(?=")/g;

/** Strong tags with their quotes, and `*`. */
function tagsIn(header: string | null | undefined): string[] | undefined {
  if (header === null || header === undefined) return undefined;
  return header.trim() === "*" ? ["*"] : [...header.matchAll(/(?:^|[,\s])("[^"]*")/g)].map(([, tag]) => tag!);
}

/** The media type if only the text is wanted. Undefined if JSON is accepted as well. */
function textType(accept: string | null): string | undefined {
  const types = (accept ?? "").split(",").map((type) => type.split(";")[0]!.trim().toLowerCase());
  if (types.includes("application/json")) return undefined;
  return types.find((type) => ["application/yaml", "text/yaml", "text/plain"].includes(type));
}

/** The folder's error as a problem. */
export async function refused(found: FolderProblem, context: ServerContext): Promise<Response> {
  switch (found.kind) {
    case "bad-path":
      return problem("bad-path", { detail: found.why });
    case "missing":
      return problem("not-found", { detail: "There is no such workflow file in the served folder." });
    case "exists":
      return problem("document-exists");
    case "not-a-file":
      return problem("document-not-a-file");
    case "too-large":
      return problem("document-too-large");
    case "not-text":
      return problem("document-not-text", { detail: `It is not valid: ${found.why}.` });
    case "denied":
      return problem("document-denied", { detail: `The system reports: ${found.why}.` });
    case "full":
      return problem("disk-full");
    case "changed": {
      const { current } = found;
      if (current === undefined) return problem("document-changed", { detail: "It was removed." });
      return problem("document-changed", { current: await withDiagnostics(current, context) }, { etag: current.etag });
    }
  }
}
