// Serves the documentation at /docs, as tools/docs builds it into dist/docs.
//   D1. Only files that exist at the time of the request are served, by exact name. No path is built from a request.
//   D2. The policy of each page lists the hashes of its inline scripts. Nothing is loaded from another host.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { problem } from "./problem.ts";
import { fileAnswer, filesIn, type Pages } from "./static.ts";

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Curlew documentation</title>
<p>The documentation site is not built in this checkout. Build it with <code>npm run docs</code>, or read the pages with
<code>curlew docs</code>.</p></html>
`;

/** Beside the bundle, or in dist/ of a checkout. */
export function docsFolder(): string {
  const file = import.meta.filename;
  return join(dirname(file), file.endsWith(".cjs") ? "docs" : "../../dist/docs");
}

/** Handles requests whose path starts with /docs. */
export function openDocs(folder: string): Pages {
  return {
    answer: (request) => {
      if (request.method !== "GET" && request.method !== "HEAD")
        return problem("method-not-allowed", {}, { allow: "GET, HEAD" });
      const { pathname } = new URL(request.url);
      if (pathname === "/docs") return new Response(null, { status: 308, headers: { location: "/docs/" } });
      if (!existsSync(join(folder, "index.html"))) return notBuilt(request.method);
      const wanted = pathname.slice("/docs".length);
      const files = filesIn(folder);
      const file = [wanted, `${wanted}.html`, `${wanted}index.html`].map((name) => files.get(name)).find(Boolean);
      if (file === undefined) return pageAnswer(request, join(folder, "404.html"), 404);
      if (extname(file) === ".html") return pageAnswer(request, file, 200);
      return fileAnswer(request, file, { isHashed: wanted.startsWith("/assets/") });
    },
  };
}

function notBuilt(method: string): Response {
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policyOf(NOT_BUILT) };
  return new Response(method === "HEAD" ? null : NOT_BUILT, { headers });
}

/** D2. */
function pageAnswer(request: Request, file: string, status: number): Response {
  const policy = policyOf(readFileSync(file, "utf8"));
  return fileAnswer(request, file, { isHashed: false, status, headers: { "content-security-policy": policy } });
}

function policyOf(html: string): string {
  const hashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    // VitePress writes style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
