// kill -9 of a real `curlew run` at random moments, over workflows whose side effects are counted (spec 3.4, 4.4 "one
// start per attempt"). CHECK_FULL=1 kills 250 times instead of 12; CHECK_SEED=n starts there, CHECK_KILLS=n says how
// often: 1,000 before a release. While only Curlew is killed, every effect happens exactly once and nothing is lost.
// Sometimes its runner is killed too: then an effect happens at most once, and a missing one was reported as lost.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endRunners, type Folder, folder, runnersOf, started } from "../cli/curlew.ts";

const ROOT = join(import.meta.dirname, "../..");
const KILLS = Number(process.env.CHECK_KILLS ?? (process.env.CHECK_FULL === "1" ? 250 : 12));
const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1e9));

const cli = (id: string, content: string, more = "") =>
  `  - { id: ${id}, type: cli, data: { title: T, content: ${JSON.stringify(content)}${more} } }\n`;
const letters = ["a", "b", "c", "d", "e", "f"];

/** The document and its effects, in any order. */
const WORKFLOWS: Record<string, { text: string; files?: Record<string, string>; effects: string[] }> = {
  row: {
    text: `${letters.map((id) => cli(id, `echo ${id} >> ran`)).join("")}edges: [${letters.join(" -> ")}]\n`,
    effects: letters,
  },
  slow: {
    text: `${cli("a", "echo a >> ran; head -c 300000 /dev/zero; sleep 0.05")}${cli("b", "wc -c >> ran; sleep 0.05; echo b >> ran", ", stdin: { source: parent-index }")}edges: [a -> b]\n`,
    effects: ["a", "300000", "b"],
  },
  named: {
    text: `${cli("a", "echo a >> ran; head -c 300000 /dev/zero; sleep 0.05")}${cli("b", "wc -c >> ran; sleep 0.05; echo b >> ran; echo B", ", stdin: a")}${cli("c", 'echo c${b}${y|default("-")} >> ran')}  - { id: i, type: if, data: { title: I, content: "nodes.b = 'x'" } }\n  - { id: y, type: text, data: { title: Y, content: y } }\nedges: [i:true -> y]\n`,
    effects: ["a", "300000", "b", "cB-"],
  },
  kept: {
    text: `${cli("a", 'n=${state.n}; [ "$n" = "$(cat count || echo 0)" ] && echo a >> ran; printf \'["n","%s"]\\n\' "$((n + 1))" >> "$CURLEW_STATE"')}${cli("b", "echo ${state.n} > count; echo b >> ran")}edges: [a -> b]\nstate: { n: 0 }\n`,
    effects: ["a", "b"],
  },
  side: { text: letters.map((id) => cli(id, `sleep 0.0${id.length}; echo ${id} >> ran`)).join(""), effects: letters },
  loop: {
    text: `  - { id: l, type: loop-start, data: { title: L, iterations: 5 } }\n${cli("a", 'echo "${i}" >> ran')}  - { id: e, type: loop-end, data: { title: E } }\nedges: [l -> a -> e]\n`,
    effects: ["1", "2", "3", "4", "5"],
  },
  inside: {
    text: `${cli("a", "echo a >> ran")}  - { id: s, type: subflow, data: { title: S, workflow: child.flow.yaml } }\n${cli("b", "echo b >> ran")}edges: [a -> s -> b]\n`,
    files: {
      "child.flow.yaml": `curlew: 1\nname: child\nnodes:\n${cli("x", "echo x >> ran")}${cli("y", "echo y >> ran")}edges: [x -> y]\n`,
    },
    effects: ["a", "x", "y", "b"],
  },
};

