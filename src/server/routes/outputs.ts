// Returns the outputs and printed text of nodes, by range, tail, lines, and search (spec 2.3, 2.4).
//   O1. Responses contain only what the files contain, which has been masked. There is no other copy.
//   O2. Each response reads a bounded part. Downloads are streamed instead.
//   O3. The type is octet-stream, so that a browser never opens an output as a page (spec 4.3 S8).
//   O4. A browser's own download cannot send a token, so it gets a URL that works once (ADR 58).

import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { API_PREFIX } from "../../api/routes.ts";
import type { DownloadLink, OutputLines } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import { bringNamed } from "../../engine/bring.ts";
import { runFiles } from "../../engine/run-files.ts";
import { piecesOf as valuePieces } from "../../kinds/values.ts";
import type { Store } from "../../store/index.ts";
import { wholeNumber } from "../asked-number.ts";
import { type Call, type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { type AttemptOutput, Outputs } from "../outputs/attempt-output.ts";
import { LineIndex } from "../outputs/line-index.ts";
import {
  type ByteRange,
  bytesOf,
  isHere,
  linesOf,
  type Piece,
  piecesOf,
  sizeOf,
  type Which,
} from "../outputs/lines.ts";
import { search } from "../outputs/search.ts";
import { failureProblem, problem } from "../problem.ts";
import { runOr404 } from "./run-row.ts";

const OF_STORES = new WeakMap<Store, Outputs>();

function outputsOf(store: Store): Outputs {
  const outputs = OF_STORES.get(store) ?? new Outputs(store);
  OF_STORES.set(store, outputs);
  return outputs;
}

export const outputRoutes = {
  "GET /runs/{id}/nodes/{path}/value": async ({ params }, { store }) => {
    const row = await runOr404(params.id, store);
    if (row instanceof Response) return row;
    const found = await outputsOf(store).value(row, params.path);
    if (found === undefined) return problem("not-found", { detail: `"${params.path}" has no value.` });
    await bringNamed(found.run, found.value, store);
    const folder = store.outputs.folder(found.run);
    if (!folder.ok) return failureProblem(folder.error, 503);
    const pieces = await valuePieces(
      found.value,
      runFiles(folder.value, () => 0),
    );
    if (!pieces.ok) return failureProblem(pieces.error, 404);
    return bytesResponse(Readable.from(chunksOf(pieces.value)), {});
  },

  "GET /runs/{id}/nodes/{path}/attempts/{n}/output": async (call, context) => {
    const found = await found404(call, context);
    if (found instanceof Response) return found;
    const { output, pieces } = found;
    if (call.query.has("download")) return download(found, context.store, packs(call.request));
    const isJson = (call.request.headers.get("accept") ?? "").includes("application/json");
    return isJson ? lines(found, call, context.store) : raw(output, pieces, call, context.store);
  },

  /** O4. */
  "POST /runs/{id}/nodes/{path}/attempts/{n}/output/download": async (call, context) => {
    const found = await found404(call, context);
    if (found instanceof Response) return found;
    const { id, path, n } = call.params;
    const code = context.sessions.downloads.create({ id, path, n, stream: found.which });
    return json({ url: `${API_PREFIX}/downloads/${code}` } satisfies DownloadLink, 201);
  },

  "GET /downloads/{code}": async (call, context) => {
    const output = context.sessions.downloads.redeem(call.params.code);
    if (output === undefined) return problem("download-expired");
    const { stream, ...params } = output;
    const found = await found404({ params, query: new URLSearchParams({ stream }) }, context);
    // Not compressed, so that the length is known and a browser can show progress.
    return found instanceof Response ? found : download(found, context.store, false);
  },

  "GET /runs/{id}/nodes/{path}/attempts/{n}/output/search": async (call, context) => {
    const found = await found404(call, context);
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
      return problem("bad-query", { detail: "Allowed: q=TEXT, regex=1, after=LINE, and limit=." });
    const asked = { text, regex: call.query.get("regex") === "1", after, limit: Math.min(limit, limits.matchesMax) };
    const matches = await search(found.output, found.pieces, asked, context.store, call.signal);
    return matches.ok
      ? json(matches.value)
      : problem("bad-query", { detail: `"q" is not a valid pattern: ${matches.error}` });
  },
} satisfies Partial<Handlers>;

interface Found {
  output: AttemptOutput;
  which: Which;
  pieces: Piece[];
}

async function found404(
  { params, query }: Pick<Call<"id" | "path" | "n">, "params" | "query">,
  { store }: ServerContext,
): Promise<Found | Response> {
  const row = await runOr404(params.id, store);
  if (row instanceof Response) return row;
  const which = query.get("stream") ?? "stdout";
  if (which !== "stdout" && which !== "stderr" && which !== "both")
    return problem("bad-query", { detail: '"stream" is stdout, stderr or both.' });
  const output = await outputsOf(store).attempt(row, params.path, wholeNumber(params.n));
  if (output === undefined)
    return problem("not-found", { detail: `"${params.path}" has no attempt ${params.n} with an output.` });
  if (output.secret && which !== "stderr")
    return problem("not-found", { detail: "This output was a secret, so Curlew did not keep it." });
  const { stdout, stderr, order } = output.files;
  await store.bring?.(output.run, [stdout, stderr, order], !output.complete);
  if (output.complete && !isHere(output, store))
    return problem("not-found", { detail: "This output is only on the machine that ran the command." });
  return { output, which, pieces: piecesOf(output, which, store) };
}

/** `from` and `limit`, or `tail`, in bytes. */
function raw(output: AttemptOutput, pieces: Piece[], call: Call, store: Store): Response {
  const size = sizeOf(pieces);
  const limit = numberOf(call, "limit", limits.linesBytesMax);
  const tail = numberOf(call, "tail", -1);
  const first = numberOf(call, "from", 0);
  if (limit === undefined || tail === undefined || first === undefined)
    return problem("bad-query", { detail: "Allowed: from= and limit=, or tail=, in bytes." });
  const most = Math.min(limit, limits.outputRangeBytesMax);
  const part =
    tail >= 0
      ? { from: Math.max(0, size - Math.min(tail, limits.outputRangeBytesMax)), to: size }
      : { from: Math.min(first, size), to: Math.min(size, first + most) };
  const chunks = [...bytesOf(output, pieces, part.from, part.to, store)].map(({ bytes }) => bytes);
  const body = Buffer.concat(chunks);
  const range = body.length === 0 ? `bytes */${size}` : `bytes ${part.from}-${part.from + body.length - 1}/${size}`;
  return new Response(body, {
    status: body.length === size ? 200 : 206,
    headers: { ...DATA, "content-range": range, "x-curlew-complete": output.complete ? "1" : "0" },
  });
}

const DATA = { "content-type": "application/octet-stream", "cache-control": "no-store" };

/** Takes one of `tail` (bytes), `cursor`, and `line`, and `limit` (lines). Starts at the beginning if none is given. */
async function lines({ output, which, pieces }: Found, call: Call, store: Store): Promise<Response> {
  const size = sizeOf(pieces);
  const index = new LineIndex(output, which, pieces, store);
  const limit = numberOf(call, "limit", limits.linesAtOnce);
  const tail = numberOf(call, "tail", -1);
  const line = numberOf(call, "line", 0);
  const cursor = /^([ab])(\d{1,15})$/.exec(call.query.get("cursor") ?? "a0");
  if (limit === undefined || limit < 1 || tail === undefined || line === undefined || cursor === null)
    return problem("bad-query", { detail: "Allowed: tail=BYTES, cursor=, or line=NUMBER, and limit=LINES." });
  const most = Math.min(limit, limits.linesAtOnce);
  // A requested line number must be exact. The end of an output is shown at once, with estimated numbers.
  if (line > 0 || call.query.has("cursor")) await index.ready(call.signal);
  const place = Math.min(Number(cursor[2]), size);
  const part = ((): ByteRange => {
    if (tail >= 0) return { from: Math.max(0, size - Math.min(tail, limits.linesBytesMax)), to: size, within: true };
    if (cursor[1] === "b") return { from: before(place, most, index), to: place, within: true };
    const from = line > 0 ? index.placeOf(line) : place;
    return { from, to: Math.min(size, from + limits.linesBytesMax), lines: most };
  })();
  const exact = part.from > 0 && lineBegins(output, pieces, part.from, store) ? { ...part, within: false } : part;
  const { items, from, to } = linesOf(output, pieces, exact, store);
  const body: OutputLines = {
    bytes: size,
    ...numbers({ output, pieces, from, items: items.length }, index, store),
    items,
    before: from > 0 ? `b${from}` : undefined,
    after: to < size || !output.complete ? `a${to}` : undefined,
    complete: output.complete,
  };
  return json(body);
}

/** The position this many lines before another, at most limits.linesBytesMax bytes back. */
function before(place: number, lines: number, index: LineIndex): number {
  const first = Math.max(1, index.linesBefore(place) + 1 - lines);
  return Math.max(index.placeOf(first), place - limits.linesBytesMax);
}

/** Line numbers. They are estimates until the index is ready. */
function numbers(
  { output, pieces, from, items }: { output: AttemptOutput; pieces: Piece[]; from: number; items: number },
  index: LineIndex,
  store: Store,
): Pick<OutputLines, "lines" | "firstLine" | "estimated"> {
  const size = sizeOf(pieces);
  if (index.isReady) {
    const open = size === 0 || lineBegins(output, pieces, size, store) ? 0 : 1;
    return { lines: index.linesBefore(size) + open, firstLine: index.linesBefore(from) + 1 };
  }
  void index.ready(new AbortController().signal);
  const lines = Math.max(items, Math.round((size / Math.max(1, size - from)) * items));
  return { lines, firstLine: from === 0 ? 1 : Math.max(1, lines - items + 1), estimated: true };
}

/** Whether there is a newline right before the position. */
function lineBegins(output: AttemptOutput, pieces: Piece[], place: number, store: Store): boolean {
  const [last] = bytesOf(output, pieces, place - 1, place, store);
  return last === undefined || last.bytes[0] === 10;
}

/** Undefined if it is not an integer from 0. */
function numberOf({ query }: Pick<Call, "query">, name: string, otherwise: number): number | undefined {
  const given = query.get(name);
  if (given === null) return otherwise;
  const read = wholeNumber(given);
  return Number.isNaN(read) ? undefined : read;
}

function packs(request: Request): boolean {
  return /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
}

/** The whole output as it is now, compressed if `packed`. */
function download({ output, which, pieces }: Found, store: Store, packed: boolean): Response {
  const size = sizeOf(pieces);
  const name = `${output.path.replaceAll(/[^\w.-]/g, "-")}-${output.number}.${which === "both" ? "log" : which}.txt`;
  const source = Readable.from(
    (function* () {
      for (const { bytes } of bytesOf(output, pieces, 0, size, store)) yield bytes;
    })(),
  );
  const disposition = { "content-disposition": `attachment; filename="${name}"` };
  if (packed && size > limits.outputChunkBytes)
    return bytesResponse(source.pipe(createGzip()), { ...disposition, "content-encoding": "gzip" });
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
