// SettingsScreen: how this browser looks and speaks up, how long runs are kept, which models can be asked, and what this server is
// (spec ui 6.2.9). What belongs to the home stands in its config.yaml, whose comments stay.

import { useQuery } from "@tanstack/react-query";
import { Screen } from "../app/screen.tsx";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AboutPanel } from "./about-panel.tsx";
import { BrowserPanel } from "./browser-panel.tsx";
import { ProvidersPanel } from "./providers-panel.tsx";
import { settingsQuery } from "./queries.ts";
import { RetentionPanel } from "./retention-panel.tsx";

export function SettingsScreen() {
  const settings = useQuery(settingsQuery);
  return (
    <Screen title="Settings">
      <div className="flex flex-col gap-6">
        <BrowserPanel />
        {settings.isPending && <Skeleton rows={4} />}
        {settings.error !== null && (
          <Problem
            problem={problemOf(settings.error)}
            action={<Button onClick={() => void settings.refetch()}>Try again</Button>}
          />
        )}
        {settings.data !== undefined && (
          <>
            <RetentionPanel key={JSON.stringify(settings.data.retention)} retention={settings.data.retention} />
            <ProvidersPanel providers={settings.data.providers} />
          </>
        )}
        {!settings.isPending && <AboutPanel />}
      </div>
    </Screen>
  );
}
