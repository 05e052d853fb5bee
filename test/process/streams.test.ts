// Bytes that go in and come out of a command: exact, of any size, in order (spec 3.2, 5.3).

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { readOrder } from "../../src/process/interleaving.ts";
import type { CommandSpec } from "../../src/process/run.ts";
import { appears, bash, run, standStillUntil, start, tempFile, tempPath, text } from "./commands.ts";

function check(name: string, script: string, expected: object, given: Partial<CommandSpec> = {}): void {
  test(name, async () => {
    expect(await run(script, given)).toMatchObject({ cause: { type: "exited", code: 0 }, ...expected });
  });
}

check("no output makes no file, and stdin is empty", "cat", { stdout: "", stderr: "", stdoutBytes: 0 });
check("> /dev/stdout adds, it does not truncate", "echo a; echo b > /dev/stdout; echo c", { stdout: "a\nb\nc\n" });
check("tee /dev/stderr works", "echo a; echo b | tee /dev/stderr", { stdout: "a\nb\n", stderr: "b\n" });
check(">> /dev/stderr works", "echo a >> /dev/stderr; echo b >&2", { stderr: "a\nb\n" });
check("stdin as text", "cat", { stdout: "grüße\n" }, { stdin: text("grüße\n") });
check("stdin can be opened again", "cat /dev/stdin", { stdout: "again" }, { stdin: text("again") });
check("empty text is an empty stdin", "cat; echo end", { stdout: "end\n" }, { stdin: text("") });
check(
  "stdin that the command does not read",
  "echo fine",
  { stdout: "fine\n" },
  { stdin: text("x".repeat(5_000_000)) },
);
check("stdin of which a little is read", "head -c 3", { stdout: "xxx" }, { stdin: text("x".repeat(5_000_000)) });
check(
  "stdin that is closed at once",
  "exec <&-; sleep 0.05; echo fine",
  { stdout: "fine\n" },
  { stdin: text("x".repeat(5_000_000)) },
);
check("large stdin", "wc -c | tr -d ' '", { stdout: "5000000\n" }, { stdin: text("x".repeat(5_000_000)) });
check(
  "a slow reader of large stdin gets all",
  "while read -r -n 500000 x; do sleep 0.005; echo ${#x}; done",
  { stdout: "500000\n".repeat(8) },
  { stdin: text("y".repeat(4_000_000)) },
);

