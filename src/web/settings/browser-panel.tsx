// BrowserPanel: the settings of this browser: the theme, and notifications about waiting runs.

import { setNotify, useNotify } from "../app/notifications.tsx";
import { setTheme, type Theme, useTheme } from "../app/theme.ts";
import { Panel } from "../ui/panel.tsx";
import { Segments } from "../ui/segments.tsx";

const THEMES: readonly [Theme, string][] = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

export function BrowserPanel() {
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
      <label className="flex w-fit items-center gap-2 font-semibold">
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
