// generate-listener: small workflows with a listener, generated from a seed; listener-oracle.ts predicts their results.

import type { Drawing, Drawn } from "./drawing.ts";
import { randomFrom } from "./generate.ts";

/** A listener, nodes before, beside and after it, and a body in which every edge leads from earlier to later nodes. */
export function listenerDrawing(seed: number): Drawing {
  const random = randomFrom(seed);
  const some = (share: number): boolean => random() < share;
  const below = (most: number): number => Math.floor(random() * most);
  const nodes: Drawn[] = [{ id: "listen", type: "cli", names: [], lines: below(5), max: 1 + below(3) }];
  const [listen] = nodes as [Drawn];
  if (some(0.03)) listen.lines = 120;
  if (some(0.2)) listen.stops = true;
  if (some(0.3)) listen.continueOnError = true;
  const edges: Drawing["edges"] = [];
  if (some(0.3)) {
    nodes.push({ id: "before", type: "text", names: [] });
    edges.push({ from: "before", to: "listen" });
  }
  if (some(0.3)) nodes.push({ id: "gate", type: some(0.5) ? "cli" : "text", names: [] });
  const gate = nodes.find(({ id }) => id === "gate");
  const body = Array.from({ length: 1 + below(5) }, (_, at): Drawn => {
    const type = (["cli", "cli", "text", "if", "accumulator"] as const)[below(5)] ?? "cli";
    const id = `n${at}`;
    if (type === "if") return { id, type, names: [], content: true };
    if (type === "accumulator") return { id, type, names: [], json: some(0.5) };
    return { id, type, names: [], ...(type === "cli" && some(0.4) ? { continueOnError: true } : {}) };
  });
  for (const [at, node] of body.entries()) {
    // An accumulator's value in an iteration depends on all iterations before, so it is compared after the listener.
    const sources = [listen, ...body.slice(0, at).filter(({ type }) => type !== "accumulator")];
    const taken = new Set([sources[below(sources.length)]!, ...(some(0.4) ? [sources[below(sources.length)]!] : [])]);
    for (const { id, type } of taken) {
      const handle =
        type === "if" ? String(some(0.5)) : id !== "listen" && type === "cli" && some(0.2) ? "error" : undefined;
      edges.push({ from: id, to: node.id, ...(handle === undefined ? {} : { handle }) });
    }
    if (gate !== undefined && some(0.4)) edges.push({ from: "gate", to: node.id });
    // Values by id. The edges of a node may be its references alone.
    if ((node.type !== "cli" && node.type !== "text") || some(0.6)) continue;
    const within = sources[below(sources.length)]!.id;
    if (node.type === "cli" && some(0.3)) node.stdin = within;
    else node.refs = [within];
    if (gate !== undefined && some(0.3)) node.refs = [...(node.refs ?? []), "gate"];
    if (some(0.3)) node.lenient = true;
    if (some(0.5)) for (const edge of edges.filter(({ to }) => to === node.id)) edges.splice(edges.indexOf(edge), 1);
  }
  nodes.push(...body);
  const collects = body.find(({ type }) => type === "accumulator");
  if (collects !== undefined && some(0.7)) nodes.push({ id: "after", type: "text", names: [collects.id] });
  if (some(0.2)) {
    nodes.push({ id: "alarm", type: "cli", names: [] });
    edges.push({ from: "listen", to: "alarm", handle: "error" });
  }
  if (some(0.3)) nodes.push({ id: "always", type: "text", names: [] });
  const script: Record<string, string> = {};
  if (some(0.6)) script.listen = (["ok", "fail", "lost", "retry", "timeout"] as const)[below(5)] ?? "ok";
  if (some(0.2)) script[`listen[${below(4)}]`] = "refused";
  for (const id of ["before", "gate", "after", "alarm", "always"]) script[id] = "ok";
  const always = nodes.some(({ id }) => id === "always") ? ["always"] : [];
  return { nodes, edges, finally: always, concurrency: 1 + below(3), script, seed };
}
