// SettingsScreen: theme and notifications of this browser, retention of runs, model providers, and facts about the
// server (spec ui 6.2.9). Settings of the data directory are in its config.yaml, whose comments are kept.

import { useQuery } from "@tanstack/react-query";
import { setNotify, useNotify } from "../app/notifications.tsx";
import { Screen } from "../app/screen.tsx";
import { setTheme, type Theme, useTheme } from "../app/theme.ts";
import { serverQuery } from "../client/queries.ts";
import { FactList } from "../ui/facts.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Segments } from "../ui/segments.tsx";
import { exactTime } from "../ui/words.ts";
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
            ["Started", exactTime(server.startedAt)],
          ]}
        />
      </div>
    </Panel>
  );
}

const THEMES: readonly [Theme, string][] = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

function BrowserPanel() {
  const theme = useTheme((state) => state.theme);
  return (
    <Panel title="This browser">
      <div className="flex flex-col items-start gap-5 p-4">
        <Segments label="Theme" options={THEMES} isOn={(id) => id === theme} onPress={setTheme} />
        <NotifySwitch />
      </div>
    </Panel>
  );
}

function NotifySwitch() {
  const { on, allowed } = useNotify();
  const can = "Notification" in globalThis;
  const refused = on && !allowed;
  const help = !can
    ? "This browser has no notifications."
    : refused
      ? "The browser does not allow notifications for this page, so only the title of the tab counts. Allow them in the browser's settings for this address, and try again."
      : "The title of the tab shows how many approvals wait. The browser notifies you while you are not at this page.";
  return (
    <div>
      <label className="flex w-fit items-start gap-2 font-semibold *:mt-0.5">
        <input
          type="checkbox"
          checked={on}
          disabled={!can}
          aria-describedby="notify-help"
          onChange={(event) => void setNotify(event.target.checked)}
        />
        Notify me when a run fails or waits for my approval
      </label>
      <p id="notify-help" role="status" className={`mt-0.5 pl-5.5 text-sm ${refused ? "text-failed" : "text-muted"}`}>
        {help}
      </p>
    </div>
  );
}
