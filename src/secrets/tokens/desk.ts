// desk: everything that asks for tokens, behind one door: a file of its own in the package, loaded when a token is needed (scripts/build.ts).

export { createBroker, keptTokens, keyGroundOf } from "./broker.ts";
export { tokenFiles } from "./kept.ts";
export { login } from "./login.ts";
