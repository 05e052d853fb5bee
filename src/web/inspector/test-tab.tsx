// TestTab: runs only this node with the parents' last outputs or pasted values, everything up to it, or it and the
// nodes after it (spec 2.3, ui 6.3). The rules of any run apply, approvals among them. The canvas and the bottom panel
// show the result.

import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { at } from "../../api/address.ts";
import type { StartedRun, StartRun } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { checkInputs } from "../../workflow/inputs.ts";
import type { Workflow } from "../../workflow/model.ts";
import { inputsAsked } from "../../workflow/triggers/index.ts";
import { useActions } from "../app/actions.ts";
import { InputField } from "../app/input-field.tsx";
import { startRun, useNotStarted } from "../app/start-run.tsx";
import { edgeData } from "../canvas/edge-data.ts";
import { ask, Refusal } from "../client/api.ts";
import { problemOf } from "../client/queries.ts";
import { getIn, secretsIn, titleOf } from "../document/plain.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { inputClass } from "../ui/field.tsx";
import { focusSoon } from "../ui/focus.ts";
import { Problem } from "../ui/problem.tsx";
import { usePanel } from "./context.ts";
import { Preview } from "./fields/choices.tsx";
import { SelectField } from "./fields/controls.tsx";
import { Found, isError } from "./fields/frame.tsx";
import { parentsOf } from "./scope.ts";
import { useTestOf } from "./tests.ts";
import type { LastValues } from "./values.ts";

interface TestDeps {
  /** Writes unsaved changes before the test. */
  save?: () => Promise<void>;
  /** `isTest`: only this node runs. */
  onRun?: (run: string, isTest: boolean) => void;
  /** Shows the tab: it says why a test was not started. */
  shown: () => void;
}

type Start = "alone" | "to" | "from";
const PANEL = "[data-part=inspector]";

/** Starts tests of the selected node. The keys work wherever the panel is shown. */
export function useTest({ save, onRun, shown }: TestDeps) {
  const { doc, graph, node, last, findings, isChecked } = usePanel();
  const id = node?.id ?? "";
  // Saving can rename the node, because its id follows its title.
  const latest = useRef({ id, doc, node });
  latest.current = { id, doc, node };
  // Saving also takes what a field has not reported yet, so the findings of before say nothing.
  const isInvalid = useRef(false);
  isInvalid.current = isChecked && findings.all.some(isError);
  const test = useTestOf(doc.file, id);
  const notStarted = useNotStarted();
  const saved = async () => {
    await save?.().catch((reason: Error) => {
      throw refusal(reason.message);
    });
    if (isInvalid.current) throw refusal("Fix the errors of the workflow first.", INVALID);
  };
  const startOnly = async (only: (id: string) => NonNullable<StartRun["only"]>) => {
    const read = checkInputs(inputsAsked(graph.workflow), inputsFor(graph.workflow, last, test.inputs), "text");
    if (!read.ok) throw refusal(read.error.map(({ message }) => message).join(" "));
    await saved();
    const pinned = Object.keys(test.pasted).length === 0 ? undefined : { ...test.pasted };
    const now = latest.current;
    const body = { only: { ...only(now.id), pinned }, inputs: read.value };
    const data = now.node?.effective ?? {};
    const named = getIn(now.doc.plain?.auth, [String(data.auth)]);
    return startRun(doc.file, body, secretsIn(now.doc, JSON.stringify([data, named])));
  };
  // Nodes before this one keep their outputs from the last run. The nodes to run are read from the file.
  const startFrom = async () => {
    if (last.whole === undefined)
      throw refusal("Run the workflow once first, so that Curlew can reuse the results of the nodes before this one.");
    await saved();
    const body = { from: latest.current.id, current: true };
    return ask<StartedRun>(at("runs", last.whole, "retry"), { method: "POST", body });
  };
  const start = useMutation({
    mutationFn: (how: Start) => {
      if (how === "from") return startFrom();
      if (how === "to") return startOnly((to) => ({ to }));
      const parents = parentsOf(graph, id).flatMap(({ node: parent }) => parent ?? []);
      const run = last.holding(parents.filter((parent) => test.pasted[parent] === undefined));
      return startOnly((node) => ({ node, run }));
    },
    onSuccess: ({ id: run }, how) => onRun?.(run, how === "alone"),
    onError: (reason, how) => {
      const name = node === undefined ? "" : titleOf({ ...node });
      if (problemOf(reason).code === "secret-missing")
        return notStarted(name, reason, doc.file, () => start.mutate(how));
      shown();
      if (document.activeElement?.closest(PANEL) != null)
        focusSoon(() => document.querySelector<HTMLElement>(`${PANEL} [role=tabpanel][data-state=active]`));
    },
  });
  const begin = (how: Start) => () => start.mutate(how);
  const action = { inFields: true, disabled: node === undefined || start.isPending };
  useActions("Node", [
    { id: "node.test", title: "Test this node", keys: "Ctrl+Enter", ...action, run: begin("alone") },
    { id: "node.run-from", title: "Run from here", keys: "Ctrl+Alt+Enter", ...action, run: begin("from") },
    { id: "node.run-to", title: "Run to here", keys: "Ctrl+Shift+Enter", ...action, run: begin("to") },
  ]);
  return { begin, start, test };
}

