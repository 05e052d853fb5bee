// SettingsScreen: theme and notifications of this browser, retention of runs, model providers, and facts about the
// server (spec ui 6.2.9). Settings of the data directory are in its config.yaml, whose comments are kept.

import { useQuery } from "@tanstack/react-query";
import { Screen } from "../app/screen.tsx";
import { serverQuery } from "../client/queries.ts";
import { FactList } from "../ui/facts.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
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
        <QueryView query={settings} rows={4}>
          {({ retention, providers }) => (
            <>
              <RetentionPanel key={JSON.stringify(retention)} retention={retention} />
              <ProvidersPanel providers={providers} />
            </>
          )}
        </QueryView>
        {!settings.isPending && <AboutPanel />}
      </div>
    </Screen>
  );
}

function AboutPanel() {
  const server = useQuery(serverQuery).data;
  if (server === undefined) return null;
  return (
    <Panel title="This server">
      <div className="p-4">
        <FactList
          facts={[
            ["Version", server.version],
            ["Folder", server.folder],
            ["Webhooks", server.hooksUrl],
            ["Time zone", server.timezone],
            ["Started", new Date(server.startedAt).toLocaleString()],
          ]}
        />
      </div>
    </Panel>
  );
}