test("output files are readable only for their owner", async () => {
  const command = start("echo a; echo b >&2");
  await command.done;
  for (const file of [command.spec.stdoutFile, command.spec.stderrFile, command.spec.orderFile])
    expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("an empty stream has no file, and a single short stream has no order file", async () => {
  const command = start("echo a");
  await command.done;
  expect([command.spec.stdoutFile, command.spec.stderrFile, command.spec.orderFile].map(existsSync)).toEqual([
    true,
    false,
    false,
  ]);
});

test("while a command runs, the order of its output so far is known", async () => {
  const command = start("echo a; echo b >&2; echo c; until test -e $STEM.go; do read -t 0.01 <> <(:); done; echo d");
  await appears(command.spec.orderFile);
  const { stdoutFile, stderrFile, orderFile } = command.spec;
  expect(readOrder(stdoutFile, stderrFile, orderFile, true).map(({ stream, bytes }) => `${stream} ${bytes}`)).toEqual([
    ...["stdout 2", "stderr 2", "stdout 2"],
  ]);
  writeFileSync(`${command.spec.stdoutFile.replace(/\.out$/, "")}.go`, "");
  expect((await command.ended()).ordered).toBe("o:a\n e:b\n o:c\n o:d\n");
});

test("for a single stream the time of each part is known", async () => {
  const command = start("echo a; until test -e $STEM.go; do read -t 0.01 <> <(:); done; echo b");
  await appears(command.spec.orderFile);
  writeFileSync(`${command.spec.stdoutFile.replace(/\.out$/, "")}.go`, "");
  await command.done;
  const { stdoutFile, stderrFile, orderFile } = command.spec;
  const times = readOrder(stdoutFile, stderrFile, orderFile).map(({ atMs }) => atMs ?? -1);
  expect(times).toHaveLength(2);
  expect(times[1]).toBeGreaterThan(times[0]!);
});

test("nothing of stdin stays on disk", async () => {
  const command = start("cat", { stdin: text("private") });
  expect(existsSync(`${command.spec.stdoutFile}.stdin`)).toBe(false);
  expect((await command.ended()).stdout).toBe("private");
});

test("files and texts follow each other, and only the requested part of a file is read", async () => {
  const bytes = randomBytes(3_000_000);
  const file = tempFile(bytes);
  for (const [length, repeat] of [
    [10, 1],
    [2_999_999, 1],
    [3_000_000, 1],
    [3_000_000, 3],
  ] as const) {
    const pieces = Array.from({ length: repeat }, () => [{ file, bytes: length }, { text: "\n" }])
      .flat()
      .slice(0, -1);
    const command = start("cat", { stdin: { kind: "pieces", pieces } });
    await command.done;
    const part = bytes.subarray(0, length);
    const expected = Buffer.concat(
      Array.from({ length: repeat }, () => [part, Buffer.from("\n")])
        .flat()
        .slice(0, -1),
    );
    expect(readFileSync(command.spec.stdoutFile).equals(expected)).toBe(true);
  }
});

test("a stdin file that has disappeared is reported, and nothing starts", async () => {
  const ended = await run("echo started", {
    stdin: { kind: "pieces", pieces: [{ file: "/no/such/value", bytes: 3 }] },
  });
  expect(ended.cause).toMatchObject({ type: "not-started", reason: expect.stringContaining("/no/such/value") });
  expect(ended.stdoutBytes).toBe(0);
});

test("every byte arrives as it was printed, on both streams", async () => {
  const file = tempFile(randomBytes(2_000_000));
  const command = start(`cat ${file}; cat ${file} >&2`);
  const ended = await command.done;
  expect([ended.stdoutBytes, ended.stderrBytes]).toEqual([2_000_000, 2_000_000]);
  expect(readFileSync(command.spec.stdoutFile).equals(readFileSync(file))).toBe(true);
  expect(readFileSync(command.spec.stderrFile).equals(readFileSync(file))).toBe(true);
});

test("bytes that aren't UTF-8 are kept, and only the tail shows U+FFFD", async () => {
  const command = start("printf 'a\\377\\000b'; printf 'a\\377b' >&2");
  const ended = await command.done;
  expect([...readFileSync(command.spec.stdoutFile)]).toEqual([97, 255, 0, 98]);
  expect(ended.stderrTail).toBe("a\uFFFDb");
});

test("the tail of stderr starts with a whole character", async () => {
  const ended = await run("printf 'é%.0s' {1..3000} >&2; printf x >&2");
  expect(ended.stderrTail).toBe(`${"é".repeat(2_047)}x`);
});

test("200 MB of output leave memory flat and arrive completely", async () => {
  let peak = 0;
  const before = process.memoryUsage.rss();
  const ended = await run(["head", "-c", "200000000", "/dev/zero"], {
    onChunk: () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    },
  });
  expect(ended).toMatchObject({ cause: { type: "exited", code: 0 }, stdoutBytes: 200_000_000 });
  expect(peak - before).toBeLessThan(64_000_000);
});

test("the order is exact if each print waits until the one before was seen", async () => {
  const go = tempPath("go");
  const command = start(
    `mkfifo ${go}; exec 3<>${go}; for n in 0 1 2 3 4; do echo o$n; read -r _ <&3; echo e$n >&2; read -r _ <&3; done`,
  );
  const { writeFileSync } = await import("node:fs");
  for (let n = 0; n < 5; n++) {
    for (const seen of [`o${n}`, `e${n}`]) {
      await command.printed(`${seen}\n`);
      writeFileSync(go, "\n");
    }
  }
  const expected = [0, 1, 2, 3, 4].map((n) => `o:o${n}\n e:e${n}\n`).join(" ");
  expect((await command.ended()).ordered).toBe(expected);
});

for (const [script, expected] of [
  ["echo a; echo b >&2", "o:a\n e:b\n"],
  ["echo b >&2; echo a", "e:b\n o:a\n"],
  ["echo a; echo b >&2; echo c; echo d >&2; echo e", "o:a\n e:b\n o:c\n e:d\n o:e\n"],
] as const) {
  test(`two streams keep the order of their lines even while no one reads: ${script}`, async () => {
    const done = tempPath("done");
    const command = start(`${script}; echo x > ${done}; exec sleep 1000`);
    standStillUntil(done);
    await command.printed(expected.includes("e:d") ? "d\n" : "b\n");
    command.cancel();
    expect((await command.ended()).ordered).toBe(expected);
  });
}

test("commands of a nested Curlew keep the outer tag", async () => {
  process.env.CURLEW_TAG = "outer.1";
  try {
    expect((await run("echo $CURLEW_TAG", { runTag: "inner.2" })).stdout).toBe("outer.1 inner.2\n");
  } finally {
    delete process.env.CURLEW_TAG;
  }
});

test("a transform changes output for everything else, and flushes what it held back", async () => {
  const seen: string[] = [];
  const ended = await run("printf secret; printf more >&2", {
    transform: (stream) => ({
      push: () => new Uint8Array(0),
      end: () => Buffer.from(`${stream} held`),
    }),
    onChunk: (_stream, bytes) => void seen.push(Buffer.from(bytes).toString()),
  });
  expect(ended).toMatchObject({ stdout: "stdout held", stderr: "stderr held", stderrTail: "stderr held" });
  expect(seen).toEqual(["stdout held", "stderr held"]);
});

test("output comes as it is printed", async () => {
  let seen = "";
  const go = tempPath("go");
  const command = start(`printf 'one\\ntw'; until [ -s ${go} ]; do sleep 0.01; done; printf 'o\\nthree'`, {
    onChunk: (_stream, bytes) => {
      seen += Buffer.from(bytes).toString();
      if (seen === "one\ntw") writeFileSync(go, "go");
    },
  });
  await command.done;
  expect(seen).toBe("one\ntwo\nthree");
});

test("without mkfifo, Node's pipes are used", async () => {
  const path = process.env.PATH;
  process.env.PATH = "/nowhere";
  try {
    const { createRunner } = await import("../../src/process/run.ts");
    const stem = tempPath("piped");
    const spec: CommandSpec = {
      argv: bash("/bin/cat; echo e >&2"),
      env: { PATH: path ?? "" },
      cwd: dirname(stem),
      stdin: text("z".repeat(2_000_000)),
      stdoutFile: `${stem}.out`,
      stderrFile: `${stem}.err`,
      orderFile: `${stem}.ord`,
      killGraceMs: 100,
      outputBytesMax: 1e9,
      runTag: `piped.${process.pid}`,
    };
    const ended = await createRunner().run(spec).done;
    expect(ended).toMatchObject({
      cause: { type: "exited", code: 0 },
      stdoutBytes: 2_000_000,
      stderrBytes: 2,
      stderrTail: "e\n",
    });
    expect((await appears(`${stem}.out`)).length).toBe(2_000_000);
  } finally {
    process.env.PATH = path;
  }
});
