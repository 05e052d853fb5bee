// Approved is what was shown. Everything outside the document that decides what runs is changed between the grant and the
// start, and every time the command does not start and Curlew asks again. The shells and data directories are real, and
// the change comes from outside. src/engine/approvals.test.ts has every field of a node.

import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { type Home, home } from "./approvals.ts";

const SECRET = "the-first-secret-value";
// Beyond what has a checksum: a smaller output that has changed fails the run before the request
// (test/contract/synced.test.ts).
const LARGE = limits.hashedBytesMax + 1;

interface Change {
  /** Members of the node's data besides its title, and a parent that prints something large. */
  data: string;
  secrets?: string;
  env?: Record<string, string>;
  /** The change made before it resumes. */
  later: Record<string, string> | ((at: Home) => void);
  /** How the new request names the change. */
  named: string;
}

/** The parent's output in the run's folder. */
function spoil(at: Home): void {
  const [run = ""] = readdirSync(join(at.home, "runs"));
  writeFileSync(join(at.home, "runs", run, "2.out"), `${"b".repeat(LARGE)}\n`);
}

const changes: [what: string, Change][] = [
  [
    "a variable that it inherits",
    {
      data: "content: 'touch ran', env: {inherit: [STAGE]}",
      env: { STAGE: "test" },
      later: { STAGE: "production" },
      named: "the environment variable STAGE",
    },
  ],
  [
    "what a template puts into env.static",
    {
      data: 'content: "touch ran", env: {static: {TARGET: "to-${STAGE}"}}',
      env: { STAGE: "test" },
      later: { STAGE: "production" },
      named: "the environment variable TARGET",
    },
  ],
  [
    "the value of a secret",
    {
      data: `content: 'printf "%s" "\${TOKEN}" > ran'`,
      secrets: "secrets: [TOKEN]\n",
      env: { TOKEN: SECRET },
      later: { TOKEN: "the-other-secret-value" },
      named: "the value of ${TOKEN}",
    },
  ],
  [
    "a large standard input, in its file",
    {
      data: "content: 'cat > ran', stdin: {source: parent-index, parentIndex: 0}",
      later: spoil,
      named: "standard input",
    },
  ],
  [
    "a large value, in its file",
    { data: `content: 'x="\${1}"; printf "%s" "$x" > ran'`, later: spoil, named: "the value of ${1}" },
  ],
  [
    "a value passed as a file",
    { data: "content: 'cat ${1|file} > ran'", later: spoil, named: "the value of ${1|file}" },
  ],
  [
    "where a link to the working directory leads",
    {
      data: "content: 'touch ran', cwd: link",
      later: (at) => {
        rmSync(join(at.path, "link"));
        symlinkSync(join(at.path, "two"), join(at.path, "link"));
      },
      named: "the working directory",
    },
  ],
  [
    "which program the shell is",
    {
      data: "content: 'touch ran'",
      env: { PATH: `PLACE/bin:${process.env.PATH}` },
      later: (at) => {
        writeFileSync(join(at.path, "bin/bash"), '#!/bin/sh\ntouch ran\nexec /bin/bash "$@"\n');
        chmodSync(join(at.path, "bin/bash"), 0o755);
      },
      named: "the shell",
    },
  ],
];

test.each(changes)("%s has changed: the command does not start, and Curlew asks again", async (_, change) => {
  const bytes = change.later === spoil ? LARGE : 1;
  const parent = `  - {id: big, type: cli, data: {title: Big, content: "head -c ${bytes} /dev/zero | tr '\\\\0' a"}}\n`;
  const gate = `  - {id: gate, type: cli, data: {title: Gate, needsUserApproval: true, ${change.data}}}\n`;
  const at = home(`${change.secrets ?? ""}nodes:\n${parent}${gate}edges: [big -> gate]\n`);
  for (const name of ["one", "two", "bin"]) mkdirSync(join(at.path, name));
  symlinkSync(join(at.path, "one"), join(at.path, "link"));
  const env = Object.fromEntries(
    Object.entries(change.env ?? {}).map(([name, value]) => [name, value.replace("PLACE", at.path)]),
  );
  expect(await at.run({ env })).toMatchObject({ status: "waiting", waiting: ["gate"] });
  const [request] = at.requests();
  at.grant(request!);

  if (typeof change.later === "function") change.later(at);
  const later = typeof change.later === "function" ? env : change.later;
  expect(await at.resume({ env: later })).toMatchObject({ status: "waiting", waiting: ["gate"] });
  const [, again, ...more] = at.requests();
  expect(more).toEqual([]);
  expect(again?.again).toContain("Something has changed since it was approved: ");
  expect(again?.again).toContain(change.named);
  expect(again?.hash).not.toBe(request?.hash);
  expect(at.events().filter(({ type }) => type === "attempt.started")).toHaveLength(1);
  expect(readdirSync(at.path)).not.toContain("ran");

  // Replaying the old grant does not answer the new request; the new one does.
  at.grant(request!);
  expect(await at.resume({ env: later })).toMatchObject({ status: "waiting" });
  expect(at.requests()).toHaveLength(2);
  at.grant(again!);
  expect(await at.resume({ env: later })).toMatchObject({ status: "succeeded" });
});
