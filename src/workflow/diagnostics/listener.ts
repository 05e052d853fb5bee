import { error, excerpt, warning } from "./base.ts";

export const listenerInLoop = error("listener-in-loop", (node: string, around: string, listener: boolean) => [
  listener
    ? `The listener "${excerpt(node)}" comes after the listener "${excerpt(around)}", so it would start once per line.`
    : `The listener "${excerpt(node)}" is in loop "${excerpt(around)}", which could not continue until the listener ends.`,
  "Move it out of the loop, or into a separate workflow that a subflow node runs.",
]);
export const listenerErrorIntoBody = error("listener-error-into-body", (node: string, listener: string) => [
  `"${excerpt(node)}" runs for each line of "${excerpt(listener)}", so the error branch of "${excerpt(listener)}" cannot lead to it.`,
  "Connect the error branch to other nodes.",
]);
export const listenerWithoutEdges = warning("listener-without-edges", (node: string) => [
  `The listener "${excerpt(node)}" has no nodes after it, so its lines start nothing.`,
  `Add an edge from it, or remove "emit".`,
]);
export const listenerInFinally = error("listener-in-finally", (node: string) => [
  `"${excerpt(node)}" runs at the end of the run ("finally"), so its lines cannot start nodes.`,
  `Remove "emit". The value of a finally node is its whole output.`,
]);
export const emitWithout = error("emit-field-without-effect", (field: string, wanted: string) => [
  `"${field}" of a command has no effect without "${wanted}".`,
  `Add "${wanted}", or remove "${field}".`,
]);
export const emitWithCache = error("emit-with-cache", (node: string) => [
  `The listener "${excerpt(node)}" cannot have a cache, because each of its lines comes only once.`,
  `Remove "cache". A node after it may have one.`,
]);
export const emitWithLines = error("emit-with-lines", (node: string) => [
  `The listener "${excerpt(node)}" cannot have format: lines, because each line is a separate value.`,
  `If every line is JSON, write format: json. Otherwise remove "format".`,
]);
export const listenerSecret = error("listener-secret", (node: string) => [
  `A secret Variable cannot take its value from the listener "${excerpt(node)}", whose output is stored in a file.`,
  "Fetch the secret in a node after the listener, and connect that node to the Variable.",
]);
export const listenerOutcome = error("listener-outcome", (node: string, listener: string) => [
  `"${excerpt(node)}" has no condition, so it checks the success of "${excerpt(listener)}", which has not ended when a line comes.`,
  'Add a condition for the line, such as inputs[0].status = "open", or use the handle "error" of the listener.',
]);
export const outputOfLines = error("output-in-loop", (id: string, listener: string) => [
  `"output" names "${excerpt(id)}", which has one value for each line of "${excerpt(listener)}".`,
  "Collect the values in an Accumulator after it. Then name a Text node that reads its variable and has no edge from there.",
]);