test(`killed ${KILLS} times (seed ${SEED}): nothing happens twice, nothing is lost silently`, {
  timeout: 120_000 + KILLS * 20_000,
}, async () => {
  const random = randomFrom(SEED);
  let [kills, lost, round] = [0, 0, 0];
  const tookMs = new Map<string, number>();
  const homes = Object.entries(WORKFLOWS).map(([name, { text, files }]) => {
    const it = folder({ "k.flow.yaml": `curlew: 1\nname: ${name}\nnodes:\n${text}`, ...files });
    return { name, it, effects: WORKFLOWS[name]!.effects };
  });
  while (kills < KILLS) {
    const { name, it, effects } = homes[round++ % homes.length]!;
    // After a lost command, the test cannot know which value was stored last.
    const both = random() < 0.2 && name !== "kept";
    const killed = await once(it, tookMs.get(name), both, random);
    kills += killed.kills;
    if (killed.kills === 0) tookMs.set(name, killed.tookMs);
    const ran = existsSync(join(it.path, "ran"))
      ? it
          .read("ran")
          .trim()
          .split("\n")
          .map((line) => line.trim())
      : [];
    rmSync(join(it.path, "ran"), { force: true });
    const where = `seed ${SEED}, round ${round}, ${name}, run ${killed.run}`;
    if (killed.run === undefined) expect([where, ran]).toEqual([where, []]);
    else if (killed.status === "succeeded") expect([where, ran.toSorted()]).toEqual([where, effects.toSorted()]);
    else {
      lost += 1;
      expect([where, killed.both, killed.status, killed.failure]).toEqual([where, true, "failed", "attempt-lost"]);
      expect([where, new Set(ran).size]).toEqual([where, ran.length]);
    }
  }
  for (const { it } of homes)
    while (runnersOf(it.home).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  console.log(`${kills} kills in ${round} runs, seed ${SEED}: ${lost} runs said that an attempt was lost`);
});

interface Once {
  kills: number;
  both: boolean;
  /** Absent: it was killed before there was a run. */
  run: string | undefined;
  status?: string;
  failure?: string;
  tookMs: number;
}

/** One run, killed at random moments until it reaches its end. */
async function once(it: Folder, tookMs: number | undefined, both: boolean, random: () => number): Promise<Once> {
  const folderOfRuns = join(it.home, "runs");
  const before = new Set(existsSync(folderOfRuns) ? readdirSync(folderOfRuns) : []);
  const fromMs = performance.now();
  let kills = 0;
  let tookBoth = false;
  for (let args = ["run", "k.flow.yaml"]; ; ) {
    const program = started(join(ROOT, "bin/curlew"), args, it.path, {}, it.home);
    // The first run of each workflow shows how long it takes. Later ones are killed somewhere in that time, some more
    // than once.
    const kill = tookMs !== undefined && (kills === 0 || random() < 0.3);
    const timer = kill ? setTimeout(() => program.process.kill("SIGKILL"), random() * tookMs) : undefined;
    const { code } = await program.done;
    clearTimeout(timer);
    if (code === "SIGKILL") {
      kills += 1;
      if (both) {
        tookBoth ||= runnersOf(it.home).length > 0;
        await endRunners(it.home, "SIGKILL");
      }
    }
    const mine = readdirSync(folderOfRuns).filter((name) => !before.has(name));
    const outermost = mine.toSorted()[0];
    const view = outermost === undefined ? undefined : await seen(it, outermost);
    if (outermost === undefined || view === undefined)
      return { kills, both: tookBoth, run: undefined, tookMs: performance.now() - fromMs };
    if (["succeeded", "failed", "cancelled"].includes(view.status))
      return { kills, both: tookBoth, run: outermost, ...view, tookMs: performance.now() - fromMs };
    args = ["runs", "resume", outermost];
  }
}

/** Undefined: none of it is on record. */
async function seen(it: Folder, run: string): Promise<{ status: string; failure?: string } | undefined> {
  const shown = await started(join(ROOT, "bin/curlew"), ["runs", "show", run, "--json"], it.path, {}, it.home).done;
  if (shown.code !== 0) return undefined;
  const { status, failure } = JSON.parse(shown.stdout);
  const code: string | undefined = failure?.failure.code;
  return {
    status,
    ...(code === undefined
      ? {}
      : {
          failure: /Curlew can't tell whether the command finished/.test(JSON.stringify(failure))
            ? "attempt-lost"
            : code,
        }),
  };
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
