// safety: reads the command of a CLI node: whom it calls, what it sends, and what needs approval (spec 4.2).

export { curlNeedsPlainHttp, hostOf, isLoopbackHost, isLoopbackUrl, schemeOf } from "./addresses.ts";
export type { SafetyAsk } from "./asks.ts";
export { type CurlCall, type CurlOption, curlCalls, hasOption, lastOption } from "./curl.ts";
export type { PlainUse } from "./https-only.ts";
export { allowsPlain, inspect, isInspected, readCommand } from "./inspect.ts";
export { hostsIn, type Request, requestsOf } from "./requests.ts";
export { type Call, type Reading, type Script, scriptOf } from "./script.ts";
export { foreignStdinReader, STDIN_WORDS, type StdinReader, stdinReader } from "./stdin.ts";
export { type Meaning, NO_VALUES, parameterOf, type Source, type Term, tail, wordForMessage } from "./terms.ts";
