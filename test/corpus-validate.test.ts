// An invalid file beside its exact messages. `UPDATE=1 npx vitest run test/corpus-validate` rewrites them; read them as
// someone who meets them at midnight.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { limits } from "../src/base/limits.ts";
import { err, ok } from "../src/base/result.ts";
import { scanTokens } from "../src/secrets/scan.ts";
import { renderDiagnostic } from "../src/workflow/render.ts";
import { validateTree } from "../src/workflow/tree.ts";

const FOLDER = new URL("./corpus/validate/", import.meta.url);
const path = (name: string) => new URL(name, FOLDER);
const environment = new Set([
  "HOME",
  "PATH",
  "EDITOR",
  "API_TOKEN",
  "SERVICE_KEY",
  "SORT_KEY",
  "SET_BUT_NOT_PASSED",
  "NODE_OPTIONS",
]);
const NOT_PASSED = ["SET_BUT_NOT_PASSED", "NODE_OPTIONS"];
const trust = {
  digest: (text: string) => createHash("sha256").update(text).digest("hex"),
  folderOf: () => "/home/ann/flows",
  known: async () => new Set<string>(),
};
const options = { environment, passesEnvironment: (name: string) => !NOT_PASSED.includes(name), scanTokens, trust };

/** Too large to store, or not to be stored: made when they are needed. */
const GENERATED: Record<string, () => string> = {
  // Tokens are put together here, so that no file of the project looks as if it contained one.
  "credential-in-document-vendors.flow.yaml": () => `curlew: 1
name: Vendors
description: "the old one was ${"ghp"}_${"a1B2c3D4e5F6".repeat(3)}"
nodes:
  - id: fetch
    type: cli
    data:
      title: fetch
      shel: bash
      content: |
        # AWS_SECRET_ACCESS_KEY=${"a1B2c3D4/e5F6"}${"+g7H8i9J0kLmN".repeat(2)}z
        curl -sSH 'Authorization: Bearer ${"glpat"}-${"x9Kd7LmQ2tRw"}aZ4bC8eF' https://x
        echo 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ghp_\${TOKEN}'
  - { id: ${"ghp"}_${"a1B2c3D4e5F6".repeat(3)}, type: ${"npm"}_${"a1B2c3D4e5F6".repeat(3)}, data: { title: x } }
`,
  "credential-in-document-key.flow.yaml": () => `curlew: 1
name: Key
nodes:
  - id: fetch
    type: cli
    data:
      title: fetch
      content: |
        cat <<'EOF' > key.pem
        -----BEGIN ${"PRIVATE"} KEY-----
        ${"MIIEvQIB".repeat(8)}
        ${"q7ZtXw94".repeat(8)}
        -----END ${"PRIVATE"} KEY-----
        EOF
`,
  "document-too-large.flow.yaml": () =>
    `curlew: 1\nname: Large\ndescription: ${"x".repeat(limits.documentBytesMax)}\nnodes: []\n`,
  "too-many-nodes.flow.yaml": () => {
    const node = "  - { id: a, type: text, data: { title: a, content: a } }\n";
    return `curlew: 1\nnodes:\n${node.repeat(limits.nodesMax + 1)}`;
  },
  "too-many-state-names.flow.yaml": () => {
    const names = Array.from({ length: limits.stateNamesMax + 1 }, (_, index) => `  n${index}: 0\n`);
    return `curlew: 1\nname: State\nstate:\n${names.join("")}nodes:\n  - { id: last, text: "\${state.n1}" }\n`;
  },
  "too-many-edges.flow.json": () => {
    const nodes = Array.from({ length: 400 }, (_, index) => ({
      id: `n${index}`,
      type: "text",
      data: { title: "t", content: "" },
    }));
    const edges = nodes.flatMap((a, from) => nodes.slice(from + 1).map((b) => `${a.id} -> ${b.id}`));
    const more = nodes.flatMap((a, from) => nodes.slice(0, from).map((b) => `${a.id} -> ${b.id}`));
    return JSON.stringify({ curlew: 1, nodes, edges: [...edges, ...more].slice(0, limits.edgesMax + 1) });
  },
  "too-many-findings.flow.yaml": () =>
    `curlew: 1\nnodes:\n${Array.from({ length: 120 }, (_, index) => `  - { id: n${index}, type: tex, data: { title: a } }\n`).join("")}`,
  "loops-too-deep.flow.yaml": () => {
    const loops = Array.from({ length: limits.loopDepthMax + 1 }, (_, index) => index);
    const nodes = loops.map(
      (n) =>
        `  - { id: s${n}, type: loop-start, data: { title: s, iterations: 1 } }\n  - { id: e${n}, type: loop-end, data: { title: e } }\n`,
    );
    const chain = [...loops.map((n) => `s${n}`), ...loops.map((n) => `e${n}`).reverse()].join(" -> ");
    return `curlew: 1\nnodes:\n${nodes.join("")}edges: [ ${chain} ]\n`;
  },
  "template-too-many.flow.yaml": () =>
    `curlew: 1\ninputs: { v: { type: string } }\nnodes:\n  - id: a\n    type: cli\n    data:\n      title: a\n      content: |\n${"        show ${v}\n".repeat(limits.templateReferencesMax + 1)}`,
  "expression-too-long.flow.yaml": () =>
    `curlew: 1\nnodes:\n  - { id: a, type: if, data: { title: a, content: "1 = ${"1".repeat(limits.expressionCharsMax)}" } }\n  - { id: b, type: text, data: { title: b, content: b } }\nedges: [ "a:true -> b" ]\n`,
};

