// RetryField: whether, how often, and when a failed attempt is retried, with a chart of the attempts over time (spec
// 3.3, ui 6.3).

import type { RetryPolicy } from "../../../workflow/model.ts";
import { isMapValue } from "../../document/equal.ts";
import type { FieldSpec } from "../../kinds.ts";
import { type AttemptPoint, backOff, backOffInWords, shortTime } from "../backoff.ts";
import { useField, usePanel } from "../context.ts";
import { fieldOf } from "../form.ts";
import { RetryOnField } from "./choices.tsx";
import { CheckRow, FieldGrid } from "./plain.tsx";

export function RetryField({ spec }: { spec: FieldSpec }) {
  const { node } = usePanel();
  const field = useField(spec.path);
  const on = field.value !== undefined;
  const counts = isMapValue(field.value) ? field.value : isMapValue(field.inherited) ? field.inherited : undefined;
  const type = node?.type === "llm" ? "llm" : "cli";
  return (
    <div className="flex flex-col gap-3">
      <CheckRow
        label="Retry after a failure"
        help={
          counts !== undefined && !on
            ? "Set in the defaults of the workflow."
            : "Each attempt has its own record and output."
        }
        findings={on ? [] : field.findings}
        checked={on}
        onChange={(checked) => field.set(checked ? { maxAttempts: 3 } : undefined)}
      />
      {counts !== undefined && <Curve retry={policyOf(counts)} />}
      {on && (
        <>
          <FieldGrid fields={FIELDS.map((name) => fieldOf(type, `retry.${name}`))} />
          <RetryOnField spec={fieldOf(type, "retry.on")} />
        </>
      )}
    </div>
  );
}

const FIELDS = [
  ...["maxAttempts", "initialInterval", "multiplier", "maxInterval", "maxDuration", "jitter"],
  "respectRetryAfter",
];

/** The policy to draw. Half-typed fields count as their defaults. */
function policyOf(written: Record<string, unknown>): RetryPolicy {
  const count = (value: unknown) => (typeof value === "number" && value >= 1 ? value : undefined);
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    maxAttempts: count(written.maxAttempts),
    multiplier: count(written.multiplier),
    jitter: written.jitter === "none" ? "none" : undefined,
    initialInterval: text(written.initialInterval),
    maxInterval: text(written.maxInterval),
    maxDuration: text(written.maxDuration),
  };
}

const WIDE = 340;
const HIGH = 56;
const LEFT = 8;

/** A point is the latest start of an attempt. The bar before it is how much earlier jitter can start it. */
function Curve({ retry }: { retry: RetryPolicy }) {
  const drawn = backOff(retry);
  const { points, more } = drawn;
  const end = points.at(-1)?.latestMs || 1;
  const x = (ms: number) => LEFT + (ms / end) * (WIDE - 2 * LEFT);
  const y = (point: AttemptPoint) =>
    HIGH - 16 - (points.length === 1 ? 0 : ((point.number - 1) / (points.length - 1)) * 28);
  const words = backOffInWords(drawn);
  return (
    <figure className="flex flex-col gap-1">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={words} className="w-full rounded-md bg-sunken">
        <line x1={LEFT} x2={WIDE - LEFT} y1={HIGH - 10} y2={HIGH - 10} stroke="var(--line)" />
        <polyline
          points={points.map((point) => `${x(point.latestMs)},${y(point)}`).join(" ")}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
        />
        {points.map((point) => (
          <g key={point.number}>
            <line
              x1={x(point.earliestMs)}
              x2={x(point.latestMs)}
              y1={y(point)}
              y2={y(point)}
              stroke="var(--accent)"
              strokeWidth="3"
              opacity="0.3"
            />
            <circle cx={x(point.latestMs)} cy={y(point)} r="3" fill="var(--accent)" />
          </g>
        ))}
      </svg>
      <figcaption className="flex justify-between gap-2 text-xs text-muted">
        <span>{words}</span>
        <span className="shrink-0">
          {shortTime(points.at(-1)?.latestMs ?? 0)} in all{more > 0 ? ` for the first ${points.length}` : ""}
        </span>
      </figcaption>
    </figure>
  );
}
