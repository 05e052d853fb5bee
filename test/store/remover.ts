// remover: a process that removes runs and is killed on the way. `node remover.ts HOME STEP WHAT`. STEP: before, within
// or after the files of the first run, or `between` the folders of two. WHAT: a run, or `all` for retention.

import fs from "node:fs";
import path from "node:path";
import { openStore } from "../../src/store/store.ts";
import { dead } from "./fixture.ts";

const [home, step, what] = process.argv.slice(2) as [string, string, string];
const die = (): void => {
  process.kill(process.pid, "SIGKILL");
};
const remove = fs.rmSync;
let folders = 0;
fs.rmSync = (folder, options) => {
  folders += 1;
  if (step === "before" || (step === "between" && folders === 2)) die();
  if (step === "within") {
    const [first = ""] = fs.readdirSync(folder);
    remove(path.join(String(folder), first));
    die();
  }
  remove(folder, options);
  if (step === "after") die();
};

const opened = openStore(home);
if (!opened.ok) throw new Error(opened.error.message);
if (what === "all") opened.value.removeLeaving({ keep: 0 }, dead);
else opened.value.removeRun(what, dead);
