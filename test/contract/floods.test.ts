// Floods through `curlew run` (spec 3.2): no size fails a node, memory stays flat, what arrives is what was printed, byte for byte.
// 150 MB to each stream; 1.5 GB with CHECK_FULL=1.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { type Folder, folder } from "../cli/curlew.ts";

const TIMES = { timeout: 600_000 };
const FLOOD = process.env.CHECK_FULL === "1" ? 1_500_000_000 : 150_000_000;
/** Spec 5.4. */
const GROWTH_MAX_KB = 64 * 1_024;

const cli = (id: string, content: string, more = ""): string =>
  `  - { id: ${id}, type: cli, data: { title: T, content: ${JSON.stringify(content)}${more} } }\n`;
const flow = (edges: string, ...nodes: string[]): string =>
  `curlew: 1\nname: T\nnodes:\n${nodes.join("")}edges: [${edges}]\n`;
const STDIN = ", stdin: { source: parent-index }";
/** The most memory that the keeper of commands and the program have had, in KB. */
const MEMORY =
  "c=$(awk '/^PPid/{print $2}' /proc/$PPID/status); awk '/^VmHWM/{print $2}' /proc/$PPID/status /proc/$c/status";

async function memoryAfter(content: string, it: Folder = folder()): Promise<number[]> {
  it.write("f.flow.yaml", flow("a -> b", cli("a", content), cli("b", MEMORY)));
  const ran = await it.run("run f.flow.yaml");
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return ran.stdout.trim().split("\n").map(Number);
}

if (process.platform === "linux")
  test("both streams flooded, without a line break: memory stays flat, every byte is kept", TIMES, async () => {
    const control = await memoryAfter("echo little; echo little >&2");
    const it = folder();
    const x = `head -c ${FLOOD} /dev/zero | tr '\\0' x`;
    const flooded = await memoryAfter(`(${x}) & (${x}) >&2; wait`, it);
    const growth = flooded.map((kb, at) => kb - (control[at] ?? 0));
    expect(Math.max(...growth), JSON.stringify({ control, flooded })).toBeLessThan(GROWTH_MAX_KB);
    const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
    expect(nodes[0].attempts[0]).toMatchObject({ stdout: { bytes: FLOOD }, stderr: { bytes: FLOOD } });
  });

test("bytes that are no text, NUL among them, arrive as they were", TIMES, async () => {
  const it = folder({
    "f.flow.yaml": flow(
      "a -> b",
      cli("a", "{ head -c 20000000 /dev/urandom; printf 'end\\377\\0x'; } | tee raw"),
      cli("b", "sha256sum", STDIN),
    ),
  });
  const ran = await it.run("run f.flow.yaml");
  const hash = createHash("sha256");
  await pipeline(createReadStream(join(it.path, "raw")), hash);
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: `${hash.digest("hex")}  -\n` });
});

test("a command may leave 100 MB of standard input unread, or read a little", TIMES, async () => {
  const it = folder({
    "f.flow.yaml": flow(
      "a -> b, a -> c",
      cli("a", "head -c 100000000 /dev/zero | tr '\\0' x"),
      cli("b", "true", STDIN),
      cli("c", "head -c 3", STDIN),
    ),
  });
  const ran = await it.run("run f.flow.yaml");
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: `${JSON.stringify({ b: "", c: "xxx" })}\n` });
});

test("a value too large for the environment goes by file by itself, and by standard input", TIMES, async () => {
  for (const bytes of [131_071, 131_072, 10_000_000]) {
    const a = cli("a", `head -c ${bytes} /dev/zero | tr '\\0' x`);
    const it = folder({
      "by-name.flow.yaml": flow("a -> b", a, cli("b", 'printf %s "${1}" | wc -c')),
      "by-stdin.flow.yaml": flow("a -> b", a, cli("b", "wc -c", STDIN)),
    });
    for (const how of ["by-name", "by-stdin"]) {
      const ran = await it.run(`run ${how}.flow.yaml`);
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: `${bytes}\n` });
    }
  }
});

test(
  "a value with a NUL is no word of a shell: it is refused before the start, and goes by standard input",
  TIMES,
  async () => {
    const a = cli("a", "printf 'one\\0two'");
    const it = folder({
      "by-name.flow.yaml": flow("a -> b", a, cli("b", 'touch began; printf %s "${1}" | wc -c')),
      "by-stdin.flow.yaml": flow("a -> b", a, cli("b", "wc -c", STDIN)),
    });
    const refused = await it.run("run by-name.flow.yaml");
    expect(refused, refused.stderr).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/NUL|null byte|stdin/i);
    expect(() => it.read("began")).toThrow();
    expect(await it.run("run by-stdin.flow.yaml")).toMatchObject({ code: 0, stdout: "7\n" });
  },
);

test(
  "a listener's line that is too long fails its own pass; a NUL and bytes that are no text arrive; the rest goes on",
  TIMES,
  async () => {
    const says = `printf 'one\\n'; head -c ${limits.lineBytesMax + 1} /dev/zero | tr '\\0' x; printf '\\nn\\0l\\n\\377\\nlast\\n'`;
    const it = folder({
      "f.flow.yaml": flow(
        "a -> b",
        cli("a", says, ", emit: lines, safetyLevel: advanced"),
        cli("b", "wc -c >> seen", STDIN),
      ),
    });
    const ran = await it.run("run f.flow.yaml --json");
    expect(ran.stdout, ran.stderr).toContain('"line-too-long"');
    expect(it.read("seen").trim().split(/\s+/)).toEqual(["3", "3", "1", "4"]);
  },
);
