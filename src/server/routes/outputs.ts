// outputs: what a node handed on and what its attempts printed, by range, tail, lines and search (spec 2.3, 2.4).
//   O1. What leaves is what the files hold, which the masker has passed: there is no other copy.
//   O2. No answer reads more than a bounded part, but a download, which is streamed.
//   O3. It is data: octet-stream, and never opened as a page (spec 4.3 S8).

import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { OutputLines } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import { runFiles } from "../../engine/local/files.ts";
import { piecesOf as valuePieces } from "../../nodes/values.ts";
import type { Store } from "../../store/index.ts";
import { type Call, type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { bytesOf, linesBefore, linesOf, type Piece, piecesOf, sizeOf, type Which } from "../output-lines.ts";
import { search } from "../output-search.ts";
import { type AttemptOutput, Outputs } from "../outputs-of.ts";
import { failureProblem, problem } from "../problem.ts";
import { runOr404 } from "./run-row.ts";

const OF_STORES = new WeakMap<Store, Outputs>();

function outputsOf(store: Store): Outputs {
  const known = OF_STORES.get(store) ?? new Outputs(store);
  OF_STORES.set(store, known);
  return known;
}

export const outputRoutes = {
  "GET /runs/{id}/nodes/{path}/value": async ({ params }, { store }) => {
    const row = runOr404(params.id, store);
    if (row instanceof Response) return row;
    const found = outputsOf(store).value(row, params.path);
    if (found === undefined) return problem("not-found", { detail: `"${params.path}" has handed on no value.` });
    const folder = store.outputs.folder(found.run);
    if (!folder.ok) return failureProblem(folder.error, 503);
    const pieces = await valuePieces(
      found.value,
      runFiles(folder.value, () => 0),
    );
    if (!pieces.ok) return failureProblem(pieces.error, 404);
    return bytesResponse(Readable.from(chunksOf(pieces.value)), {});
  },

  "GET /runs/{id}/nodes/{path}/attempts/{n}/output": (call, context) => {
    const found = found404(call, context);
    if (found instanceof Response) return found;
    const { output, which, pieces } = found;
    if (call.query.has("download")) return download(output, which, pieces, call, context.store);
    const isJson = (call.request.headers.get("accept") ?? "").includes("application/json");
    return isJson ? lines(output, pieces, call, context.store) : raw(output, pieces, call, context.store);
  },

  "GET /runs/{id}/nodes/{path}/attempts/{n}/output/search": async (call, context) => {
    const found = found404(call, context);
    if (found instanceof Response) return found;
    const text = call.query.get("q") ?? "";
    const after = numberOf(call, "after", 0);
    const limit = numberOf(call, "limit", limits.matchesMax);
    if (
      text === "" ||
      text.length > limits.expressionCharsMax ||
      after === undefined ||
      limit === undefined ||
      limit < 1
    )
      return problem("bad-query", { detail: "It takes q=TEXT, regex=1, after=LINE and limit=." });
    const asked = { text, regex: call.query.get("regex") === "1", after, limit: Math.min(limit, limits.matchesMax) };
    const matches = await search(found.output, found.pieces, asked, context.store, call.signal);
    return matches.ok ? json(matches.value) : problem("bad-query", { detail: `"q" is no pattern: ${matches.error}` });
  },
} satisfies Partial<Handlers>;

interface Found {
  output: AttemptOutput;
  which: Which;
  pieces: Piece[];
}

function found404({ params, query }: Call<"id" | "path" | "n">, { store }: ServerContext): Found | Response {
  const row = runOr404(params.id, store);
  if (row instanceof Response) return row;
  const which = query.get("stream") ?? "stdout";
  if (which !== "stdout" && which !== "stderr" && which !== "both")
    return problem("bad-query", { detail: '"stream" is stdout, stderr or both.' });
  const output = outputsOf(store).attempt(row, params.path, Number(params.n));
  if (output === undefined)
    return problem("not-found", { detail: `"${params.path}" has no attempt ${params.n} with an output.` });
  if (output.secret && which !== "stderr")
    return problem("not-found", { detail: "This output was a secret, and was not kept." });
  return { output, which, pieces: piecesOf(output, which, store) };
}

/** `from` and `limit`, or `tail`, in bytes. */
function raw(output: AttemptOutput, pieces: Piece[], call: Call, store: Store): Response {
  const size = sizeOf(pieces);
  const part = partOf(call, size, limits.outputRangeBytesMax);
  if (part === undefined) return badPart();
  const chunks = [...bytesOf(output, pieces, part.from, part.to, store)].map(({ bytes }) => bytes);
  const body = Buffer.concat(chunks);
  const range = body.length === 0 ? `bytes */${size}` : `bytes ${part.from}-${part.from + body.length - 1}/${size}`;
  return new Response(body, {
    status: body.length === size ? 200 : 206,
    headers: { ...DATA, "content-range": range, "x-curlew-complete": output.complete ? "1" : "0" },
  });
}

const DATA = { "content-type": "application/octet-stream", "cache-control": "no-store" };

function lines(output: AttemptOutput, pieces: Piece[], call: Call, store: Store): Response {
  const size = sizeOf(pieces);
  const part = partOf(call, size, limits.linesBytesMax);
  if (part === undefined) return badPart();
  const { items, from, to } = linesOf(output, pieces, part, store);
  const before = linesBefore(output, pieces, from, store);
  const all = linesBefore(output, pieces, size, store);
  const body: OutputLines = {
    bytes: size,
    ...(all === undefined ? {} : { lines: all + (endsLine(output, pieces, size, store) ? 0 : 1) }),
    ...(before === undefined ? {} : { firstLine: before + 1 }),
    items,
    ...(from > 0 ? { before: String(from) } : {}),
    ...(to < size || !output.complete ? { after: String(to) } : {}),
    complete: output.complete,
  };
  return json(body);
}

function endsLine(output: AttemptOutput, pieces: Piece[], size: number, store: Store): boolean {
  const [last] = size === 0 ? [] : bytesOf(output, pieces, size - 1, size, store);
  return last === undefined || last.bytes[0] === 10;
}

/** Of `from`, `after`, `before`, `tail` one, and `limit`. */
function partOf(call: Call, size: number, most: number): { from: number; to: number; within?: boolean } | undefined {
  const limit = Math.min(numberOf(call, "limit", Math.min(most, limits.linesBytesMax)) ?? -1, most);
  const tail = numberOf(call, "tail", -1);
  const before = numberOf(call, "before", -1);
  const from = numberOf(call, "from", numberOf(call, "after", 0) ?? -1);
  if (limit < 0 || tail === undefined || before === undefined || from === undefined || from < 0) return undefined;
  if (tail >= 0) return { from: Math.max(0, size - Math.min(tail, most)), to: size, within: true };
  if (before >= 0) return { from: Math.max(0, before - limit), to: Math.min(before, size), within: true };
  return { from: Math.min(from, size), to: Math.min(size, from + limit) };
}

function badPart(): Response {
  const detail = '"from", "after", "before", "tail" and "limit" are numbers of bytes.';
  return problem("bad-query", { detail });
}

/** Undefined for what is no whole number from 0. */
function numberOf({ query }: Pick<Call, "query">, name: string, otherwise: number): number | undefined {
  const given = query.get(name);
  if (given === null) return otherwise;
  const read = Number(given);
  return given !== "" && Number.isSafeInteger(read) && read >= 0 ? read : undefined;
}

/** All of it, as it is now; packed for who takes that. */
function download(output: AttemptOutput, which: Which, pieces: Piece[], { request }: Call, store: Store): Response {
  const size = sizeOf(pieces);
  const name = `${output.path.replaceAll(/[^\w.-]/g, "-")}-${output.number}.${which === "both" ? "log" : which}.txt`;
  const source = Readable.from(
    (function* () {
      for (const { bytes } of bytesOf(output, pieces, 0, size, store)) yield bytes;
    })(),
  );
  const disposition = { "content-disposition": `attachment; filename="${name}"` };
  const packs = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "") && size > limits.outputChunkBytes;
  if (packs) return bytesResponse(source.pipe(createGzip()), { ...disposition, "content-encoding": "gzip" });
  return bytesResponse(source, { ...disposition, "content-length": String(size) });
}

function bytesResponse(source: Readable, headers: Record<string, string>): Response {
  return new Response(Readable.toWeb(source) as ReadableStream<Uint8Array>, { headers: { ...DATA, ...headers } });
}

async function* chunksOf(pieces: ({ text: string | Uint8Array } | { file: string; bytes: number })[]) {
  const { createReadStream } = await import("node:fs");
  for (const piece of pieces)
    if ("text" in piece) yield typeof piece.text === "string" ? Buffer.from(piece.text) : piece.text;
    else if (piece.bytes > 0) yield* createReadStream(piece.file, { end: piece.bytes - 1 });
}
