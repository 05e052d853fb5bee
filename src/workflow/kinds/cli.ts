// kinds/cli: runs a command or a script on this machine.

import * as z from "zod/mini";
import { isDangerousName, isImpossibleName, isReservedName } from "../../base/environment-names.ts";
import { limits } from "../../base/limits.ts";
import { referencesOf } from "../../shell/template.ts";
import { checkAuth } from "../check/auth.ts";
import { type Check, NAME, nodeName, zeroDurations } from "../check/context.ts";
import { checkEgress } from "../check/egress.ts";
import * as found from "../diagnostics/node.ts";
import { about, duration, either, filled, flag, oneOf, opt, seen, text, whole, words } from "../schema/fields.ts";
import {
  approval,
  auth,
  cache,
  continueOnError,
  egress,
  needsUserApproval,
  onLost,
  retry,
  runsOn,
  streamOutput,
  timeout,
  title,
} from "../schema/shared.ts";
import type { Path } from "../source-map.ts";
import type { Kind } from "./kind.ts";

const data = z.object({
  title,
  content: text("The command or script. Values of ${…} are passed as data, never as command text."),
  mode: opt(
    oneOf(
      ["command", "script"],
      "script runs the text as a file, and its first line (#!) can name the interpreter. Default command.",
    ),
  ),
  shell: opt(
    oneOf(
      ["bash", "sh", "zsh", "pwsh", "cmd"],
      "Shell that runs it. Default bash, otherwise sh (on Windows pwsh, otherwise cmd).",
    ),
  ),
  safetyLevel: opt(
    oneOf(["safe", "advanced"], "advanced never asks, so use it only for trusted endpoints. Default safe."),
  ),
  needsUserApproval: opt(needsUserApproval),
  streamOutput: opt(streamOutput),
  stdin: opt(
    z
      .object({
        source: oneOf(["parent-index", "parents-all", "node", "literal", "none"], "Source of stdin."),
        parentIndex: opt(whole("With parent-index: number of the parent, from 0.", 0)),
        literal: opt(text("With literal: the text. A template.")),
        node: opt(text("With node: the id of the node whose value is fed.")),
      })
      .register(seen, about("Standard input of the command: the id of a node, or an object. Default none.")),
  ),
  env: opt(
    z
      .object({
        static: opt(
          z
            .record(z.string(), z.string())
            .register(seen, about("Environment variables of the command. Values are templates.")),
        ),
        exposeParents: opt(flag("Export the parents' values as INPUT_1, INPUT_2, …")),
        names: opt(words("Names to use instead of INPUT_1, INPUT_2, … Needs exposeParents.")),
        inherit: opt(
          either(
            [z.boolean(), words("Names.")],
            "true, false or a list of names",
            "Variables of your environment that the command receives as well. true passes all.",
          ),
        ),
      })
      .register(seen, about("Environment of the command.")),
  ),
  flags: opt(
    z
      .object({
        executionPolicyBypass: opt(flag("Starts pwsh with -ExecutionPolicy Bypass. Needs safetyLevel: advanced.")),
        exitOnError: opt(flag("Stops at the first command that fails (set -e).")),
        pipefail: opt(flag("A pipe fails if one of its commands fails (set -o pipefail). Default true.")),
        unsetVars: opt(flag("Fails on variables that are not set (set -u).")),
        noProfile: opt(flag("Skips the rc and profile files of the shell. Default true.")),
      })
      .register(seen, about("Options of the shell.")),
  ),
  cwd: opt(filled("Folder in which it runs. A template. Default: the folder of the workflow file.")),
  timeout: opt(timeout),
  idleTimeout: opt(duration("Ends the attempt after this long without output.")),
  killGrace: opt(duration("Time between SIGTERM and SIGKILL. Default 5s.")),
  retry: opt(retry),
  successExitCodes: opt(
    z
      .array(whole("An exit code.", 0, 255))
      .check(z.minLength(1))
      .register(seen, about("Exit codes that mean success. Default [0].")),
  ),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
  output: opt(
    z
      .object({
        format: opt(
          oneOf(
            ["text", "json", "lines"],
            "json fails the node if the output is not valid JSON. lines reads one JSON value per line, which select sees as a list. Default text.",
          ),
        ),
        select: opt(filled("Expression that picks the value from the output.")),
      })
      .register(seen, about("How the output becomes the node's value.")),
  ),
  cache: opt(cache),
  rateLimit: opt(
    z
      .object({
        key: filled("Nodes with the same key share the limit."),
        limit: whole("Starts allowed in each period.", 1, limits.budgetMost),
        per: duration("Length of the period."),
      })
      .register(seen, about("A budget shared by all runs of this data directory.")),
  ),
  concurrency: opt(
    z
      .object({
        key: filled("Nodes with the same key share the limit."),
        limit: whole("Nodes that may run at a time.", 1, limits.budgetMost),
      })
      .register(seen, about("A limit shared by all runs of this data directory.")),
  ),
  approval: opt(approval),
  auth: opt(auth),
  httpErrors: opt(
    oneOf(["fail", "warn", "ignore"], "How to treat an HTTP 4xx or 5xx when the command exits 0. Default warn."),
  ),
  sandbox: opt(
    oneOf(
      ["none", "no-network", "read-only", "strict"],
      "Limits the files and the network that the command can use. Default none.",
    ),
  ),
  egress: opt(egress),
  runsOn: opt(runsOn),
  emit: opt(oneOf(["lines"], "lines starts the nodes after it once for each line of output.")),
  maxConcurrency: opt(whole("Lines processed at a time. Needs emit. Default 1.", 1)),
  onLineFailure: opt(
    oneOf(
      ["continue", "fail"],
      "continue: a failed node ends only its own line. fail: it ends the run. Needs emit. Default continue.",
    ),
  ),
});

