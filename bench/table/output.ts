// output: how fast a command's output reaches its file. Control: the same program with the file as its standard output.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cli, curlew, ended, flow, folder, fresh, quick, type Row, ratio, runArgs } from "./measure.ts";

export const output = {
  output: async (): Promise<Row[]> => {
    const bytes = quick ? 200_000_000 : 2_000_000_000;
    const command = `head -c ${bytes} /dev/zero`;
    // Two nodes, so that the output is not printed as the result.
    const file = flow([cli("big", command), cli("end", "true")], ["big -> end"]);
    const target = join(folder, "control");
    const home = () => join(folder, fresh("home"));
    const ours = (): void => {
      const place = home();
      ended(spawnSync(curlew, runArgs(file, place), { stdio: ["ignore", "ignore", "pipe"] }));
      rmSync(place, { recursive: true });
    };
    const control = (): void => {
      ended(spawnSync("bash", ["-c", `${command} > ${target}`]));
      rmSync(target);
    };
    const rows = [
      await ratio(`${bytes / 1e9} GB of output, over cmd > file`, {
        ours,
        control,
        rounds: quick ? 1 : 3,
        most: 1 / 0.7,
        adr: "42",
      }),
    ];
    if (!existsSync("/usr/bin/time")) return rows;
    const peak = (flowFile: string): number => {
      const place = home();
      const memory = join(folder, "memory");
      spawnSync("/usr/bin/time", ["-f", "%M", "-o", memory, curlew, ...runArgs(flowFile, place)], { stdio: "ignore" });
      rmSync(place, { recursive: true });
      return Number(readFileSync(memory, "utf8").trim().split("\n").at(-1)) / 1024;
    };
    const growth = peak(file) - peak(flow([cli("a", "true"), cli("end", "true")], ["a -> end"]));
    return [
      ...rows,
      {
        what: "  its memory, over a run without output",
        figure: `+ ${growth.toFixed(0)} MB`,
        reach: "≤ 64 MB",
        reached: growth <= 64,
      },
    ];
  },
};
