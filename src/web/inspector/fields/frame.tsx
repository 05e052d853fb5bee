// Frame: a label, a control, a help text, and the field's findings with one-click fixes.
//   A1. The help and every finding describe the control for assistive technology. Findings are shown in words, never by
//       colour alone.

import { CircleX, TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { Finding } from "../../code/places.ts";
import { FixButtons } from "../../editor/fix-buttons.tsx";
import { classes } from "../../ui/classes.ts";
import { usePanel } from "../context.ts";

export interface Described {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

export interface FrameProps {
  label: string;
  help?: string;
  findings: readonly Finding[];
  /** Set for a control that names itself, because a label can't refer to it. */
  labelled?: boolean;
  children: (described: Described) => ReactNode;
}

export function Frame({ label, help, findings, labelled, children }: FrameProps) {
  const id = useId();
  const parts = [help && `${id}-help`, findings.length > 0 && `${id}-found`].filter(Boolean);
  const described = parts.length === 0 ? undefined : parts.join(" ");
  const Label = labelled === true ? "span" : "label";
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Label htmlFor={labelled === true ? undefined : id} className="text-sm font-medium text-text">
        {label}
      </Label>
      {children({ id, "aria-describedby": described, "aria-invalid": findings.some(isError) })}
      {help !== undefined && help !== "" && (
        <p id={`${id}-help`} className="text-xs text-muted">
          {help}
        </p>
      )}
      <Found id={`${id}-found`} findings={findings} />
    </div>
  );
}

export function isError({ severity }: Finding): boolean {
  return severity === "error";
}

interface FoundProps {
  id?: string;
  findings: readonly Finding[];
}

/** Findings in words, each with its fixes if they are about the current text. */
export function Found({ id, findings }: FoundProps) {
  const { doc, onEdit, isChecked } = usePanel();
  if (findings.length === 0) return null;
  return (
    <ul id={id} className="flex flex-col gap-1">
      {findings.map((finding) => (
        <li
          key={`${finding.code} ${finding.start} ${finding.message}`}
          className={classes(
            "flex gap-1.5 rounded-md border-l-2 bg-sunken px-2 py-1 text-sm",
            isError(finding) ? "border-failed" : "border-waiting",
          )}
        >
          {isError(finding) ? (
            <CircleX size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-failed" />
          ) : (
            <TriangleAlert size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-waiting" />
          )}
          <span className="sr-only">{isError(finding) ? "Error:" : "Warning:"}</span>
          <div className="min-w-0 flex-1">
            <p className="break-words">
              {finding.message} {finding.help !== undefined && <span className="text-muted">{finding.help}</span>}
            </p>
            {isChecked && (
              <div className="mt-1 flex flex-wrap gap-1 empty:hidden">
                <FixButtons {...{ finding, doc, onEdit }} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
