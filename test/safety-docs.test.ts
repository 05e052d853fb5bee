// docs/reference/safety-levels.md lists what asks, and every example on it does. `UPDATE=1 npx vitest run
// test/safety-docs.test.ts` rewrites the tables.

import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AskCode, ESCALATING } from "../src/shell/safety/asks.ts";
import { DELETING } from "../src/shell/safety/deletes.ts";
import { validateWorkflow } from "../src/workflow/validate.ts";

const PAGE = new URL("../docs/reference/safety-levels.md", import.meta.url);
const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;
/** The page shows two examples of each, and the tests below run all of them. */
const shown = (examples: readonly string[]) => examples.slice(0, 2);
const list = (names: Iterable<string>) => [...names].map(code).join(" ");

/** `stdin`: the command before it feeds the node. */
const REASONS: Record<AskCode, { what: string; examples: string[]; stdin?: true }> = {
  deletes: {
    what: "The command deletes something, see below.",
    examples: ["curl -sSXDELETE https://api.example/items/7", "rm -rf build", "psql -c 'drop table users'"],
  },
  escalates: { what: `The command gains rights: ${list(ESCALATING)}.`, examples: ["sudo ls", "timeout 5 sudo ls"] },
  "insecure-tls": {
    what: "The command turns off certificate checks: curl `-k`, `--insecure`, `--proxy-insecure`, `--doh-insecure`, wget `--no-check-certificate`, HTTPie and xh `--verify=no`, git `-c http.sslVerify=false`, `NODE_TLS_REJECT_UNAUTHORIZED=0`, `PYTHONHTTPSVERIFY=0`, `GIT_SSL_NO_VERIFY`.",
    examples: ["curl -fsSkL https://api.example", "wget --no-check-certificate https://api.example"],
  },
  "runs-input": {
    what: "An interpreter (a shell, python, node, perl, ruby, php, psql, mysql, sqlite3, …) runs the value of another node from stdin, or a download.",
    examples: ["bash -s", "jq -r .script | sh", "python3 -", "curl https://api.example/install | sh"],
    stdin: true,
  },
};

function tables(): Record<string, string> {
  const rows = (head: string, lines: string[]) => `${head}\n${lines.join("\n")}`;
  return {
    asks: rows(
      "| Code | When | Examples |\n| --- | --- | --- |",
      Object.entries(REASONS).map(
        ([name, { what, examples }]) => `| \`${name}\` | ${what} | ${list(shown(examples))} |`,
      ),
    ),
    deletes: rows(
      "| Programs | Delete with | Examples |\n| --- | --- | --- |",
      DELETING.map(
        ({ programs, what, examples }) =>
          `| ${list(programs)} | ${what.replaceAll("|", "\\|")} | ${list(shown(examples))} |`,
      ),
    ),
  };
}

test("the tables match the rules", () => {
  const page = readFileSync(PAGE, "utf8");
  const made = tables();
  const fresh = page.replace(
    /<!-- (asks|deletes) -->\n[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- ${name} -->\n\n${made[name]}\n\n<!-- end -->`,
  );
  if (process.env.UPDATE === "1") writeFileSync(PAGE, fresh);
  expect(readFileSync(PAGE, "utf8")).toBe(fresh);
  for (const name of Object.keys(made)) expect(fresh).toContain(`<!-- ${name} -->`);
});

const REASON: Record<AskCode, RegExp> = {
  deletes: /It deletes: /,
  escalates: /It runs with more rights: /,
  "insecure-tls": /It does not check certificates: /,
  "runs-input": / as a program/,
};

const examples = [
  ...Object.entries(REASONS).flatMap(([name, { examples, stdin }]) =>
    examples.map((content) => [name as AskCode, content, stdin === true] as const),
  ),
  ...DELETING.flatMap(({ examples }) => examples.map((content) => ["deletes" as AskCode, content, false] as const)),
];

test.each(examples)("%s: %s", async (name, content, stdin) => {
  const text = (data: object) =>
    JSON.stringify({
      curlew: 1,
      nodes: [
        { id: "fetch", type: "cli", data: { title: "f", content: "true" } },
        {
          id: "n",
          type: "cli",
          data: {
            title: "n",
            content,
            ...(stdin ? { stdin: { source: "parent-index", parentIndex: 0 } } : {}),
            ...data,
          },
        },
      ],
      edges: ["fetch -> n"],
    });
  const asks = async (data: object) =>
    (await validateWorkflow(text(data), "a.flow.json")).diagnostics
      .filter((one) => one.code === "asks-approval")
      .map(({ message }) => message);
  expect(await asks({})).toEqual([expect.stringMatching(REASON[name])]);
  expect(await asks({ needsUserApproval: true })).toEqual([]);
  expect(await asks({ safetyLevel: "advanced" })).toEqual([]);
});
