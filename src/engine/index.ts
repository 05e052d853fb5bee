// engine: opens the store and drives runs on this machine (spec 3.1, 5.1). The only room that connects the scheduler to
// I/O.

export type { Engine, EngineOptions, RerunRequest, RunHandle, RunOutcome, RunRequest } from "./contract.ts";
export { StoreFault } from "./driver/recording.ts";
export { openEngine } from "./open.ts";
