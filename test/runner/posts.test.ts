// HTTP requests that the nodes after a listener make, counted by a real server while Curlew is killed again and again
// (spec 3.7). Each line is posted, in order, and never twice silently. CHECK_FULL=1 posts 400 lines instead of 80;
// CHECK_SEED=n starts there. While only Curlew is killed, each line arrives exactly once. If the runner process is
// killed too, a post may have been sent without its response being seen: then its iteration says `attempt-lost`, and it
// is not sent again.

import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { openStore } from "../../src/store/index.ts";
import { endRunners, type Folder, folder, started } from "../cli/curlew.ts";

const LINES = process.env.CHECK_FULL === "1" ? 400 : 80;
const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1e9));
const TIMES = { timeout: 120_000 + LINES * 400 };
const BIN = join(import.meta.dirname, "../../bin/curlew");

/** It posts the line's number in the run, and the line. Lines arrive whether Curlew lives or not. */
const flow = (port: number): string => `curlew: 1
name: Posts
nodes:
  - id: listen
    type: cli
    data: { title: Listen, emit: lines, safetyLevel: advanced, cwd: ., content: "for n in $(seq 1 ${LINES}); do echo $n; sleep 0.01; done" }
  - id: post
    type: cli
    data: { title: Post, safetyLevel: advanced, content: 'curl -sS --fail-with-body --max-time 60 -d "\${i} \${1}" http://127.0.0.1:${port}/' }
edges: [listen -> post]
`;

interface Counting {
  port: number;
  /** Each body in the order of arrival. */
  posted: string[];
  /** Resolves at the next post. */
  next(): Promise<void>;
}

async function counting(): Promise<Counting> {
  const posted: string[] = [];
  let waiting: (() => void)[] = [];
  const server = createServer((request, answer) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      posted.push(body);
      answer.end("ok");
      for (const go of waiting.splice(0)) go();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    waiting = [];
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { port, posted, next: () => new Promise((resolve) => waiting.push(resolve)) };
}

test(`${LINES} lines while Curlew is killed (seed ${SEED}): each is posted once, in order`, TIMES, async () => {
  const { posted, kills, events } = await killedWhilePosting(Math.max(4, LINES / 20), false);
  expect(posted).toEqual(Array.from({ length: LINES }, (_, n) => `${n + 1} ${n + 1}`));
  expect(events.at(-1)?.type).toBe("run.succeeded");
  expect(kills).toBeGreaterThan(2);
});

test(
  `its runner is killed too (seed ${SEED}): no line is posted twice, and an uncertain one is reported`,
  TIMES,
  async () => {
    // The listener is started again automatically each time, and its lines continue with the numbers.
    const { posted, events } = await killedWhilePosting(4, true);
    const numbers = posted.map((each) => Number(each.split(" ")[0]));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const lines = events.filter(({ type }) => type === "line.received").length;
    const missing = Array.from({ length: lines }, (_, n) => n + 1).filter((n) => !numbers.includes(n));
    const lost = events.flatMap((event) =>
      event.type === "attempt.lost" && event.path.startsWith("post[") ? [Number(/\d+/.exec(event.path)?.[0]) + 1] : [],
    );
    expect(missing.filter((n) => !lost.includes(n))).toEqual([]);
    expect(lines).toBeGreaterThanOrEqual(LINES);
  },
);

async function killedWhilePosting(killsMax: number, both: boolean) {
  let state = SEED >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const { port, posted, next } = await counting();
  const it = folder({ "p.flow.yaml": flow(port) });
  let kills = 0;
  for (let args = ["run", "p.flow.yaml", "--quiet"]; ; args = ["runs", "resume", "latest", "--quiet"]) {
    const program = started(BIN, args, it.path, {}, it.home);
    let isOver = false;
    void program.done.then(() => {
      isOver = true;
    });
    if (kills < killsMax) {
      // A moment after some post, or before its response is recorded.
      for (let n = Math.floor(random() * (LINES / killsMax)); n >= 0 && !isOver; n--)
        await Promise.race([next(), program.done]);
      await new Promise((resolve) => setTimeout(resolve, random() * 15));
      program.process.kill("SIGKILL");
    }
    const { code, stderr } = await program.done;
    if (code !== "SIGKILL") {
      expect([0, ...(both ? [1] : [])], stderr).toContain(code);
      return { posted, kills, events: eventsOf(it) };
    }
    kills += 1;
    if (both) await endRunners(it.home, "SIGKILL");
  }
}

/** The events of the only run. */
function eventsOf(it: Folder): RunEvent[] {
  const store = openStore(it.home);
  if (!store.ok) throw new Error(store.error.message);
  try {
    const runs = store.value.journal.listRuns();
    const read = runs.ok && runs.value.runs.length === 1 ? store.value.journal.read(runs.value.runs[0]!.id) : undefined;
    if (read?.ok !== true) throw new Error("there is not one run that can be read");
    return read.value;
  } finally {
    store.value.close();
  }
}
