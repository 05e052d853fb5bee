// TestTab: runs only this node with the parents' last outputs or pasted values, everything up to it, or it and the
// nodes after it (spec 2.3, ui 6.3). The rules of any run apply, approvals among them.

import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { at } from "../../api/address.ts";
import type { StartedRun, StartRun } from "../../api/shapes.ts";
import { visible } from "../../base/visible.ts";
import { checkInputs } from "../../workflow/inputs.ts";
import type { Workflow } from "../../workflow/model.ts";
import { useActions } from "../app/actions.ts";
import { InputField } from "../app/input-field.tsx";
import { startRun } from "../app/start-run.tsx";
import { edgeData } from "../canvas/edge-data.ts";
import { ask, Refusal } from "../client/api.ts";
import { problemOf } from "../client/queries.ts";
import { useRunEvents } from "../client/run-events.ts";
import { onMessage } from "../client/stream.ts";
import { failureOf } from "../run/failure.ts";
import { RunModel } from "../run/run-model.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Code } from "../ui/facts.tsx";
import { inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { usePanel } from "./context.ts";
import { Preview } from "./fields/choices.tsx";
import { SelectField } from "./fields/controls.tsx";
import { RunChoice } from "./run-choice.tsx";
import { parentsOf } from "./scope.ts";
import { useTestOf } from "./tests.ts";
import type { LastValues } from "./values.ts";

export interface TestTabProps {
  /** Writes unsaved changes before the test. */
  save?: (() => Promise<void>) | undefined;
}

type Start = "alone" | "to" | "from";

/** Starts tests of the selected node. The keys work wherever the panel is shown. */
export function useTest(save: TestTabProps["save"], shown: () => void) {
  const { doc, graph, node, last } = usePanel();
  const id = node?.id ?? "";
  const test = useTestOf(doc.file, id);
  const saved = () =>
    save?.().catch((reason: Error) => {
      throw notStarted(reason.message);
    });
  const startOnly = async (only: NonNullable<StartRun["only"]>) => {
    const read = checkInputs(graph.workflow.inputs, inputsFor(graph.workflow, last, test.inputs), "text");
    if (!read.ok) throw notStarted(read.error.map(({ message }) => message).join(" "));
    await saved();
    const pinned = Object.keys(test.pasted).length === 0 ? undefined : { ...test.pasted };
    return startRun(doc.file, { only: { ...only, pinned }, inputs: read.value });
  };
  // Nodes before this one keep their outputs from the last run. The nodes to run are read from the file.
  const startFrom = async () => {
    if (last.whole === undefined)
      throw notStarted(
        last.chosen === undefined
          ? "There is no run yet from which the nodes before it could be kept."
          : `In ${last.words} not everything ran. Choose another run, or the last one.`,
      );
    await saved();
    const body = { from: id, current: true };
    return ask<StartedRun>(at("runs", last.whole, "retry"), { method: "POST", body });
  };
  const start = useMutation({
    mutationFn: (how: Start) => {
      if (how === "from") return startFrom();
      if (how === "to") return startOnly({ to: id });
      const parents = parentsOf(graph, id).flatMap(({ node: parent }) => parent ?? []);
      const run = last.chosen ?? last.holding(parents.filter((parent) => test.pasted[parent] === undefined));
      return startOnly({ node: id, run });
    },
    onSuccess: ({ id: run }) => test.ran(run),
  });
  const begin = (how: Start) => () => {
    shown();
    start.mutate(how);
  };
  const action = { inFields: true, disabled: node === undefined || start.isPending };
  useActions("Node", [
    { id: "node.test", title: "Test this node", keys: "Ctrl+Enter", ...action, run: begin("alone") },
    { id: "node.run-from", title: "Run from here", keys: "Ctrl+Alt+Enter", ...action, run: begin("from") },
    { id: "node.run-to", title: "Run to here", keys: "Ctrl+Shift+Enter", ...action, run: begin("to") },
  ]);
  return { begin, start, test };
}

function notStarted(detail: string): Refusal {
  return new Refusal({ type: "about:blank", title: "It was not started", status: 0, code: "not-started", detail });
}

/** Values that the user typed, otherwise those of the newest run. The rest are defaults. */
function inputsFor(
  { inputs: specs }: Workflow,
  { inputs: before }: LastValues,
  typed: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = Object.keys(specs).map((name) => [name, typed[name] ?? before[name] ?? ""] as const);
  return Object.fromEntries(given.filter(([, text]) => text !== ""));
}

export function TestTab({ running }: { running: ReturnType<typeof useTest> }) {
  const { graph, node, last } = usePanel();
  const { begin, start, test } = running;
  const busy = (how: Start) => start.isPending && start.variables === how;
  const parents = parentsOf(graph, node?.id ?? "");
  const { inputs: specs } = graph.workflow;
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
      <RunChoice />
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
      {start.error !== null && <Problem problem={problemOf(start.error)} />}
      {test.run !== undefined && <TestResult key={test.run} run={test.run} id={node?.id ?? ""} />}
    </div>
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
  const held = isHeld ? last.of(id)?.text : undefined;
  const pasted = test.pasted[id];
  const own = pasted !== undefined;
  const missing = isHeld ? "" : last.chosen === undefined ? " (no value yet)" : " (it has none)";
  return (
    <div className="flex flex-col gap-1">
      <SelectField
        label={`\${${name}} ${from}`}
        value={own ? "own" : "last"}
        options={[
          ["last", `Of ${last.words}${missing}`],
          ["own", "Your own value"],
        ]}
        onChange={(chosen) => test.paste(id, chosen === "own" ? (held ?? "") : undefined)}
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
          <Preview text={held} label={last.chosen === undefined ? "Last value" : `Value in ${last.words}`} />
        ))
      )}
    </div>
  );
}

