// RetryField: whether, how often, and when a failed attempt is retried, with a chart of the attempts over time (spec
// 3.3, ui 6.3).

import { durationMs } from "../../../base/duration.ts";
import type { RetryPolicy } from "../../../workflow/model.ts";
import { RETRY_ATTEMPTS, retryIntervalMs } from "../../../workflow/retry-interval.ts";
import { isMapValue } from "../../document/equal.ts";
import type { FieldSpec } from "../../kinds.ts";
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
    initialInterval: text(written.initialInterval),
    maxInterval: text(written.maxInterval),
    maxDuration: text(written.maxDuration),
  };
}

/** A curve of 1,000 attempts would not be readable. */
const DRAWN_MAX = 24;

/** The latest start of each attempt in milliseconds, if the attempts before fail at once. `maxDuration` ends them. */
function startsOf(retry: RetryPolicy): { starts: number[]; more: number } {
  const attempts = Math.max(1, Math.floor(retry.maxAttempts ?? RETRY_ATTEMPTS));
  const most = durationMs(retry.maxDuration) ?? Number.POSITIVE_INFINITY;
  const starts = [0];
  while (starts.length < Math.min(attempts, DRAWN_MAX)) {
    const next = starts.at(-1)! + retryIntervalMs(retry, starts.length);
    if (!Number.isFinite(next) || next > most) return { starts, more: 0 };
    starts.push(next);
  }
  return { starts, more: attempts - starts.length };
}

const UNITS = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000, ms: 1 };

/** `1.5 s`, `2 min`, `3 h`. */
function shortTime(ms: number): string {
  const [unit, length] = Object.entries(UNITS).find(([, one]) => ms >= one) ?? ["ms", 1];
  return `${Math.round((ms / length) * 10) / 10} ${unit}`;
}

/** One sentence for readers who can't see the picture. */
function inWords({ starts, more }: ReturnType<typeof startsOf>): string {
  if (starts.length === 1) return "One attempt: nothing is repeated.";
  const waits = starts.slice(1, 7).map((start, at) => shortTime(start - starts[at]!));
  const shown = waits.join(", ") + (starts.length > 7 || more > 0 ? ", …" : "");
  return `${starts.length + more} attempts; waits of at most ${shown}.`;
}

const WIDE = 340;
const HIGH = 56;
const LEFT = 8;

function Curve({ retry }: { retry: RetryPolicy }) {
  const drawn = startsOf(retry);
  const { starts, more } = drawn;
  const end = starts.at(-1) || 1;
  const points = starts.map((start, at) => ({
    x: LEFT + (start / end) * (WIDE - 2 * LEFT),
    y: HIGH - 16 - (at / Math.max(1, starts.length - 1)) * 28,
  }));
  const words = inWords(drawn);
  return (
    <figure className="flex flex-col gap-1">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={words} className="w-full rounded-md bg-sunken">
        <line x1={LEFT} x2={WIDE - LEFT} y1={HIGH - 10} y2={HIGH - 10} stroke="var(--line)" />
        <polyline
          points={points.map(({ x, y }) => `${x},${y}`).join(" ")}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
        />
        {points.map(({ x, y }) => (
          <circle key={y} cx={x} cy={y} r="3" fill="var(--accent)" />
        ))}
      </svg>
      <figcaption className="flex justify-between gap-2 text-xs text-muted">
        <span>{words}</span>
        <span className="shrink-0">
          {shortTime(starts.at(-1) ?? 0)} in all{more > 0 ? ` for the first ${starts.length}` : ""}
        </span>
      </figcaption>
    </figure>
  );
}
