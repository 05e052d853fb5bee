// TriggersScreen: what starts runs by itself: schedules, webhooks with their inbox, file watches (spec ui 6.2.7).

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Clock3, Search } from "lucide-react";
import { useRef, useState } from "react";
import type { Triggers } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { Screen } from "../app/screen.tsx";
import { problemOf, serverQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { count } from "../ui/words.ts";
import { BrokenFiles } from "./broken-files.tsx";
import { useCronWords } from "./cron-words.ts";
import { Deliveries } from "./deliveries.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { triggersLike } from "./find.ts";
import { Hooks } from "./hooks.tsx";
import { triggersQuery } from "./queries.ts";
import { Schedules } from "./schedules.tsx";
import { TextBlock } from "./text-block.tsx";
import { TunnelDialog } from "./tunnel-dialog.tsx";
import { Watches } from "./watches.tsx";

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
    void navigate({ to: "/triggers", search: searchOf({ text: next, delivery }), replace: true });
  const open = (id: string | undefined) => void navigate({ to: "/triggers", search: searchOf({ text, delivery: id }) });
  const [hook, setHook] = useState<string>();
  const [tunnel, setTunnel] = useState(false);
  const find = useRef<HTMLInputElement>(null);
  const all = triggers.data ?? NONE;
  const inWords = useCronWords(all.schedules.length > 0);
  const found = triggersLike(all, text, inWords);
  const { schedules, hooks, files } = found;
  const canFind = sum(all) >= findFrom || text !== "";
  useActions("Triggers", [
    { id: "triggers.find", title: "Find a trigger", keys: "/", disabled: !canFind, run: () => find.current?.focus() },
  ]);
  return (
    <Screen title="Triggers">
      {triggers.isPending && <Skeleton rows={5} />}
      {triggers.error !== null && triggers.data === undefined && (
        <Problem
          problem={problemOf(triggers.error)}
          action={<Button onClick={() => void triggers.refetch()}>Try again</Button>}
        />
      )}
      {triggers.data !== undefined && <BrokenFiles known={all} />}
      {triggers.data !== undefined && sum(all) === 0 && <Nothing />}
      {sum(all) > 0 && canFind && (
        <div role="search" aria-label="Find" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <p role="status" className="min-w-0 flex-1 text-muted">
            {text === "" ? count(sum(all), "trigger") : `${sum(found)} of ${count(sum(all), "trigger")}`}
          </p>
          <TypedSearch
            label="Find a trigger"
            placeholder="Find…"
            icon={<Search size={14} aria-hidden="true" className="absolute top-2.25 left-2.5 text-muted" />}
            value={text}
            onChange={setText}
            inputRef={find}
            className="pl-8"
          />
        </div>
      )}
      {sum(all) > 0 && sum(found) === 0 && (
        <Empty title="No trigger is like that" action={<Button onClick={() => setText("")}>Show all triggers</Button>}>
          Words are looked for in the file, the times, the addresses, the zone, and in “paused”.
        </Empty>
      )}
      <div className="flex flex-col gap-5">
        {schedules.length > 0 && <Schedules items={schedules} inWords={inWords} />}
        {hooks.length > 0 && <Hooks items={hooks} shown={hook} onShow={setHook} onTunnel={() => setTunnel(true)} />}
        {files.length > 0 && <Watches items={files} />}
        {hooks.length > 0 && <Deliveries hook={hook} onHook={setHook} onOpen={open} />}
      </div>
      {delivery !== undefined && <DeliveryDialog id={delivery} onClose={() => open(undefined)} onOpen={open} />}
      {tunnel && <TunnelDialog hooksUrl={hooksUrl} onClose={() => setTunnel(false)} />}
    </Screen>
  );
}

function searchOf({ text, delivery }: { text: string; delivery: string | undefined }) {
  return { ...(text === "" ? {} : { text }), ...(delivery === undefined ? {} : { delivery }) };
}

const NONE: Triggers = { schedules: [], hooks: [], files: [] };

function sum({ schedules, hooks, files }: Triggers): number {
  return schedules.length + hooks.length + files.length;
}

function Nothing() {
  return (
    <>
      <Empty icon={<Clock3 size={28} aria-hidden="true" />} title="Nothing starts by itself yet">
        A workflow says under <span className="font-mono text-xs">on:</span> what starts it: a time, a webhook, a file.
        It counts as soon as the file is saved. In the editor the workflow's own panel adds one.
      </Empty>
      <TextBlock label="Example" className="mx-auto -mt-8 max-w-xl" text={EXAMPLE} />
      <p className="mt-6 text-center">
        <Link to="/" className="text-accent underline">
          Choose a workflow
        </Link>
      </p>
    </>
  );
}
