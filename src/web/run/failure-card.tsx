// FailureCard: why a node failed, the evidence, how to fix it, and buttons for the next actions (spec ui 6.4).

import { useNavigate } from "@tanstack/react-router";
import { Bug, Clipboard, Pencil } from "lucide-react";
import { visible } from "../../base/visible.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { copyText } from "../ui/copy.tsx";
import { Code, Section } from "../ui/facts.tsx";
import { shellScriptOf } from "./copy-shell.ts";
import { callLine, type FailureCard as Failed, failureOf, relevantHeaders, reportOf } from "./failure.ts";
import { HeaderTable } from "./http-table.tsx";
import { RetryButton } from "./retry-button.tsx";
import type { RunModel } from "./run-model.ts";
import { useRunActions } from "./use-actions.ts";
import { prettyText } from "./value/value.ts";

/** Only the facts, for the editor, where the node is edited below. */
export function FailureBrief({ model, node, className }: { model: RunModel; node: NodeView; className?: string }) {
  const card = failureOf(node, model.graph);
  if (card === undefined) return null;
  return (
    <article aria-label={`${node.title} failed`} className={classes("flex flex-col gap-3 *:shrink-0", className)}>
      <Head node={node} card={card} />
      <Quoted card={card} />
    </article>
  );
}

interface FailureCardProps {
  model: RunModel;
  node: NodeView;
  onCall: (index: number) => void;
}

export function FailureCard({ model, node, onCall }: FailureCardProps) {
  const navigate = useNavigate();
  const actions = useRunActions(model);
  const { path } = actions;
  const card = failureOf(node, model.graph);
  if (card === undefined) return null;
  const calls = node.attempts.at(-1)?.http ?? [];
  return (
    <article aria-label={`${node.title} failed`} className="flex flex-col gap-4 border-b border-line p-4">
      <Head node={node} card={card} />
      <div className="flex flex-wrap gap-2">
        {path !== undefined && (
          <Button
            kind="primary"
            icon={<Pencil />}
            onClick={() =>
              void navigate({ to: "/w/$path", params: { path }, search: { node: node.id, run: model.started.run } })
            }
          >
            Edit {node.attempts.at(-1)?.command === undefined ? "node" : "command"}
          </Button>
        )}
        {model.isOver && <RetryButton actions={actions} from={node.path} />}
        <Button
          icon={<Clipboard />}
          onClick={() => void shellScriptOf(model, node).then((script) => copyText(script, "Script copied"))}
        >
          Copy as shell
        </Button>
        <Button icon={<Bug />} onClick={() => void copyText(reportOf(node, card, model.started), "Report copied")}>
          Copy report
        </Button>
      </div>
      <Quoted card={card} />
      {card.evidence.length > 0 && (
        <Section title="Evidence">
          <Code label="Evidence">{card.evidence.join("\n")}</Code>
        </Section>
      )}
      {card.call !== undefined && (
        <Section title="The call">
          <p className="font-mono text-sm wrap-anywhere">{visible(callLine(card.call))}</p>
          <HeaderTable headers={Object.entries(relevantHeaders(card.call.headers))} />
          <Button size="small" className="self-start" onClick={() => onCall(calls.indexOf(card.call!))}>
            Show the request
          </Button>
        </Section>
      )}
    </article>
  );
}

function Quoted({ card: { stderr, printed } }: { card: Failed }) {
  const text = prettyText(printed.join("\n"));
  return (
    <>
      {stderr.length > 0 && (
        <Section title={stderr.length === 1 ? "Standard error" : `Standard error, last ${stderr.length} lines`}>
          <Code label="Last lines of standard error" fromEnd>
            {stderr.join("\n")}
          </Code>
        </Section>
      )}
      {text !== "" && (
        <Section title="Printed">
          <Code label="First lines of standard output">{text}</Code>
        </Section>
      )}
    </>
  );
}

function Head({ node, card }: { node: NodeView; card: Failed }) {
  return (
    <>
      {/* Leaves room for the button that hides the panel. */}
      <header className="pr-7">
        <h2 className="text-lg font-semibold wrap-anywhere text-failed">
          {node.title}: {card.answer === undefined ? visible(card.cause) : `“${visible(card.answer)}”`}
        </h2>
        <p className="text-muted">
          {card.facts} · <code>{card.code}</code>
        </p>
        {card.answer !== undefined && <p className="mt-1">{visible(card.cause)}</p>}
      </header>
      {card.hints.length > 0 && (
        <Section title="What to do">
          <ul className="flex list-disc flex-col gap-1 pl-4">
            {card.hints.map((hint) => (
              <li key={hint}>{visible(hint)}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
