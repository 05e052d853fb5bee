// preloaded: src/process/NAME.c as the bytes that stand in src/process/NAME.ts: curl-by-path, curl-tries.
//   node scripts/preloaded.ts NAME COMPILER [ARGUMENT…]      for example gcc, or aarch64-linux-gnu-gcc
// With gcc 12 of Debian 12 they are these bytes again; the tests of both look (test/process).

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCES = join(import.meta.dirname, "../src/process");
const COMPILED = [
  ...["-shared", "-nostdlib", "-ffreestanding", "-Os", "-fPIC", "-std=gnu17", "-Wall", "-Wextra", "-Werror"],
  ...[
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
    "-fno-tree-loop-distribute-patterns",
  ],
];
const LINKED = [
  "-init=begin",
  "--hash-style=gnu",
  "--build-id=none",
  "-s",
  "-z,norelro",
  "-z,noseparate-code",
  "-z,noexecstack",
];

/** Without its table of sections, which only tools read. */
export function compiled(name: string, compiler: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "curlew-preloaded-"));
  try {
    const [program = "cc", ...args] = compiler;
    const file = join(folder, `${name}.so`);
    const linked = [...LINKED, "-z,max-page-size=65536"].map((option) => `-Wl,${option}`);
    execFileSync(program, [...args, ...COMPILED, ...linked, "-o", file, join(SOURCES, `${name}.c`)], {
      stdio: "inherit",
    });
    return cut(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function cut(elf: Buffer): Buffer {
  let end = 0;
  for (let at = 0; at < elf.readUInt16LE(56); at++) {
    const header = Number(elf.readBigUInt64LE(32)) + at * elf.readUInt16LE(54);
    if (elf.readUInt32LE(header) === 1)
      end = Math.max(end, Number(elf.readBigUInt64LE(header + 8) + elf.readBigUInt64LE(header + 32)));
  }
  const bytes = Buffer.from(elf.subarray(0, end));
  bytes.fill(0, 40, 48);
  bytes.fill(0, 58, 64);
  return bytes;
}

if (import.meta.main) {
  const [name = "", ...compiler] = process.argv.slice(2);
  console.log(compiled(name, compiler).toString("base64"));
}