const OUTPUT_KEPT = 100_000;

function TestResult({ run, id }: { run: string; id: string }) {
  const { events, problem } = useRunEvents(run);
  const model = useRef<RunModel | undefined>(undefined);
  const live = useLiveOutput(run, id);
  if (model.current === undefined && events[0] !== undefined) model.current = RunModel.begin(events[0]);
  model.current?.apply(events);
  const view = model.current?.node(id);
  const ended = model.current?.failure;
  const card = view === undefined ? undefined : failureOf(view);
  const failure = view?.failure ?? (ended !== undefined && "failure" in ended ? ended.failure : ended);
  return (
    <section aria-label="Result of the test" className="flex flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <StateIcon status={view?.status ?? model.current?.status ?? "queued"} waitingFor={view?.waitingFor} />
        <Link to="/runs/$id" params={{ id: run }} className="text-sm text-accent underline">
          Open the run
        </Link>
      </div>
      {problem !== undefined && <Problem problem={problem} />}
      {view?.waitingFor === "approval" && (
        <p className="text-sm">
          A person must approve it:{" "}
          <Link to="/inbox" className="text-accent underline">
            open the inbox
          </Link>
        </p>
      )}
      {failure !== undefined && (
        <div className="text-sm">
          <p className="text-failed">{failure.message}</p>
          {(card?.hints ?? (failure.hint === undefined ? [] : [failure.hint])).map((hint) => (
            <p key={hint} className="text-muted">
              {visible(hint)}
            </p>
          ))}
        </div>
      )}
      {card !== undefined && card.stderr.length > 0 && (
        <div className="flex flex-col gap-0.5">
          <p className="text-xs text-muted">Standard error, its end</p>
          <Code label="Last lines of standard error">{card.stderr.join("\n")}</Code>
        </div>
      )}
      {view?.value !== undefined ? (
        <Preview text={view.value} label="Value" />
      ) : (
        live !== "" && <Preview text={live} label="Output so far" />
      )}
    </section>
  );
}

/** The newest output while the node runs. The server has already masked it. */
function useLiveOutput(run: string, id: string): string {
  const [text, setText] = useState("");
  useEffect(
    () =>
      onMessage((message) => {
        if (message.kind !== "output" || message.run !== run || message.path.split("[")[0] !== id) return;
        setText((before) => (before + message.text).slice(-OUTPUT_KEPT));
      }),
    [run, id],
  );
  return text;
}
