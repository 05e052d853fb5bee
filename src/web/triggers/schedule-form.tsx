// ScheduleForm: a dialog that shows what a schedule means, in words and as the next five times, before it is saved.

import { type ReactNode, useId, useState } from "react";
import { cronProblem, machineZone, nextTimes } from "../../workflow/next-times.ts";
import { Field, inputClass, TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useNow } from "../ui/now.ts";
import { Select } from "../ui/select.tsx";
import { cronWords } from "./cron-words.ts";

/** A schedule as a file has it. Absent members have their defaults. */
export interface ScheduleFields {
  cron: string;
  timezone?: string;
  overlap?: string;
  catchUp?: string;
}

/** The answer to an active previous run. */
export const OVERLAP = { skip: "Skip this time", queue: "Wait for it", cancel: "Cancel it", allow: "Run beside it" };
/** The answer to times that passed while no server ran. */
export const MISSED = { latest: "Start the latest", all: "Start each of them", none: "Skip them" };

const COMMON: readonly [cron: string, title: string][] = [
  ["0 9 * * *", "Every day at 09:00"],
  ["0 9 * * mon-fri", "Monday to Friday at 09:00"],
  ["0 9 * * mon", "Every Monday at 09:00"],
  ["0 9 1 * *", "On the first of the month at 09:00"],
  ["0 * * * *", "Every hour"],
  ["*/15 * * * *", "Every 15 minutes"],
];

const zones = (): string[] => [...new Set([machineZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])];

/** The next five times in the schedule's zone. Empty for an invalid schedule. */
export function NextTimes({ cron, timezone = machineZone() }: ScheduleFields) {
  return <Times times={timesOf({ cron, timezone }, useNow(10_000))} zone={timezone} />;
}

/** Times in a zone. The offset to UTC is shown where it changes. */
export function Times({ times, zone }: { times: readonly string[]; zone: string }) {
  const now = useNow(10_000);
  return (
    <ol aria-label={`Next times in ${zone}`} className="flex flex-wrap gap-1.5">
      {times.map((at, nth) => (
        <li
          key={at}
          className="rounded-md border border-line px-2 py-0.5 font-mono text-xs text-muted first:border-accent first:text-text"
        >
          {timeIn(at, zone, now)}
          {offsetIn(at, zone) !== offsetIn(times[nth - 1], zone) && ` ${offsetIn(at, zone)}`}
        </li>
      ))}
    </ol>
  );
}

function timesOf(when: ScheduleFields, nowMs: number): string[] {
  if (cronProblem(when.cron) !== undefined) return [];
  try {
    return nextTimes(when, nowMs, 5).map((ms) => new Date(ms).toISOString());
  } catch {
    // An unknown zone: the field says so.
    return [];
  }
}

interface ScheduleFormProps {
  title: string;
  submit: string;
  value?: ScheduleFields;
  disabled?: boolean;
  onSave: (value: ScheduleFields) => unknown;
  onClose: () => void;
  children?: ReactNode;
}

export function ScheduleForm({ value, title, submit, disabled, onSave, onClose, children }: ScheduleFormProps) {
  const [fields, setFields] = useState<ScheduleFields>(value ?? { cron: COMMON[0]![0], timezone: machineZone() });
  const list = useId();
  const { cron, timezone, overlap = "skip", catchUp = "latest" } = fields;
  const problem = cronProblem(cron);
  const isKnown =
    timezone === undefined || zones().includes(timezone) || timesOf({ cron: "@daily", timezone }, 0).length > 0;
  const put = (name: keyof ScheduleFields, usual?: string) => (next: string) =>
    setFields((before) => ({ ...before, [name]: next === usual && value?.[name] === undefined ? undefined : next }));
  return (
    <FormDialog
      title={title}
      submit={submit}
      disabled={disabled || problem !== undefined || !isKnown}
      onSubmit={() => onSave({ ...fields, cron: cron.trim(), timezone: timezone || undefined })}
      onClose={onClose}
    >
      {children}
      <Field label="When">
        {(props) => (
          <Select
            {...props}
            value={COMMON.some(([common]) => common === cron) ? cron : ""}
            onChange={(next) => next !== "" && put("cron")(next)}
            options={[...COMMON, ["", "Own times"]]}
          />
        )}
      </Field>
      <TextField
        label="Cron: minute, hour, day, month, weekday"
        value={cron}
        className="font-mono"
        error={problem}
        help={<strong className="font-medium text-text">{cronWords(cron)}</strong>}
        onChange={({ target }) => put("cron")(target.value)}
      />
      <Field label="Time zone" error={isKnown ? undefined : `No time zone is called ${timezone}.`}>
        {(props) => (
          <>
            <input
              {...props}
              list={list}
              value={timezone ?? ""}
              placeholder={machineZone()}
              spellCheck={false}
              onChange={({ target }) => put("timezone")(target.value)}
              className={`${inputClass} h-8`}
            />
            <datalist id={list}>
              {zones().map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <div className="min-h-14">
        <p className="mb-1.5 text-sm text-muted">Next times</p>
        {isKnown && <NextTimes cron={cron} timezone={timezone || undefined} />}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="If the previous run is active">
          {(props) => (
            <Select {...props} value={overlap} onChange={put("overlap", "skip")} options={Object.entries(OVERLAP)} />
          )}
        </Field>
        <Field label="Times missed while no server ran">
          {(props) => (
            <Select {...props} value={catchUp} onChange={put("catchUp", "latest")} options={Object.entries(MISSED)} />
          )}
        </Field>
      </div>
    </FormDialog>
  );
}

/** `Mon 2 Mar, 09:30`, with the year if it differs from that of `nowMs`. */
function timeIn(iso: string, zone: string, nowMs: number): string {
  const year = (ms: number) => new Date(ms).toLocaleDateString("en-GB", { timeZone: zone, year: "numeric" });
  const at = new Date(iso);
  return at.toLocaleString("en-GB", {
    ...{ timeZone: zone, weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
    year: year(at.getTime()) === year(nowMs) ? undefined : "numeric",
  });
}

/** `UTC+2`, at that time. */
function offsetIn(iso: string | undefined, zone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "shortOffset" });
  const parts = iso === undefined ? [] : format.formatToParts(new Date(iso));
  return (parts.find(({ type }) => type === "timeZoneName")?.value ?? "").replace("GMT", "UTC").replace(/\+0$/, "");
}