interface CliNode {
  id: string;
  data: z.infer<typeof data>;
}

export const cli: Kind<typeof data> = {
  name: "CLI",
  longName: "Command",
  data,
  runs: true,
  texts: {
    content: "script",
    "env.static": "templates",
    "stdin.literal": "own",
    cwd: "own",
    "cache.key": "template",
    "rateLimit.key": "template",
    "concurrency.key": "template",
    auth: "templates",
    "approval.prompt": "template",
    "output.select": "expression",
    "retry.on": "expression",
  },
  check: checkCli,
  isJson: ({ output }) => output?.format === "json",
};

function checkCli(node: CliNode, path: Path, check: Check): void {
  const { data } = node;
  if (data.content.trim() === "")
    check.report(found.emptyContent(check.at([...path, "content"]), nodeName(node), "cli"));
  checkStdin(node, path, check);
  checkEnv(node, path, check);
  if (data.flags?.executionPolicyBypass === true && data.safetyLevel !== "advanced")
    check.report(found.policyBypassNotAdvanced(check.at([...path, "flags", "executionPolicyBypass"], "key")));
  if (data.needsUserApproval === true && data.safetyLevel === "advanced")
    check.report(found.approvalBypassed(check.at([...path, "needsUserApproval"], "key")));
  zeroDurations(data, ["timeout", "idleTimeout"], path, check);
  zeroDurations(data.approval, ["timeout"], [...path, "approval"], check);
  zeroDurations(data.rateLimit, ["per"], [...path, "rateLimit"], check);
  zeroDurations(data.cache, ["ttl"], [...path, "cache"], check);
  if (data.auth !== undefined) checkAuth(data.auth, [...path, "auth"], check);
  checkEgress(data.egress, [...path, "egress"], check);
}

function checkStdin(node: CliNode, path: Path, check: Check): void {
  const { stdin } = node.data;
  if (stdin === undefined) return;
  const { source, parentIndex, literal, node: id } = stdin;
  const at: Path = [...path, "stdin"];
  if (id !== undefined && source !== "node")
    check.report(found.stdinMismatch(check.at([...at, "node"], "key"), "node", "node", source));
  if (source === "node" && id === undefined) check.report(found.stdinMissing(check.at(at, "key"), "node", source));
  if (source === "node" && id !== undefined && !check.graph.indexOf.has(id) && !check.draft.broken.has(id))
    check.report(found.unknownNode(check.at([...at, "node"]), id, check.graph.indexOf.keys()));
  if (literal !== undefined && source !== "literal")
    check.report(found.stdinMismatch(check.at([...at, "literal"], "key"), "literal", "literal", source));
  if (parentIndex !== undefined && source !== "parent-index")
    check.report(found.stdinMismatch(check.at([...at, "parentIndex"], "key"), "parentIndex", "parent-index", source));
  if (source === "literal" && literal === undefined)
    check.report(found.stdinMissing(check.at(at, "key"), "literal", source));
  if (source !== "parent-index") return;
  const parents = check.parentsOf(node.id);
  if ((parentIndex ?? 0) >= parents.length)
    check.report(
      found.parentIndexOutOfRange(
        check.at([...at, parentIndex === undefined ? "source" : "parentIndex"]),
        parentIndex ?? 0,
        parents,
      ),
    );
}

function checkEnv(node: CliNode, path: Path, check: Check): void {
  const { env } = node.data;
  if (env === undefined) return;
  for (const [name, value] of Object.entries(env.static ?? {}))
    checkEnvName(name, () => check.at([...path, "env", "static", name], "key"), check, referencesOf(value).length > 0);
  for (const [index, name] of (Array.isArray(env.inherit) ? env.inherit : []).entries()) {
    const at = () => check.at([...path, "env", "inherit", index]);
    // An inherited value is the machine owner's, not a runtime value. A variable that is passed by default needs no
    // warning.
    if (isImpossibleName(name)) check.report(found.badEnvName(at(), name));
    else if (check.options.passesEnvironment?.(name) !== true && isDangerousName(name) && !isReservedName(name))
      check.report(found.dangerousEnv(at(), name));
  }
  if (env.names === undefined) return;
  const parents = check.parentsOf(node.id);
  if (env.exposeParents !== true) check.report(found.namesWithoutExpose(check.at([...path, "env", "names"], "key")));
  else if (env.names.length > parents.length)
    check.report(found.namesBeyondParents(check.at([...path, "env", "names"], "key"), env.names.length, parents));
  for (const [index, name] of env.names.entries())
    checkEnvName(name, () => check.at([...path, "env", "names", index]), check, true);
}

/** `isValue`: the variable's value is known only at run time. */
function checkEnvName(name: string, at: () => ReturnType<Check["at"]>, check: Check, isValue: boolean): void {
  if (!NAME.test(name)) check.report(found.badEnvName(at(), name));
  else if (isReservedName(name)) check.report(found.reservedEnvName(at(), name));
  else if (isDangerousName(name))
    check.report(isValue ? found.dangerousEnvTemplate(at(), name) : found.dangerousEnv(at(), name));
}
