// Serves the built web UI (dist/web), and no other files (spec 4.3 S6, S12).
//   F1. Only files of the last build are served, by exact name. No path is built from a request.
//   F2. Each page response has its own nonce, in its policy and in its <meta name="csp-nonce">.
//   F3. Any other path belongs to the app: the response is the page, and the app reports what is missing.
//   F4. Files below assets/ have a hash in their names, so browsers keep them for a year. They ask again for other files,
//       and get 304 if nothing changed. The page is never stored, because a copy would keep its nonce.
//   F5. Only files are compressed. A compressed response of the API could reveal a secret by its length.

import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { relativePath } from "../app/documents/relative-path.ts";
import { problem } from "./problem.ts";
import { pagePolicy, SCRIPT_POLICY } from "./security/headers.ts";

export interface Pages {
  answer(request: Request): Response;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Curlew</title>
<p>The server runs; its pages are not built. "npm run build" makes them; the API is there without.</p></html>
`;

/** Beside the bundle, or in dist/ of a checkout. */
export function webFolder(): string {
  const file = import.meta.filename;
  return join(dirname(file), file.endsWith(".cjs") ? "web" : "../../dist/web");
}

export function openPages(folder: string): Pages {
  let files = filesIn(folder);
  let builtMs = builtAt(folder);
  const refreshed = (): void => {
    const now = builtAt(folder);
    if (now === builtMs) return;
    builtMs = now;
    files = filesIn(folder);
  };
  return {
    answer: (request) => {
      if (request.method !== "GET" && request.method !== "HEAD")
        return problem("method-not-allowed", {}, { allow: "GET, HEAD" });
      const { pathname } = new URL(request.url);
      if (!files.has(pathname)) refreshed();
      const file = pathname === "/index.html" ? undefined : files.get(pathname);
      if (file !== undefined) {
        const isHashed = pathname.startsWith("/assets/");
        const headers = extname(file) === ".js" ? { "content-security-policy": SCRIPT_POLICY } : undefined;
        return fileAnswer(request, file, { isHashed, headers });
      }
      // F3. A path with a file extension is a missing file, not a page of the app.
      if (/\.[a-z0-9]{2,11}$/i.test(pathname) && !pathname.endsWith(".html")) {
        if (!(request.headers.get("accept") ?? "").includes("text/html")) return problem("unknown-route");
      }
      const index = files.get("/index.html");
      return pageAnswer(index === undefined ? NOT_BUILT : readFileSync(index, "utf8"), request.method);
    },
  };
}

/** F1. Maps URL paths to files. Links are left out. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  try {
    return new Map(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".br"))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [`/${relativePath(folder, file)}`, file]),
    );
  } catch {
    return new Map();
  }
}

/** During development, the web UI may be rebuilt while the server runs. */
function builtAt(folder: string): number {
  return statSync(join(folder, "index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** `application/octet-stream` for an unknown extension. */
function contentTypeOf(file: string): string {
  return TYPES[extname(file)] ?? "application/octet-stream";
}

export interface FileOptions {
  isHashed: boolean;
  headers?: Record<string, string>;
  status?: number;
}

/** F4, F5. The build puts a brotli copy beside large assets. The gzip copy is made when it is first needed. */
export function fileAnswer(request: Request, file: string, { isHashed, headers, status = 200 }: FileOptions): Response {
  const body = readFileSync(file);
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  const isText = body.byteLength > SMALLEST_COMPRESSED_BYTES && COMPRESSED.test(contentTypeOf(file));
  const encoding = isText ? encodingFor(request.headers.get("accept-encoding") ?? "", file) : undefined;
  const etag = `"${hash}${encoding === undefined ? "" : `-${encoding}`}"`;
  const common = {
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    "content-type": contentTypeOf(file),
    etag,
    ...(isText ? { vary: "accept-encoding" } : {}),
    ...headers,
  };
  if (
    status === 200 &&
    request.headers
      .get("if-none-match")
      ?.split(/\s*,\s*/)
      .includes(etag)
  )
    return new Response(null, { status: 304, headers: common });
  const sent = encoding === "br" ? readFileSync(`${file}.br`) : encoding === "gzip" ? gzipped(hash, body) : body;
  return new Response(request.method === "HEAD" ? null : new Uint8Array(sent), {
    status,
    headers: {
      ...common,
      "content-length": String(sent.byteLength),
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    },
  });
}

const SMALLEST_COMPRESSED_BYTES = 1_000;
const COMPRESSED = /^text\/|json$|svg/;
const gzips = new Map<string, Buffer>();

function gzipped(hash: string, body: Buffer): Buffer {
  const made = gzips.get(hash) ?? gzipSync(body);
  gzips.set(hash, made);
  return made;
}

function encodingFor(accepted: string, file: string): "br" | "gzip" | undefined {
  const names = accepted.split(",").filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one));
  const takes = (name: string): boolean => names.some((one) => one.split(";")[0]!.trim().toLowerCase() === name);
  if (takes("br") && existsSync(`${file}.br`)) return "br";
  return takes("gzip") ? "gzip" : undefined;
}

/** F2. */
function pageAnswer(html: string, method: string): Response {
  const nonce = randomBytes(16).toString("base64url");
  const page = html.replace(/(<meta name="csp-nonce" content=")[^"]*"/, `$1${nonce}"`);
  return new Response(method === "HEAD" ? null : page, {
    headers: {
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pagePolicy(nonce),
    },
  });
}
