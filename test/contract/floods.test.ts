// Floods through `curlew run` (spec 3.2): no size fails a node, memory stays flat, and every byte arrives as it was
// printed. 150 MB per stream; 1.5 GB with CHECK_FULL=1.

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
/** The peak memory of the runner process and of the program, in KB. */
const MEMORY =
  "c=$(awk '/^PPid/{print $2}' /proc/$PPID/status); awk '/^VmHWM/{print $2}' /proc/$PPID/status /proc/$c/status";

async function memoryAfter(content: string, it: Folder = folder()): Promise<number[]> {
  it.write("f.flow.yaml", flow("a -> b", cli("a", content), cli("b", MEMORY)));
  const ran = await it.run("run f.flow.yaml");
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return ran.stdout.trim().split("\n").map(Number);
}

if (process.platform === "linux")
  test("a flood without newlines on both streams leaves memory flat, and every byte is kept", TIMES, async () => {
    const control = await memoryAfter("echo little; echo little >&2");
    const it = folder();
    const x = `head -c ${FLOOD} /dev/zero | tr '\\0' x`;
    const flooded = await memoryAfter(`(${x}) & (${x}) >&2; wait`, it);
    const growth = flooded.map((kb, at) => kb - (control[at] ?? 0));
    expect(Math.max(...growth), JSON.stringify({ control, flooded })).toBeLessThan(GROWTH_MAX_KB);
    const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
    expect(nodes[0].attempts[0]).toMatchObject({ stdout: { bytes: FLOOD }, stderr: { bytes: FLOOD } });
  });

test(
  "a listener's line that is too long fails only its own iteration; a NUL and bytes that aren't text arrive",
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
