// The canvas explains pasted text that is neither a command nor nodes.

import { expect, test } from "vitest";
import { linksOf, nodesOf, openDoc, perform } from "../document/index.ts";
import { curlEdit, isCurl, isScript, looksTyped, notPasted, readCurl, titleOfCommand } from "./curl.ts";

test("the message describes the text", () => {
  const long = `curl https://a.test/x -d '${"x".repeat(186_000)}'`;
  expect(isCurl(long)).toBe(false);
  expect(notPasted(long)).toMatch(/This curl command is longer than 100 kB\. Put its body into a file/);
  expect(notPasted('fetch("https://a.test/x");')).toContain("a call in JavaScript. Copy it as cURL (bash).");
  expect(notPasted('Invoke-WebRequest -Uri "x"')).toContain("a call in PowerShell. Copy it as cURL (bash).");
  expect(isScript("curlew http GET https://a.test/x --paginate link")).toBe(true);
  expect(notPasted("dear reader")).toContain("neither a curl command nor nodes as YAML");
});

test("the name of a known program is a command, another word is a search", () => {
  for (const text of ["jq", "cat ", "jq length", "wc -l"]) expect(looksTyped(text), text).toBe(true);
  for (const text of ["loop", "pages", "j", "http request"])
    expect(looksTyped(text), text).toBe(text === "http request");
});

test("a typed command is named by its program and subcommand", () => {
  const titles = {
    "jq '.items | length'": "Run jq",
    "LC_ALL=C /usr/bin/sort -u": "Run sort",
    "git -C repo status": "Run git",
    "docker compose up": "Run docker compose",
    "npm run build": "Run npm run",
    "git s3cr3t-Value": "Run git",
    "$TOOL --now": undefined,
    "(cd a; ls)": undefined,
  };
  for (const [command, title] of Object.entries(titles)) expect(titleOfCommand(command), command).toBe(title);
});

test("a pasted command that reads standard input is fed by the node before it", async () => {
  const doc = openDoc("curlew: 1\nnodes:\n  - { id: posts, run: date }\n", "a.flow.yaml");
  const read = await readCurl(
    "curl --json @- https://a.test/one\ncurl -d @- https://a.test/two\ncurl https://a.test/x\n",
  );
  if ("error" in read) throw new Error(read.error);
  const stdins = (after: { source: string; handle?: string } | undefined) => {
    const made = perform(doc, curlEdit(read, { after }));
    const plain = made.ok ? made.value.doc.plain! : {};
    expect(linksOf(plain.edges)).toHaveLength(after === undefined ? 2 : 3);
    return nodesOf(plain).map(({ data }) => data?.stdin);
  };
  expect(stdins({ source: "posts" })).toEqual([undefined, "posts", "post_one", undefined]);
  expect(stdins({ source: "posts", handle: "error" })).toEqual([undefined, undefined, "post_one", undefined]);
  expect(stdins(undefined)).toEqual([undefined, undefined, "post_one", undefined]);
});