/** As the server says it. */
const INVALID = "document-invalid";

function refusal(detail: string, code = "not-started"): Refusal {
  return new Refusal({ type: "about:blank", title: "It was not started", status: 0, code, detail });
}

/** Values that the user typed, otherwise those of the newest run. The rest are defaults. */
function inputsFor(
  workflow: Workflow,
  { inputs: before }: LastValues,
  typed: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = Object.keys(inputsAsked(workflow)).map((name) => [name, typed[name] ?? before[name] ?? ""] as const);
  return Object.fromEntries(given.filter(([, text]) => text !== ""));
}

export function TestTab({ running }: { running: ReturnType<typeof useTest> }) {
  const { graph, node, last } = usePanel();
  const { begin, start, test } = running;
  const busy = (how: Start) => start.isPending && start.variables === how;
  const parents = parentsOf(graph, node?.id ?? "");
  const specs = inputsAsked(graph.workflow);
  return (
    <div className="flex flex-col gap-4">
      {Object.entries(specs).map(([name, spec]) => (
        <InputField
          key={name}
          name={name}
          spec={spec}
          text={test.inputs[name] ?? last.inputs[name] ?? ""}
          error={undefined}
          onChange={(text) => test.give(name, text)}
        />
      ))}
      {parents.map((parent) => (
        <ParentInput key={parent.name} name={parent.name} from={parent.from} id={parent.node ?? ""} test={test} />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" shortcut="Ctrl+Enter" busy={busy("alone")} onClick={begin("alone")}>
          Test this node
        </Button>
        <Button shortcut="Ctrl+Shift+Enter" busy={busy("to")} onClick={begin("to")}>
          Run to here
        </Button>
        <Button shortcut="Ctrl+Alt+Enter" busy={busy("from")} onClick={begin("from")}>
          Run from here
        </Button>
      </div>
      {start.error !== null && <NotStarted error={start.error} />}
    </div>
  );
}

const ERRORS_MAX = 5;

/** Errors of this file have their fixes. Those of a subflow come with the server's problem. */
function NotStarted({ error }: { error: Error }) {
  const { findings } = usePanel();
  const problem = problemOf(error);
  const errors = problem.code === INVALID ? findings.all.filter(isError) : [];
  if (errors.length === 0)
    return problem.code === INVALID && problem.diagnostics === undefined ? null : <Problem problem={problem} />;
  return (
    <>
      <Problem problem={{ ...problem, diagnostics: undefined }} />
      <Found findings={errors.slice(0, ERRORS_MAX)} />
    </>
  );
}

interface ParentInputProps {
  name: string;
  from: string;
  id: string;
  test: ReturnType<typeof useTestOf>;
}

function ParentInput({ name, from, id, test }: ParentInputProps) {
  const { last } = usePanel();
  // Values are taken only from runs that have ended.
  const isHeld = last.holding([id]) !== undefined;
  const held = isHeld ? last.of(id) : undefined;
  const pasted = test.pasted[id];
  const own = pasted !== undefined;
  return (
    <div className="flex flex-col gap-1">
      <SelectField
        label={`\${${name}} ${from}`}
        value={own ? "own" : "last"}
        options={[
          ["last", isHeld ? "As in an earlier run" : "As in an earlier run (no value yet)"],
          ["own", "Your own value"],
        ]}
        onChange={(chosen) => test.paste(id, chosen === "own" ? (held?.text ?? "") : undefined)}
      />
      {own ? (
        <textarea
          aria-label={`Value for \${${name}}`}
          className={classes(inputClass, "min-h-20 py-1.5 font-mono text-sm")}
          value={pasted}
          spellCheck={false}
          onChange={(event) => test.paste(id, event.target.value)}
        />
      ) : (
        isHeld &&
        (held === undefined ? (
          <p className="text-xs text-muted">{edgeData(last.handedOn(id), "").says}</p>
        ) : (
          <Preview text={held.text} label={`Last value, run ${shortRunId(held.run)}`} />
        ))
      )}
    </div>
  );
}
