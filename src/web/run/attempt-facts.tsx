// AttemptFacts: everything about one attempt except its output: command, shell, folder, environment names, standard
// input, how it ended, HTTP calls and model cost (spec 2.3).

import type { ApprovalDetail } from "../../base/approval-detail.ts";
import { shortRunId } from "../../base/ids.ts";
import { visible } from "../../base/visible.ts";
import type { AttemptView, NodeView } from "../../scheduler/view.ts";
import { Code, type Fact, FactList, Section } from "../ui/facts.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { count, duration, elapsed, size, timeOfDay } from "../ui/words.ts";
import type { GivenValue } from "./given.ts";
import { HttpTable } from "./http-table.tsx";

export interface AttemptFactsProps {
  type: NodeView["type"];
  attempt: AttemptView;
  /** The approval request before the attempt, which has the values filled in. */
  request: ApprovalDetail | undefined;
  values: readonly GivenValue[];
  nowMs: number;
  onCall: (index: number) => void;
}

function titleOf(type: NodeView["type"], hasNames: boolean): string {
  if (type === "subflow") return "Ran this workflow";
  const did = type === "llm" ? "Asked" : "Ran";
  return hasNames ? `${did} this, with values for \${…}` : `${did} exactly this`;
}

export function AttemptFacts({ type, attempt, request, values, nowMs, onCall }: AttemptFactsProps) {
  // After an edit the attempt's command differs from the request, and the attempt counts.
  const asked = request !== undefined && request.command === attempt.command;
  const shown = asked ? request.rendered : (attempt.command ?? "");
  const { command, http, warnings = [], egress = [] } = attempt;
  return (
    <div className="flex flex-col gap-4">
      {warnings.map(({ message }) => (
        <p key={message} className="border-l-2 border-waiting pl-3 text-waiting">
          {visible(message)}
        </p>
      ))}
      {command !== undefined && command !== "" && (
        <Section title={titleOf(type, shown === command && command.includes("${"))}>
          <Code label="The command">{visible(shown)}</Code>
          {shown === command && values.length > 0 && (
            <FactList names label="Values in it" facts={values.map(valueFact)} />
          )}
        </Section>
      )}
      <FactList facts={factsOf(attempt, nowMs)} />
      {http.length > 0 && (
        <Section title={count(http.length, "HTTP call")}>
          <HttpTable calls={http} onCall={onCall} />
        </Section>
      )}
      {egress.length > 0 && (
        <Section title="Network proxy">
          <ul className="font-mono text-sm">
            {egress.map(({ host, port, receivedBytes, refused }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the calls of an attempt never move.
              <li key={index} className={refused === undefined ? "" : "text-failed"}>
                {visible(host)}:{port} {refused === undefined ? size(receivedBytes) : `refused: ${visible(refused)}`}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

const VALUE_SHOWN = 500;

function valueFact({ reference, text, isSecret }: GivenValue): Fact {
  if (text) return [reference, visible(text.slice(0, VALUE_SHOWN))];
  const why = text === "" ? "empty" : isSecret ? "a secret" : "too large to show, or not kept";
  return [reference, <i key="why">{why}</i>];
}

function factsOf(attempt: AttemptView, nowMs: number): Fact[] {
  const { exitCode, signal, startedAt, stdout, stderr, childRun, usage } = attempt;
  return [
    ["State", <StateIcon key="state" status={attempt.status} />],
    ["Started", timeOfDay(startedAt)],
    ["Took", duration(elapsed(attempt, nowMs))],
    ["Exit code", exitCode === undefined ? undefined : <code key="exit">{exitCode}</code>],
    ["Signal", signal],
    ...placeFacts(attempt),
    ["Stdout", stdout && (stdout.secret ? "secret, not kept" : size(stdout.bytes))],
    ["Stderr", stderr && size(stderr.bytes)],
    ["Tokens", usage && usageText(usage)],
    [
      "Its run",
      childRun && (
        <RunLink key="child" id={childRun}>
          {shortRunId(childRun)}
        </RunLink>
      ),
    ],
    ["Reused", attempt.kept ? "from the run that this one repeats" : undefined],
  ];
}

type AttemptSetup = Pick<AttemptView, "shell" | "cwd" | "env" | "sandbox" | "stdin">;

/** Where a command runs and what it reads. */
export function placeFacts({ shell, cwd, env = [], sandbox, stdin }: AttemptSetup): Fact[] {
  return [
    ["Shell", shell],
    ["Folder", cwd && <code key="cwd">{visible(cwd)}</code>],
    ["Env", env.length > 0 && <code key="env">{env.join(", ")}</code>],
    ["Sandbox", sandbox],
    ["Stdin", stdin && `${size(stdin.bytes)}, sha256 ${stdin.sha256.slice(0, 16)}…`],
  ];
}

function usageText({ model, tokensIn, tokensOut, usd, estimated }: NonNullable<AttemptView["usage"]>): string {
  const cost = usd === undefined ? "" : `, $${usd.toPrecision(2)}`;
  return `${estimated ? "about " : ""}${tokensIn} in, ${tokensOut} out${cost} (${model})`;
}
