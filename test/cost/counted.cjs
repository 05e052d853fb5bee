// Loaded before the program: counts what it does and writes the counts at its end to the file that COUNTED names.
"use strict";
const fs = require("node:fs");
const childProcess = require("node:child_process");
const { StatementSync } = require("node:sqlite");

const counts = { commits: 0, processes: 0, files: 0 };
const write = fs.writeFileSync;

const run = StatementSync.prototype.run;
StatementSync.prototype.run = function (...values) {
  if (this.sourceSQL === "COMMIT") counts.commits += 1;
  return run.apply(this, values);
};
const spawn = childProcess.ChildProcess.prototype.spawn;
childProcess.ChildProcess.prototype.spawn = function (...given) {
  counts.processes += 1;
  return spawn.apply(this, given);
};
for (const name of ["spawnSync", "execFileSync", "execSync"]) {
  const original = childProcess[name];
  childProcess[name] = (...given) => {
    counts.processes += 1;
    return original(...given);
  };
}
for (const [name, original] of Object.entries(fs))
  if (/Sync$/.test(name) && typeof original === "function")
    fs[name] = Object.assign((...given) => {
      counts.files += 1;
      return original(...given);
    }, original);
process.on("exit", () => {
  const loaded = Object.keys(require.cache).filter((file) => file !== __filename);
  const builtins = process.moduleLoadList.filter((one) => one.startsWith("NativeModule ")).length;
  write(
    process.env.COUNTED,
    JSON.stringify({ ...counts, builtins, loaded: loaded.map((file) => file.split("/").at(-1)) }),
  );
});