async function rendered(name: string): Promise<string> {
  const text = GENERATED[name]?.() ?? readFileSync(path(name), "utf8");
  const tree = await validateTree(
    text,
    name,
    async (file) => {
      if (file.startsWith("../")) return err({ outside: "/home/ann/flows" });
      return existsSync(path(file)) ? ok(readFileSync(path(file), "utf8")) : err("no such file");
    },
    options,
  );
  const shown = tree.diagnostics.map((diagnostic) =>
    renderDiagnostic(diagnostic, tree.sources.get(diagnostic.file)?.shown ?? ""),
  );
  const sound = tree.diagnostics.every((diagnostic) => diagnostic.severity !== "error");
  expect(tree.workflow !== undefined, "a workflow is given exactly when there is no error").toBe(sound);
  return shown.length === 0 ? "" : `${shown.join("\n")}\n`;
}

const isFlow = (name: string) => /\.flow\.(ya?ml|json)$/.test(name);
const bad = [...readdirSync(FOLDER).filter(isFlow), ...Object.keys(GENERATED)].sort();
const good = readdirSync(path("good/")).filter(isFlow);
const expectedOf = (name: string) => path(name.replace(/\.flow\.(ya?ml|json)$/, ".expected.txt"));

describe("an invalid file and its exact diagnostics", () => {
  test.each(bad)("%s", async (name) => {
    const seen = await rendered(name);
    expect(seen).not.toBe("");
    if (process.env.UPDATE === "1") writeFileSync(expectedOf(name), seen);
    expect(seen).toBe(readFileSync(expectedOf(name), "utf8"));
  });
  test("there are many", () => expect(bad.length).toBeGreaterThanOrEqual(120));
});

describe("a valid file has no diagnostics", () => {
  test.each(good)("%s", async (name) => expect(await rendered(`good/${name}`)).toBe(""));
});

/** The shortest message of each code. `UPDATE=1` writes them into the page. */
function shortestMessages(): Map<string, { severity: string; message: string }> {
  const shortest = new Map<string, { severity: string; message: string }>();
  for (const name of bad)
    for (const [, severity = "", code = "", message = ""] of readFileSync(expectedOf(name), "utf8").matchAll(
      /^\S+?:\d+:\d+: (error|warning|info)\[([a-z0-9-]+)\]: (.*)$/gm,
    ))
      if (message.length < (shortest.get(code)?.message.length ?? 10_000)) shortest.set(code, { severity, message });
  return shortest;
}

test("docs/reference/diagnostics.md and templates.md list exactly the codes that the corpus shows", () => {
  const page = new URL("../docs/reference/diagnostics.md", import.meta.url);
  const messages = shortestMessages();
  const fresh = readFileSync(page, "utf8").replaceAll(/^\| `([a-z0-9-]+)` \| .*$/gm, (row, code: string) => {
    const { severity, message } = messages.get(code) ?? {};
    if (message === undefined) return row;
    // A suggestion fits only the example's file.
    const text = message
      .replace(/ Did you mean .*\?$/, "")
      .replaceAll(/[|*<]/g, (sign) => (sign === "<" ? "&lt;" : `\\${sign}`));
    const kind = { warning: "*Warning:* ", info: "*Information:* " }[severity ?? ""] ?? "";
    return `| \`${code}\` | ${kind}${text} |`;
  });
  if (process.env.UPDATE === "1") writeFileSync(page, fresh);
  const documented = [...readFileSync(page, "utf8").matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map((match) => match[1]!);
  // The positions of values are in the table of the templates page, some in one row.
  const templates = readFileSync(new URL("../docs/reference/templates.md", import.meta.url), "utf8");
  for (const [cell] of templates.matchAll(/^\| `template-[^|]*\|/gm))
    documented.push(...[...cell.matchAll(/`([a-z-]+)`/g)].map((match) => match[1]!));
  // The last resort of the rewriting, which no file of the corpus reaches.
  messages.set("template-place-unknown", { severity: "error", message: "" });
  expect(documented.toSorted()).toEqual([...messages.keys()].toSorted());
});

test("every code in the source is documented", () => {
  const folder = new URL("../src/workflow/diagnostics/", import.meta.url);
  const docs = readFileSync(new URL("../docs/reference/diagnostics.md", import.meta.url), "utf8");
  const codes = readdirSync(folder).flatMap((file) =>
    [
      ...readFileSync(new URL(file, folder), "utf8").matchAll(
        /(?:(?:error|warning|info)\(|made\([^,]+,)\s*"([a-z0-9-]+)"/g,
      ),
    ].map((match) => match[1]!),
  );
  expect(codes.length).toBeGreaterThan(90);
  for (const code of codes) expect(docs).toContain(`| \`${code}\` |`);
});
