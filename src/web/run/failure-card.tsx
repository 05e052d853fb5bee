// FailureCard: why a node failed, the evidence, how to fix it, and buttons for the next actions (spec ui 6.4).

import { useNavigate } from "@tanstack/react-router";
import { Bug, Clipboard, Pencil, RotateCcw } from "lucide-react";
import { visible } from "../../base/visible.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy.tsx";
import { Code, Section } from "../ui/facts.tsx";
import { shellScriptOf } from "./copy-shell.ts";
import { callLine, failureOf, reportOf, tellingHeaders } from "./failure.ts";
import { HeaderTable } from "./http-table.tsx";
import type { RunModel } from "./run-model.ts";
import { useRunActions } from "./use-actions.ts";

export function FailureCard({ model, node }: { model: RunModel; node: NodeView }) {
  const navigate = useNavigate();
  const { retry, path } = useRunActions(model);
  const card = failureOf(node);
  if (card === undefined) return null;
  const about = { run: model.started.run, workflow: model.started.workflow.name, startedAt: model.started.at };
  return (
    <article aria-label={`${node.title} failed`} className="flex flex-col gap-4 border-b border-line p-4">
      {/* Leaves room for the button that hides the panel. */}
      <header className="pr-7">
        <h2 className="text-lg font-semibold text-failed">{visible(card.cause)}</h2>
        <p className="text-muted">
          {card.facts} · <code>{card.code}</code>
        </p>
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
      <div className="flex flex-wrap gap-2">
        {path !== undefined && (
          <Button
            icon={<Pencil />}
            onClick={() => void navigate({ to: "/w/$path", params: { path }, search: { node: node.id } })}
          >
            Edit node
          </Button>
        )}
        {model.isOver && (
          <Button kind="primary" icon={<RotateCcw />} busy={retry.isPending} onClick={() => retry.mutate(node.path)}>
            Retry from here
          </Button>
        )}
        <Button
          icon={<Clipboard />}
          onClick={() => void shellScriptOf(model, node).then((script) => copyText(script, "Script copied"))}
        >
          Copy as shell
        </Button>
        <Button icon={<Bug />} onClick={() => void copyText(reportOf(node, card, about), "Report copied")}>
          Copy report
        </Button>
      </div>
      {card.stderr.length > 0 && (
        <Section
          title={card.stderr.length === 1 ? "Standard error" : `Standard error, last ${card.stderr.length} lines`}
        >
          <Code label="Last lines of standard error">{card.stderr.join("\n")}</Code>
        </Section>
      )}
      {card.evidence.length > 0 && (
        <Section title="Evidence">
          <Code label="Evidence">{card.evidence.join("\n")}</Code>
        </Section>
      )}
      {card.call !== undefined && (
        <Section title="The call">
          <p className="font-mono text-sm wrap-anywhere">{visible(callLine(card.call))}</p>
          <HeaderTable headers={tellingHeaders(card.call.headers)} />
        </Section>
      )}
    </article>
  );
}
