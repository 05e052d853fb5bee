// folder: resolves the working directory of a command (spec 1.2 `cwd`, 4.3 S12).
//   F1. The author's text decides where a command runs: a value known only at run time stays below the folder before it
//       (ADR 30). `work/${1}` with `../../etc` is rejected, and so is a link in `work` that leads out of it.
//   F2. Values chosen by the person who starts the run count as the author's text: inputs, the environment, and texts
//       made only of them.

import { realpathSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { type Failure, failureOf } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseTemplate } from "../../shell/template.ts";
import type { CliNode, Workflow } from "../../workflow/model.ts";
import { type NodeContext, renderText } from "../context.ts";

/** An absolute path of an existing folder. Failures: `cwd-missing`, `cwd-outside`, and those of templates. */
export function folderOf(
  node: CliNode,
  statics: Readonly<Record<string, string>>,
  context: NodeContext,
): Result<string, Failure> {
  const { cwd } = node.data;
  if (cwd === undefined) return ok(context.folder);
  const text = renderText(cwd, context, statics);
  if (!text.ok) return text;
  const folder = resolve(context.folder, text.value);
  const within = anchorOf(node, cwd, statics, context);
  if (!within.ok) return within;
  if (within.value !== undefined && !liesIn(folder, within.value)) return err(outside(folder, within.value));
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true)
    return err({
      code: "cwd-missing",
      message: `The working directory ${JSON.stringify(folder)} ${stat === undefined ? "does not exist" : "is not a folder"}.`,
      hint: "cwd is relative to the folder of the workflow file.",
    });
  if (within.value !== undefined && !liesIn(realpathSync(folder), realpathSync(within.value)))
    return err(outside(realpathSync(folder), within.value));
  return ok(folder);
}

/** The folder named by the text before the first run-time value. Undefined if there is no such value. */
function anchorOf(
  node: CliNode,
  cwd: string,
  statics: Readonly<Record<string, string>>,
  context: NodeContext,
): Result<string | undefined, Failure> {
  const first = parseTemplate(cwd).find(
    (part) => part.kind === "reference" && !isChosen(part.root, node, context, CHAIN_MAX),
  );
  if (first === undefined || first.kind !== "reference") return ok(undefined);
  const before = renderText(cwd.slice(0, first.start), context, statics);
  if (!before.ok) return before;
  // `work-${1}` names sibling folders, so the limit is their parent folder.
  return ok(resolve(context.folder, /[\\/]$/.test(before.value) ? before.value : dirname(`${before.value}x`)));
}

/** Variables may refer to variables. A longer chain counts as a run-time value. */
const CHAIN_MAX = 8;

/** F2. Follows the name order of spec 1.3. `node` is given where its env.static applies. */
function isChosen(root: string, node: CliNode | undefined, context: NodeContext, chain: number): boolean {
  if (/^[0-9]/.test(root) || context.loop()[root] !== undefined || chain === 0) return false;
  const isText = (text: string): boolean =>
    parseTemplate(text).every((part) => part.kind === "text" || isChosen(part.root, undefined, context, chain - 1));
  const own = node?.data.env?.static;
  if (own !== undefined && Object.hasOwn(own, root)) return isText(own[root]!);
  if (context.variable(root) !== undefined) {
    const text = unfedVariable(root, context.workflow);
    return text !== undefined && isText(text);
  }
  if (context.workflow.nodes.some(({ id }) => id === root) && !Object.hasOwn(context.inputs, root)) return false;
  return !context.workflow.secrets.includes(root);
}

function unfedVariable(name: string, { nodes, edges }: Workflow): string | undefined {
  const named = nodes.filter((node) => "variableName" in node.data && node.data.variableName === name);
  const [node] = named;
  if (named.length !== 1 || node?.type !== "variable" || edges.some((edge) => edge.target === node.id))
    return undefined;
  return node.data.content ?? node.data.initialValue;
}

function liesIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

const outside = failureOf("cwd-outside", (folder: string, within: string) => [
  `A value in cwd leads out of ${JSON.stringify(within)}, to ${JSON.stringify(folder)}.`,
  "A value in cwd must stay below the text before it. To allow any folder, write: cwd: /${…}",
]);
