// NodePanel: the details of the selected node in the iteration that is shown (spec ui 6.1). An approval request or a
// failure comes first, then the attempts and the decisions.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApprovalItem } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { Connections } from "../canvas/connections.tsx";
import { approvalsQuery, standingQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { FactList, Section } from "../ui/facts.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { LOOKS, styleOfState } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { exactTime } from "../ui/words.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { DecidedList } from "./approval-diff.tsx";
import { AttemptFacts } from "./attempt-facts.tsx";
import { failureOf } from "./failure.ts";
import { FailureCard } from "./failure-card.tsx";
import { valuesGiven } from "./given.ts";
import { carriedIn, SKIP_WORDS, stateOf } from "./overlay.ts";
import { idOf, passText } from "./paths.ts";
import { machineText } from "./run-notice.tsx";
import { useRunPage, useRunStore, useShownRun } from "./run-store.ts";

export interface NodePanelProps {
  /** The node's path in its iteration, or its id if no iteration has reached it. */
  path: string;
  attempt: number | undefined;
  onAttempt: (number: number) => void;
  onCall: (index: number) => void;
  /** Called while the user is typing: this node must stay selected. */
  onStay: () => void;
}

const KEYS = { approve: "Ctrl+Enter" };

export function NodePanel({ path, attempt: chosen, onAttempt, onCall, onStay }: NodePanelProps) {
  const { choosePass } = useRunStore();
  const chosenPasses = useRunPage((page) => page.chosen);
  const { model, nowMs, isPast } = useShownRun();
  const node = model.node(path);
  if (node === undefined) return <p className="p-4 text-muted">The run has not reached this node.</p>;
  const { type, attempts, cached } = node;
  const loop = model.loops.byPath.get(path);
  const attempt = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1);
  const request = model.requests.get(path)?.findLast(({ number }) => number === attempt?.number)?.detail;
  const childRun = attempts.at(-1)?.childRun;
  const hasFailed = failureOf(node, model.graph) !== undefined;
  const isDecided = node.approvals?.some(({ answer }) => answer !== undefined);
  return (
    <div className="flex flex-col">
      {!isPast && <Requests path={path} onStay={onStay} />}
      {hasFailed && <FailureCard {...{ model, node, onCall }} />}
      <div className="flex flex-col gap-4 p-4">
        <Heading node={node} isNamed={hasFailed} />
        {!isPast && node.status === "running" && childRun !== undefined && <MachineWait {...{ path, childRun }} />}
        {attempts.length > 1 && <Attempts attempts={attempts} shown={attempt?.number} onAttempt={onAttempt} />}
        {attempt !== undefined && (
          <AttemptFacts
            {...{ type, attempt, request, nowMs, onCall }}
            values={attempt.command === attempts.at(-1)?.command ? valuesGiven(model, node) : []}
          />
        )}
        {loop !== undefined && chosenPasses.has(path) && loop.cells.get(loop.newest)?.endedAt === undefined && (
          <Button size="small" className="self-start" onClick={() => choosePass(path, undefined)}>
            Follow the newest iteration
          </Button>
        )}
        {cached !== undefined && (
          <FactList
            facts={[
              ["From the cache", `of run ${shortRunId(cached.from.run)}, ${cached.from.path}`],
              ["Expires", exactTime(cached.expiresAt)],
            ]}
          />
        )}
        <Connections graph={model.graph} id={idOf(path)} carried={(edge) => carriedIn(model, chosenPasses, edge)} />
        {isDecided && (
          <Section title="Who decided">
            <DecidedList approvals={node.approvals ?? []} />
          </Section>
        )}
      </div>
    </div>
  );
}

/** The approval requests that wait for a decision. One whose answer is being typed stays, even if it is answered. */
function Requests({ path, onStay }: Pick<NodePanelProps, "path" | "onStay">) {
  const { model, nowMs } = useShownRun();
  const [written, setWritten] = useState<ApprovalItem>();
  const { data: approvals = [] } = useQuery(approvalsQuery);
  const mine = approvals.filter(
    (item) => item.run === model.started.run && (item.path === path || item.path.startsWith(`${path}/`)),
  );
  const cards = written === undefined || mine.some(({ id }) => id === written.id) ? mine : [written, ...mine];
  return cards.map((item, at) => (
    <div key={item.id} className="border-b border-line">
      <ApprovalCard
        item={item}
        nowMs={nowMs}
        keys={at === 0 ? KEYS : undefined}
        gone={!mine.includes(item)}
        onWriting={(writes) => {
          setWritten(writes ? item : undefined);
          if (writes) onStay();
        }}
      />
    </div>
  ));
}

const STILL_QUEUED_MS = 5_000;

/** No machine has taken the subflow yet, which the events of its parent don't say. */
function MachineWait({ path, childRun }: { path: string; childRun: string }) {
  const { model } = useShownRun();
  const { data } = useQuery({
    ...standingQuery(model.started.run),
    refetchInterval: ({ state }) =>
      state.data?.nodes.some(({ runsOn }) => runsOn !== undefined) ? STILL_QUEUED_MS : 30_000,
  });
  const runsOn = data?.nodes.find((one) => one.path === path)?.runsOn;
  if (runsOn === undefined) return null;
  return (
    <p role="status" className="border-l-2 border-waiting pl-3 text-waiting">
      {machineText(runsOn)} <RunLink id={childRun}>Open its run</RunLink>
    </p>
  );
}

/** Leaves room for the button that hides the panel. `isNamed`: the card of the failure above has the title. */
function Heading({ node, isNamed }: { node: NodeView; isNamed: boolean }) {
  const { model, nowMs } = useShownRun();
  const { status, word } = stateOf(node, model, nowMs);
  const state = status === "ready" ? "pending" : status;
  const skipped = model.skipped.get(node.path);
  return (
    <header className={isNamed ? undefined : "pr-7"}>
      {!isNamed && <h2 className="text-lg font-semibold break-words">{node.title}</h2>}
      <p className="flex flex-wrap items-center gap-2 text-muted">
        <StateIcon status={state} bare="silent" />
        <span className={LOOKS[styleOfState(state)].text}>{word || "not reached yet"}</span>
        {skipped !== undefined && <span>{SKIP_WORDS[skipped]}</span>}
        <code className="break-all">{node.path}</code>
        {node.path.includes("[") && <span>{passText(node.path)}</span>}
      </p>
    </header>
  );
}

interface AttemptsProps {
  attempts: NodeView["attempts"];
  shown: number | undefined;
  onAttempt: (number: number) => void;
}

function Attempts({ attempts, shown, onAttempt }: AttemptsProps) {
  return (
    <fieldset aria-label="Attempts" className="flex flex-wrap gap-1">
      {attempts.map(({ number, status }) => (
        <button
          key={number}
          type="button"
          aria-pressed={number === shown}
          onClick={() => onAttempt(number)}
          className={classes(
            "inline-flex h-7 items-center gap-1.5 rounded-md border px-2",
            number === shown ? "border-accent bg-selected" : "border-line hover:bg-hover",
          )}
        >
          <StateIcon status={status} bare size={12} />
          Attempt {number}
        </button>
      ))}
    </fieldset>
  );
}
