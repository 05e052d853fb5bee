// curl-by-path: src/process/curl-by-path.c as the bytes that stand in src/process/curl-by-path.ts.
//   node scripts/curl-by-path.ts COMPILER [ARGUMENT…]      for example gcc, or aarch64-linux-gnu-gcc
// With gcc 12 of Debian 12 they are these bytes again; test/process/curl-by-path.test.ts looks.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = join(import.meta.dirname, "../src/process/curl-by-path.c");
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
export function compiled(compiler: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "curlew-by-path-"));
  try {
    const [program = "cc", ...args] = compiler;
    const file = join(folder, "curl-by-path.so");
    const linked = [...LINKED, "-z,max-page-size=65536"].map((option) => `-Wl,${option}`);
    execFileSync(program, [...args, ...COMPILED, ...linked, "-o", file, SOURCE], { stdio: "inherit" });
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

if (import.meta.main) console.log(compiled(process.argv.slice(2)).toString("base64"));
