// What does masking output cost? `node bench/masker.ts [MEGABYTES]`
//   Outputs: a log, JSON, base64 in lines, zeros, and a log with a secret on each tenth line; secrets: 1, 10, and a key of 28 lines.
//   Control: the same chunks copied; and one Buffer.indexOf for each raw secret, which finds one form of many.
//   worst: secrets and outputs made of one letter, line breaks between any two letters.
// Not measured: the disk. The rounds take turns; the best of each counts.

import { randomBytes } from "node:crypto";
import { createMasker } from "../src/secrets/masker.ts";

const ROUNDS = 5;
const CHUNK_BYTES = 65_536;
const outputBytes = Number(process.argv[2] ?? 32) * 1_000_000;
const REACH = 150;

const token = (): string => randomBytes(30).toString("base64url");
const key = `-----BEGIN PRIVATE KEY-----\n${randomBytes(1_200).toString("base64").replace(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----`;
const one = token();

const OUTPUTS: Record<string, () => string> = {
  log: () =>
    `2026-11-21T06:20:58.${Math.floor(Math.random() * 1000)}Z INFO  request ${randomBytes(4).toString("hex")} GET /api/v1/projects/42/items?page=3 200 in 18 ms\n`,
  JSON: () =>
    `${JSON.stringify({ id: randomBytes(8).toString("hex"), name: "Ada Lovelace", tags: ["password", "access", "token"], at: Date.now(), total: Math.random() }, null, 2)}\n`,
  base64: () => `${randomBytes(57).toString("base64")}\n`,
  zeros: () => "\0".repeat(100),
  "log with secrets": () => `${"-".repeat(600)}\nAuthorization: Bearer ${one} password=hunter2\n`,
};

const SECRETS: Record<string, string[]> = {
  "1 secret": [one],
  "10 secrets": [one, "hunter2-password", "correct horse battery", ...Array.from({ length: 7 }, token)],
  "a key": [one, key],
};

function chunksOf(line: () => string): Buffer[] {
  const some = Buffer.from(Array.from({ length: 20_000 }, line).join("")).subarray(0, 2_000_000);
  const chunks: Buffer[] = [];
  for (let made = 0; made < outputBytes; made += CHUNK_BYTES) {
    const at = made % Math.max(1, some.length - CHUNK_BYTES);
    chunks.push(some.subarray(at, at + CHUNK_BYTES));
  }
  return chunks;
}

/** Megabytes a second of the best round; the tasks take turns. */
function speeds(chunks: Buffer[], tasks: (() => void)[]): number[] {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const best = tasks.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, task] of tasks.entries()) {
      const from = performance.now();
      task();
      best[at] = Math.min(best[at]!, performance.now() - from);
    }
  return best.map((took) => bytes / 1e3 / took);
}

function masked(secrets: string[], chunks: Buffer[]): () => void {
  const masker = createMasker(new Map(secrets.map((secret, at) => [String(at), secret])));
  return () => {
    const stream = masker.stream();
    for (const chunk of chunks) stream.push(chunk);
    stream.end();
  };
}

const target = Buffer.alloc(CHUNK_BYTES);
function race(title: string, secrets: string[], chunks: Buffer[], reach: string): void {
  const raw = secrets.map((secret) => Buffer.from(secret));
  const [ours = 0, copy = 0, indexOf = 0] = speeds(chunks, [
    masked(secrets, chunks),
    () => {
      for (const chunk of chunks) chunk.copy(target);
    },
    () => {
      for (const chunk of chunks) for (const secret of raw) chunk.indexOf(secret);
    },
  ]);
  const control = `control: copy ${copy.toFixed(0)}, indexOf of the raw secrets ${indexOf.toFixed(0)}`;
  console.log(`${title}: ${ours.toFixed(0)} MB/s (${control}) (${reach})`);
}

for (const [secretsName, secrets] of Object.entries(SECRETS)) {
  const from = performance.now();
  masked(secrets, []);
  console.log(`${secretsName}: made in ${(performance.now() - from).toFixed(1)} ms`);
  for (const [name, line] of Object.entries(OUTPUTS)) race(`  ${name}`, secrets, chunksOf(line), `≥ ${REACH} MB/s`);
}

const letters = ["a".repeat(6), "a".repeat(40), "a".repeat(2_000)];
console.log("worst: secrets of one letter");
race(
  "  the same letter",
  letters,
  chunksOf(() => "a".repeat(100)),
  "linear",
);
race(
  "  almost a secret",
  [`${"a".repeat(2_000)}b`],
  chunksOf(() => "a".repeat(100)),
  "linear",
);
race(
  "  their base64",
  letters,
  chunksOf(() => "YWFh".repeat(25)),
  "linear",
);
race(
  "  their base64, a line each letter",
  letters,
  chunksOf(() => [..."YWFh", ""].join("\n")),
  "linear",
);
race(
  "  line breaks",
  letters,
  chunksOf(() => "\n".repeat(100)),
  "linear",
);
const memory = process.memoryUsage();
console.log(
  `resident at the end: ${(memory.rss / 1e6).toFixed(0)} MB, of it outputs ${(memory.arrayBuffers / 1e6).toFixed(0)} MB`,
);
