// commands: what a node with a command costs beyond the command. Controls: the same shell, started by a bare Node loop or by bash.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import {
  cli,
  curlew,
  ended,
  finished,
  flow,
  freshFolder,
  loop,
  names,
  quick,
  type Row,
  ratio,
  runArgs,
  runFlow,
} from "./measure.ts";
import { programOf, versionOf } from "./others.ts";

const rounds = quick ? 1 : 3;
const SHELL = ["--noprofile", "--norc", "-p"];

export const commands = {
  sequence: async (): Promise<Row[]> => {
    const count = quick ? 100 : 1_000;
    const file = flow(
      names(count).map((id) => cli(id, "true")),
      [names(count).join(" -> ")],
    );
    const given = { ours: () => runFlow(file), control: () => bareLoop(count, 1), rounds, most: 1.25, adr: "42" };
    return [await ratio(`${count} true in sequence, over a bare Node loop`, given)];
  },
  fanOut: async (): Promise<Row[]> => {
    const count = quick ? 100 : 1_000;
    const file = flow(
      names(count).map((id) => cli(id, "true")),
      [],
      { concurrency: 8 },
    );
    const given = { ours: () => runFlow(file), control: () => bareLoop(count, 8), rounds, most: 1.25, adr: "42" };
    return [await ratio(`${count} true, 8 at a time, over a bare Node loop`, given)];
  },
  cold: async (): Promise<Row[]> => {
    const file = flow(
      names(100).map((id) => cli(id, "true")),
      [names(100).join(" -> ")],
    );
    const control = () =>
      ended(spawnSync("bash", ["-c", "for i in {1..100}; do bash --noprofile --norc -c true; done"]));
    const turns = quick ? 1 : 7;
    const rows = [
      await ratio("100 true in sequence, whole process, over a bash loop", {
        ours: () => runFlow(file),
        control,
        rounds: turns,
        most: 180 / 82,
        adr: "42",
      }),
    ];
    const place = freshFolder("others");
    for (const [name, file, text, args] of OTHERS) {
      const program = programOf(name);
      const what = `the same by ${name}${program === undefined ? "" : ` ${versionOf(program)}`}, without a history`;
      if (program === undefined) {
        rows.push({ what, figure: "left out: not installed", reach: "" });
        continue;
      }
      writeFileSync(join(place, file), text);
      const ours = () => ended(spawnSync(program, args, { cwd: place, stdio: ["ignore", "ignore", "pipe"] }));
      rows.push(await ratio(what, { ours, control, rounds: turns }));
    }
    return rows;
  },
  curl: async (): Promise<Row[]> => {
    const server = createServer((_, response) => response.end("ok"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const call = `curl --silent --fail --max-time 5 http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const [first, last] = loop(100);
    const file = flow([first!, cli("call", call), last!], ["loop -> call -> end"]);
    // The server lives in this process: nothing here may block it.
    const row = await ratio("loop of 100 curl calls, over a bash loop", {
      ours: () => finished(curlew, runArgs(file)),
      control: () => finished("bash", ["-c", `for i in {1..100}; do ${call}; done`]),
      rounds: quick ? 1 : 5,
      most: 1.45,
      adr: "42",
    });
    server.close();
    return [row];
  },
};

/** The same graph for other runners: each command depends on the one before. */
const OTHERS: [program: string, file: string, text: string, args: string[]][] = [
  [
    "make",
    "Makefile",
    `SHELL = /bin/bash\n.PHONY: ${names(100).join(" ")}\n${names(100)
      .map((id, at) => `${id}:${at === 0 ? "" : ` n${at - 1}`}\n\tbash --noprofile --norc -c true\n`)
      .join("")}`,
    ["--silent", "n99"],
  ],
  [
    "just",
    "justfile",
    `set shell := ["bash", "-c"]\n${names(100)
      .map((id, at) => `${id}:${at === 0 ? "" : ` n${at - 1}`}\n  @bash --noprofile --norc -c true\n`)
      .join("")}`,
    ["--justfile", "justfile", "n99"],
  ],
];

/** The control: the same shell started by Node, output to files, nothing recorded. */
async function bareLoop(count: number, atOnce: number): Promise<void> {
  const place = freshFolder("bare");
  const script = join(place, "script");
  writeFileSync(script, "true\n");
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const [out, err] = ["out", "err"].map((name) => openSync(join(place, `${next}.${name}`), "w"));
      next += 1;
      await once(spawn("bash", [...SHELL, script], { stdio: ["ignore", out!, err!] }), "close");
      closeSync(out!);
      closeSync(err!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  rmSync(place, { recursive: true });
}
