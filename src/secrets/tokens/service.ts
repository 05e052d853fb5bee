// Exports everything for requesting tokens. It is a separate file of the package, loaded when a
// token is needed (scripts/build.ts).

export { createBroker, keptTokens } from "./broker.ts";
export { tokenFiles } from "./kept.ts";
export { login } from "./login.ts";
