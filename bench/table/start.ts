// start: what a call of the program costs beyond the runtime's own start. Control: `node -e 0`.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { addition, cli, curlew, ended, flow, folder, quick, type Row, runFlow } from "./measure.ts";

const rounds = quick ? 5 : 25;
const bare = () => ended(spawnSync(process.execPath, ["-e", "0"]));

export const start = {
  version: async (): Promise<Row[]> => {
    const ours = () => ended(spawnSync(curlew, ["--version"]));
    return [await addition("curlew --version, over node -e 0", { ours, control: bare, rounds, mostMs: 25 })];
  },
  one: async (): Promise<Row[]> => {
    const file = flow([cli("a", "true")], []);
    const home = join(folder, "home-of-one");
    const ours = () => runFlow(file, home);
    return [
      await addition("curlew run of one true, over node -e 0", { ours, control: bare, rounds, mostMs: 80, adr: "42" }),
    ];
  },
  condition: async (): Promise<Row[]> => {
    const make = (content: string) =>
      flow([cli("a", "true"), { id: "b", type: "if", data: { title: "B", content } }], ["a -> b"]);
    const [plain, other] = [make(""), make("exitCode = 0")];
    const home = join(folder, "home-of-conditions");
    const given = {
      control: () => runFlow(plain, home),
      ours: () => runFlow(other, home),
      rounds: Math.ceil(rounds / 2),
    };
    const { figure } = await addition("", { ...given, mostMs: 0 });
    return [{ what: "the first expression of a run, over an If without one", figure, reach: "" }];
  },
};
