// Problems: lists the problems that the checks found, errors first, with their fixes. Pressing a problem goes to its
// place. Only visible rows are laid out, because the list changes while the user types.
//   P1. Fixes are offered only for the text that was checked.

import { CircleX, Info, TriangleAlert } from "lucide-react";
import { useMemo } from "react";
import { visible } from "../../base/visible.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { type Finding, findingsOf } from "../code/places.ts";
import { type Doc, type Edit, nodesOf, rootOf, titleOf } from "../document/index.ts";
import { Button } from "../ui/button.tsx";
import { DocsLink } from "../ui/docs-link.tsx";
import { FixButtons } from "./fix-buttons.tsx";
import { bySeverity, fixAll, isSafe, offersOf, withTitles } from "./fixing.ts";
import { nodeOfFinding } from "./read.ts";

export interface ProblemsProps {
  doc: Doc;
  /** The findings, and the text that was checked. */
  found: { text: string; list: readonly Diagnostic[] };
  /** Both are counted from 1. */
  onGo: (line: number, column: number) => void;
  onEdit: (edit: Edit) => void;
}

export function Problems({ doc, found, onGo, onEdit }: ProblemsProps) {
  const isChecked = found.text === doc.text;
  const rows = useMemo(() => {
    const findings = findingsOf(found.text, found.list, isChecked ? () => rootOf(doc) : undefined).all;
    return bySeverity(
      found.list.map(({ severity, range }, at) => ({ severity, range, finding: findings[at]!, key: `${at}` })),
    );
  }, [found, doc, isChecked]);
  if (rows.length === 0) return <p className="px-4 py-3 text-muted">Nothing is wrong with this file.</p>;
  const findings = rows.map(({ finding }) => finding);
  return (
    <>
      {isChecked && <FixAll findings={findings.filter(isSafe)} {...{ doc, onEdit }} />}
      <ul aria-label="Problems" className="py-1">
        {rows.map(({ finding, range: { start }, key }, at) => (
          <li key={key} className="[contain-intrinsic-height:auto_32px] [content-visibility:auto]">
            <div className="flex items-start hover:bg-hover">
              <button
                type="button"
                onClick={() => onGo(start.line, start.column)}
                className="flex min-w-0 flex-1 items-start gap-2.5 px-4 py-1.5 text-left"
              >
                <SeverityIcon severity={finding.severity} />
                <Sentence {...{ finding, doc }} />
                <code className="min-w-12 shrink-0 text-muted">
                  {start.line}:{start.column}
                </code>
              </button>
              <DocsLink page={pageOf(finding.code)} className="w-60 shrink-0 truncate py-1.5 pr-4 max-md:hidden">
                {finding.code}
              </DocsLink>
            </div>
            {isChecked && (
              <div className="flex flex-wrap gap-1.5 pr-4 pl-10 not-empty:pb-1.5">
                <FixButtons {...{ finding, doc, onEdit }} />
                {findings.findIndex(({ code }) => code === finding.code) === at && (
                  <FixAll
                    findings={findings.filter(({ code }) => code === finding.code)}
                    {...{ doc, onEdit }}
                    isOfCode
                  />
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function SeverityIcon({ severity }: Pick<Finding, "severity">) {
  if (severity === "error")
    return <CircleX size={15} className="mt-0.5 shrink-0 text-failed" aria-label="Error" role="img" />;
  if (severity === "info")
    return <Info size={15} className="mt-0.5 shrink-0 text-muted" aria-label="Information" role="img" />;
  return <TriangleAlert size={15} className="mt-0.5 shrink-0 text-waiting" aria-label="Warning" role="img" />;
}

/** The title of the node, what is wrong, and what helps. */
function Sentence({ finding, doc }: { finding: Finding; doc: Doc }) {
  const id = nodeOfFinding(doc, finding);
  const node = nodesOf(doc.plain ?? {}).find((one) => one.id === id);
  return (
    <span className="min-w-0 flex-1 break-words">
      {node !== undefined && <span className="font-semibold">{visible(titleOf(node))}: </span>}
      {withTitles(finding.message, doc)}{" "}
      {finding.help !== undefined && <span className="text-muted">{finding.help}</span>}
    </span>
  );
}

/** The row of the code, which is in a table and has no anchor. */
function pageOf(code: string): string {
  const page = /^template-(?!syntax|not-replaced)/.test(code) ? "templates" : "diagnostics";
  return `reference/${page}#:~:text=${encodeURIComponent(code).replaceAll("-", "%2D")}`;
}

interface FixAllProps {
  findings: readonly Finding[];
  doc: Doc;
  onEdit: (edit: Edit) => void;
  /** All findings have the same code. */
  isOfCode?: boolean;
}

/** Nothing for fewer than two findings with a fix. */
function FixAll({ findings, doc, onEdit, isOfCode }: FixAllProps) {
  const fixable = findings.filter((finding) => offersOf(finding, doc)[0]?.edit !== undefined);
  const edit = fixable.length < 2 ? undefined : fixAll(fixable, doc);
  if (edit === undefined) return null;
  if (isOfCode)
    return (
      <Button size="small" kind="quiet" onClick={() => onEdit(edit)}>
        Fix all {fixable.length} of these
      </Button>
    );
  return (
    <div className="flex border-b border-line px-4 py-1.5">
      <Button size="small" onClick={() => onEdit(edit)}>
        Fix {fixable.length} problems at once
      </Button>
    </div>
  );
}
