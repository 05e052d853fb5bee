// check/command: what is found in one command, from what it is given here alone: check/safety.ts keeps it as long as that stays the same.
//   N1. Whatever a finding follows from is one of the facts, or asked.

import * as told from "../diagnostics/safety.ts";
import type { CliNode, Workflow } from "../model.ts";
import type { PlainUse } from "../safety/https-only.ts";
import { allowsPlain, inspect, readCommand } from "../safety/inspect.ts";
import { curlFindings } from "../safety/lints/curl.ts";
import { evaluationFindings } from "../safety/lints/evaluation.ts";
import { type Finding, finding } from "../safety/lints/finding.ts";
import { hiddenFindings } from "../safety/lints/hidden.ts";
import { hostFindings } from "../safety/lints/hosts.ts";
import { secretFindings } from "../safety/lints/secrets.ts";
import { shellFindings } from "../safety/lints/shell.ts";
import { requestsOf } from "../safety/requests.ts";
import type { Source } from "../safety/script.ts";
import type { Places } from "../safety/writes.ts";
import { referencesOf } from "../template.ts";

export interface CommandFacts {
  drawn: CliNode;
  places: Places;
  /** What standard input brings (safety/inspect.ts). */
  stdin: string | undefined;
  /** How many. */
  parents: number;
  workflow: { timeout: Workflow["timeout"] | undefined; egress: Workflow["egress"] | undefined };
}

export interface CommandAsks extends Source {
  known(root: string): boolean;
}

export interface InCommand {
  /** Places are of the command. */
  told: Finding[];
  /** Names that its calls begin with. */
  begins: string[];
}

export async function commandFindings(facts: CommandFacts, ask: CommandAsks): Promise<InCommand> {
  const { drawn, workflow } = facts;
  const { data } = drawn;
  const exported = Object.keys(data.env?.static ?? {}).filter((name) => data.env?.static?.[name]?.includes("${"));
  const secret = hasSecret(data.content, exported, ask);
  const always = secret || exported.length > 0 || data.env?.exposeParents === true;
  const reading = await readCommand(data.content, ask.known, always);
  const hidden = hiddenFindings(data.content);
  if (reading === undefined) return { told: hidden, begins: [] };

  const { asks, plain, script } = inspect(reading, ask, drawn, facts.places, facts.stdin);
  const isAsked = data.safetyLevel !== "advanced" && data.needsUserApproval !== true;
  const values = new Map(
    [...exported, ...parentNames(facts)]
      .filter((name) => !isNumber(name, data.env?.static))
      .map((name) => [name, ask.exported(name)?.untrusted]),
  );
  const hasHosts = typeof (data.egress ?? workflow.egress) === "object";
  return {
    told: [
      ...hidden,
      ...asks.slice(0, isAsked ? 1 : 0).map((first) =>
        finding(first, (at) =>
          told.asksApproval(
            at,
            asks.map(({ message }) => message),
          ),
        ),
      ),
      ...plain.flatMap((use) => plainFinding(use, drawn, workflow)),
      ...curlFindings(script, {
        decidesOnHttpErrors: data.httpErrors === "fail" || data.httpErrors === "ignore",
        hasTimeLimit: data.timeout !== undefined || data.idleTimeout !== undefined || workflow.timeout !== undefined,
      }),
      ...secretFindings(script, data.content, secret, new Set(Object.keys(data.env?.static ?? {}))),
      ...shellFindings(script, dialectOf(drawn), values),
      ...evaluationFindings(script),
      ...(isAsked && !hasHosts ? hostFindings(script) : []),
    ],
    begins: script.calls.flatMap((call) =>
      requestsOf(call).flatMap(({ urls }) => urls.flatMap(({ pieces }) => pieces[0]?.value?.name ?? [])),
    ),
  };
}

function plainFinding(use: PlainUse, node: CliNode, workflow: CommandFacts["workflow"]): Finding[] {
  const open = allowsPlain(node, workflow);
  const { seen } = use;
  const one = (tell: Finding["tell"]) => [finding(use.at, tell)];
  if (use.kind === "bypass") return open ? [] : one((at) => told.curlConfigBypassed(at, seen));
  if (use.kind === "forgets-auth")
    return one((at) => told.curlNextForgets(at, seen, "auth", node.data.safetyLevel !== "advanced"));
  if (use.kind === "forgets-https") return open ? [] : one((at) => told.curlNextForgets(at, seen, "https", true));
  if (use.loopback) return [];
  if (use.kind === "in-program") return one((at) => told.httpUrl(at, seen, false));
  if (use.kind === "led-away") return open ? [] : one((at) => told.httpLedAway(at, seen));
  const tell = open ? told.httpUrl : told.httpNotAllowed;
  return one((at) => tell(at, seen, use.kind === "no-scheme"));
}

/** Whatever comes, it is a number, or the node fails. */
function isNumber(name: string, statics: Readonly<Record<string, string>> = {}): boolean {
  return Object.hasOwn(statics, name) && referencesOf(statics[name]!).every(({ filter }) => filter === "int");
}

/** Variables that hold what the parents hand on. */
function parentNames({ parents, drawn }: CommandFacts): string[] {
  const { env } = drawn.data;
  if (env?.exposeParents !== true) return [];
  return Array.from({ length: parents }, (_, index) => env.names?.[index] ?? `INPUT_${index + 1}`);
}

function hasSecret(content: string, exported: readonly string[], source: Source): boolean {
  return (
    referencesOf(content).some((reference) => source.meaningOf(reference).secret !== undefined) ||
    exported.some((name) => source.exported(name)?.secret !== undefined)
  );
}

function dialectOf({ data }: CliNode): "bash" | "sh" | "zsh" {
  const line = data.mode === "script" ? /^#!.*/.exec(data.content)?.[0] : undefined;
  const named = line === undefined ? data.shell : (/(bash|zsh)/.exec(line)?.[1] ?? "sh");
  return named === "zsh" || named === "sh" ? named : "bash";
}
