// TriggersField: the triggers that start runs while `curlew serve` runs, `on:` (spec 2.5): schedules, webhooks, files.

import { Trash2 } from "lucide-react";
import { isMapValue } from "../../document/equal.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { useField } from "../context.ts";
import { type Control, type FieldSpec, labelOf } from "../form.ts";
import { Found } from "./frame.tsx";
import { ChoiceField, InputField } from "./plain.tsx";

type Kind = "schedule" | "webhook" | "file";
type Row = readonly [key: string, control: Control, help: string, options?: readonly string[]];

const FIELDS: Record<Kind, readonly Row[]> = {
  schedule: [
    ["cron", "line", "Five fields: minute, hour, day, month, weekday."],
    ["timezone", "line", "An IANA name such as Europe/Berlin."],
    ["catchUp", "choice", "What happens to times that passed while nothing ran.", ["latest", "all", "none"]],
    ["overlap", "choice", "When the run before is not over.", ["skip", "queue", "cancel", "allow"]],
  ],
  webhook: [
    ["path", "line", "Last part of the hook's address."],
    [
      "verify",
      "choice",
      "How a delivery proves its origin.",
      ["github", "stripe", "slack", "standard-webhooks", "token", "none"],
    ],
    ["secret", "line", "Name of the secret that signs deliveries."],
    ["respond", "whole", "HTTP status of the answer."],
    ["origins", "names", "Sites whose pages may send to a hook that verifies nothing."],
  ],
  file: [
    ["paths", "names", "Files that are watched, with * and **."],
    ["on", "names", "add, change, remove; absent: all of them."],
  ],
};

const NEW: Record<Kind, Record<string, unknown>> = {
  schedule: { schedule: { cron: "0 9 * * 1-5" } },
  webhook: { webhook: { path: "hook", verify: "none" } },
  file: { file: { paths: ["inbox/*"] } },
};

export function TriggersField() {
  const field = useField(["on"]);
  const list = Array.isArray(field.value) ? (field.value as unknown[]) : [];
  return (
    <div className="flex flex-col gap-3">
      {list.length === 0 && (
        <p className="text-sm text-muted">None: a person, the command line or the API starts it.</p>
      )}
      {list.map((trigger, at) => (
        <Trigger
          // biome-ignore lint/suspicious/noArrayIndexKey: a trigger is identified by its index in the list.
          key={at}
          at={at}
          kinds={isMapValue(trigger) ? Object.keys(trigger) : []}
          onRemove={() => {
            const left = list.filter((_, index) => index !== at);
            field.set(left.length === 0 ? undefined : left, "Remove a trigger");
          }}
        />
      ))}
      <div className="flex flex-wrap gap-1.5">
        {(Object.keys(NEW) as Kind[]).map((kind) => (
          <Button key={kind} size="small" onClick={() => field.set([...list, NEW[kind]], `Add a ${kind}`)}>
            + {labelOf(kind)}
          </Button>
        ))}
      </div>
    </div>
  );
}

function Trigger({ at, kinds, onRemove }: { at: number; kinds: readonly string[]; onRemove: () => void }) {
  const { findings } = useField(["on", at]);
  const known = kinds.filter((kind): kind is Kind => Object.hasOwn(FIELDS, kind));
  const own = findings.filter(({ path }) => path.length <= 3);
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
      <legend className="sr-only">Trigger {at + 1}</legend>
      <div className="flex items-center justify-between">
        <span className="font-medium">{known.map(labelOf).join(", ") || "Unknown trigger"}</span>
        <IconButton label="Remove this trigger" icon={<Trash2 size={14} aria-hidden="true" />} onClick={onRemove} />
      </div>
      {own.length > 0 && <Found findings={own} text="" />}
      {known.flatMap((kind) =>
        FIELDS[kind].map(([key, control, help, options]) => fieldOf(at, kind, key, control, help, options)),
      )}
    </fieldset>
  );
}

function fieldOf(at: number, kind: Kind, key: string, control: Control, help: string, options?: readonly string[]) {
  const label = key === "on" ? "Changes" : key === "cron" ? "Cron" : labelOf(key);
  const spec: FieldSpec = {
    path: ["on", at, kind, key],
    label,
    control,
    help,
    options,
  };
  const View = control === "choice" ? ChoiceField : InputField;
  return <View key={`${kind} ${key}`} spec={spec} />;
}
