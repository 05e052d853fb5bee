// TriggersScreen: the triggers of each kind, and the deliveries of webhooks (spec ui 6.2.7).

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Clock3 } from "lucide-react";
import { useRef, useState } from "react";
import type { TriggerItem } from "../../api/shapes.ts";
import { type DocumentTrigger, TRIGGER_NAMES, triggerKind } from "../../workflow/triggers/index.ts";
import { useActions } from "../app/actions.ts";
import { Screen } from "../app/screen.tsx";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { count } from "../ui/words.ts";
import { type AddedKind, AddMenu, AddTrigger } from "./add-trigger.tsx";
import { cronWords } from "./cron-words.ts";
import { Deliveries } from "./deliveries.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { EditSchedule } from "./edit-schedule.tsx";
import { Hooks } from "./hooks.tsx";
import { type Listed, triggersQuery } from "./queries.ts";
import { Schedules } from "./schedules.tsx";
import { LastStart, TriggerRow } from "./trigger-row.tsx";

const findFrom = 8;

const OWN_VIEW = new Set(["schedule", "webhook"]);

export function TriggersScreen() {
  const triggers = useQuery(triggersQuery);
  const { delivery, text = "" } = useSearch({ from: "/triggers" });
  const navigate = useNavigate();
  const setText = (next: string) =>
    void navigate({ to: "/triggers", search: { text: next || undefined, delivery }, replace: true });
  const open = (id: string | undefined) =>
    void navigate({ to: "/triggers", search: { text: text || undefined, delivery: id } });
  const [hook, setHook] = useState<string>();
  const [editing, setEditing] = useState<TriggerItem>();
  const [adding, setAdding] = useState<AddedKind>();
  const find = useRef<HTMLInputElement>(null);
  const all = triggers.data?.items ?? [];
  const found = all.filter((item) => isFound(item, text));
  const of = <Kind extends DocumentTrigger["kind"]>(kind: Kind) =>
    found.filter((item) => item.kind === kind) as Listed<Extract<DocumentTrigger, { kind: Kind }>>[];
  const [schedules, hooks] = [of("schedule"), of("webhook")];
  const total = all.length;
  const canFind = total >= findFrom || text !== "";
  useActions("Triggers", [
    { id: "triggers.find", title: "Find a trigger", keys: "/", disabled: !canFind, run: () => find.current?.focus() },
  ]);
  return (
    <Screen title="Triggers" actions={total > 0 && <AddMenu onAdd={setAdding} />}>
      <QueryView query={triggers} rows={5}>
        {() => total === 0 && <Nothing onAdd={setAdding} />}
      </QueryView>
      {total > 0 && canFind && (
        <div role="search" aria-label="Find" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <p role="status" className="min-w-0 flex-1 text-muted">
            {text === "" ? count(total, "trigger") : `${found.length} of ${count(total, "trigger")}`}
          </p>
          <TypedSearch
            label="Find a trigger"
            placeholder="Find…"
            value={text}
            onChange={setText}
            inputRef={find}
            icon
          />
        </div>
      )}
      {total > 0 && found.length === 0 && (
        <Empty title="No matching triggers" action={<Button onClick={() => setText("")}>Show all triggers</Button>} />
      )}
      <div className="flex flex-col gap-5">
        {schedules.length > 0 && <Schedules items={schedules} onEdit={setEditing} />}
        {hooks.length > 0 && <Hooks items={hooks} shown={hook} onShow={setHook} />}
        {TRIGGER_NAMES.filter((kind) => !OWN_VIEW.has(kind)).map((kind) => (
          <Others key={kind} kind={kind} items={of(kind)} />
        ))}
        {hooks.length > 0 && <Deliveries hook={hook} onHook={setHook} onOpen={open} />}
      </div>
      {delivery !== undefined && <DeliveryDialog id={delivery} onClose={() => open(undefined)} onOpen={open} />}
      {editing && <EditSchedule item={editing} onClose={() => setEditing(undefined)} />}
      {adding === "schedule" && <EditSchedule onClose={() => setAdding(undefined)} />}
      {adding !== undefined && adding !== "schedule" && (
        <AddTrigger kind={adding} onClose={() => setAdding(undefined)} />
      )}
    </Screen>
  );
}

/** Whether each word of `text` occurs in some field of the trigger. */
function isFound({ id, kind, title, workflow, paused, problem, fields, url }: TriggerItem, text: string): boolean {
  const words = [id, kind, triggerKind(kind).name, title, workflow, paused ? "paused" : "", problem, url];
  const more = typeof fields.cron === "string" ? cronWords(fields.cron) : "";
  const all = [...words, ...Object.values(fields), more].join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The triggers of a kind that has only a plain view. */
function Others({ kind, items }: { kind: DocumentTrigger["kind"]; items: readonly TriggerItem[] }) {
  const { name, plural } = triggerKind(kind);
  if (items.length === 0) return null;
  return (
    <Panel title={plural}>
      <InParts label={plural} items={items}>
        {(item) => {
          const title = item.title.slice(kind.length + 1);
          return (
            <TriggerRow
              key={item.id}
              item={item}
              title={<span className="font-mono text-sm">{title}</span>}
              called={`${name} ${title}`}
              facts={<LastStart last={item.last} />}
            />
          );
        }}
      </InParts>
    </Panel>
  );
}

function Nothing({ onAdd }: { onAdd: (kind: AddedKind) => void }) {
  return (
    <Empty
      icon={<Clock3 size={28} />}
      title="No triggers yet"
      action={<AddMenu primary onAdd={onAdd} />}
      docs={["how-to/triggers", "Schedules, webhooks, and files"]}
    >
      Triggers start workflows automatically: at a time, for a request, or when files change.
    </Empty>
  );
}
