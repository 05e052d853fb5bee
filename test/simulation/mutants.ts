// mutants: ways to break the engine that the simulated world must notice. Each is one replacement in one file; the text stands there once.

import type { Mutant } from "../scheduler/mutants.ts";

export const mutants: Mutant[] = [
  {
    what: "a process is started before its attempt.started is on the disk",
    file: "src/engine/run-driver.ts",
    search: "    this.log.commit();\n    for (const attempt of this.ended",
    replace: "    setImmediate(() => this.guard(() => this.log.commit()));\n    for (const attempt of this.ended",
  },
  {
    what: "a retry time is forgotten",
    file: "src/scheduler/evolve.ts",
    search: "node.retryAtMs = Date.parse(retryAt);",
    replace: "node.retryAtMs = 0;",
  },
  {
    what: "what a death has taken runs again by itself",
    file: "src/engine/lost.ts",
    search: 'const repeats = isListener || (onLost === "retry" &&',
    replace: "const repeats = isListener || (true &&",
  },
  {
    what: "a command that outlived its engine is not looked for",
    file: "src/engine/following.ts",
    search: "const attempt = this.work.find(action, this.state(), before, this.growthOf(action, before.stem));",
    replace: "const attempt = before === undefined ? this.work.find(action, this.state(), before) : undefined;",
  },
];
