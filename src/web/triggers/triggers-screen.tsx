// TriggersScreen: what starts runs by itself: schedules, webhooks with their inbox, file watches (spec ui 6.2.7).

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Clock3 } from "lucide-react";
import { useState } from "react";
import { Screen } from "../app/screen.tsx";
import { problemOf, serverQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Deliveries } from "./deliveries.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
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

export function TriggersScreen() {
  const triggers = useQuery(triggersQuery);
  const hooksUrl = useQuery(serverQuery).data?.hooksUrl ?? "";
  const { delivery } = useSearch({ from: "/triggers" });
  const navigate = useNavigate();
  const open = (id: string | undefined) =>
    void navigate({ to: "/triggers", search: id === undefined ? {} : { delivery: id } });
  const [hook, setHook] = useState<string>();
  const [tunnel, setTunnel] = useState(false);
  const { schedules = [], hooks = [], files = [] } = triggers.data ?? {};
  const isEmpty = triggers.data !== undefined && schedules.length + hooks.length + files.length === 0;
  return (
    <Screen title="Triggers">
      {triggers.isPending && <Skeleton rows={5} />}
      {triggers.error !== null && triggers.data === undefined && (
        <Problem
          problem={problemOf(triggers.error)}
          action={<Button onClick={() => void triggers.refetch()}>Try again</Button>}
        />
      )}
      {isEmpty && <Nothing />}
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

function Nothing() {
  return (
    <>
      <Empty icon={<Clock3 size={28} aria-hidden="true" />} title="Nothing starts by itself yet">
        A workflow says under <span className="font-mono text-xs">on:</span> what starts it: a time, a webhook, a file.
        It counts as soon as the file is saved.
      </Empty>
      <TextBlock label="Example" className="mx-auto -mt-8 max-w-xl" text={EXAMPLE} />
    </>
  );
}
