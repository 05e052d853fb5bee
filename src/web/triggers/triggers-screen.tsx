// TriggersScreen: schedules, webhooks with their deliveries, and file watches (spec ui 6.2.7).

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Clock3 } from "lucide-react";
import { useRef, useState } from "react";
import type { Triggers } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { Screen } from "../app/screen.tsx";
import { serverQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Code } from "../ui/facts.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { count } from "../ui/words.ts";
import { cronWords } from "./cron-words.ts";
import { Deliveries } from "./deliveries.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { Hooks, Watches } from "./hooks.tsx";
import { triggersQuery } from "./queries.ts";
import { Schedules } from "./schedules.tsx";
import { TunnelDialog } from "./tunnel-dialog.tsx";

const EXAMPLE = `on:
  - schedule: { cron: "0 9 * * mon-fri", timezone: Europe/Berlin }
  - webhook: { path: github, verify: github, secret: GITHUB_WEBHOOK_SECRET }
  - file: { paths: ["inbox/*.json"] }`;

const findFrom = 8;

export function TriggersScreen() {
  const triggers = useQuery(triggersQuery);
  const hooksUrl = useQuery(serverQuery).data?.hooksUrl ?? "";
  const { delivery, text = "" } = useSearch({ from: "/triggers" });
  const navigate = useNavigate();
  const setText = (next: string) =>
    void navigate({ to: "/triggers", search: { text: next || undefined, delivery }, replace: true });
  const open = (id: string | undefined) =>
    void navigate({ to: "/triggers", search: { text: text || undefined, delivery: id } });
  const [hook, setHook] = useState<string>();
  const [tunnel, setTunnel] = useState(false);
  const find = useRef<HTMLInputElement>(null);
  const all = triggers.data ?? NONE;
  const { schedules, hooks, files } = found(all, text);
  const shown = schedules.length + hooks.length + files.length;
  const total = all.schedules.length + all.hooks.length + all.files.length;
  const canFind = total >= findFrom || text !== "";
  useActions("Triggers", [
    { id: "triggers.find", title: "Find a trigger", keys: "/", disabled: !canFind, run: () => find.current?.focus() },
  ]);
  return (
    <Screen title="Triggers">
      <QueryView query={triggers} rows={5}>
        {() => total === 0 && <Nothing />}
      </QueryView>
      {total > 0 && canFind && (
        <div role="search" aria-label="Find" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <p role="status" className="min-w-0 flex-1 text-muted">
            {text === "" ? count(total, "trigger") : `${shown} of ${count(total, "trigger")}`}
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
      {total > 0 && shown === 0 && (
        <Empty title="No matching triggers" action={<Button onClick={() => setText("")}>Show all triggers</Button>} />
      )}
      <div className="flex flex-col gap-5">
        {schedules.length > 0 && <Schedules items={schedules} />}
        {hooks.length > 0 && <Hooks items={hooks} shown={hook} onShow={setHook} onTunnel={() => setTunnel(true)} />}
        {files.length > 0 && <Watches items={files} />}
        {hooks.length > 0 && <Deliveries hook={hook} onHook={setHook} onOpen={open} />}
      </div>
      {delivery !== undefined && <DeliveryDialog id={delivery} onClose={() => open(undefined)} onOpen={open} />}
      {tunnel && <TunnelDialog hooksUrl={hooksUrl} onClose={() => setTunnel(false)} />}
    </Screen>
  );
}

const NONE: Triggers = { schedules: [], hooks: [], files: [] };

/** The triggers in which each word of `text` occurs in some field. */
function found({ schedules, hooks, files }: Triggers, text: string): Triggers {
  const wanted = text.toLowerCase().split(/\s+/);
  const isMeant = (kind: string, item: { paused: boolean }, words = "") => {
    const said = `${kind} ${item.paused ? "paused" : ""} ${words} ${Object.values(item).join(" ")}`.toLowerCase();
    return wanted.every((word) => said.includes(word));
  };
  return {
    schedules: schedules.filter((item) => isMeant("schedule", item, cronWords(item.cron))),
    hooks: hooks.filter((item) => isMeant("webhook", item)),
    files: files.filter((item) => isMeant("file watch", item)),
  };
}

function Nothing() {
  return (
    <Empty
      icon={<Clock3 size={28} />}
      title="No triggers yet"
      action={
        <Link to="/" className="text-accent underline">
          Choose a workflow
        </Link>
      }
    >
      <p className="mb-3">
        A workflow lists its triggers under <code>on:</code>. They are active as soon as the file is saved.
      </p>
      <Code label="Example">{EXAMPLE}</Code>
    </Empty>
  );
}
