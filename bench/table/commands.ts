// commands: what a command node costs beyond the command. Control: the same shell, started by bash.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import {
  cli,
  curlew,
  ended,
  finished,
  flow,
  loop,
  names,
  quick,
  type Row,
  ratio,
  runArgs,
  runFlow,
} from "./measure.ts";

export const commands = {
  cold: async (): Promise<Row[]> => {
    const file = flow(
      names(100).map((id) => cli(id, "true")),
      [names(100).join(" -> ")],
    );
    const control = () =>
      ended(spawnSync("bash", ["-c", "for i in {1..100}; do bash --noprofile --norc -c true; done"]));
    return [
      await ratio("100 true in sequence, whole process, over a bash loop", {
        ours: () => runFlow(file),
        control,
        rounds: quick ? 1 : 7,
        most: 180 / 82,
        adr: "42",
      }),
    ];
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
