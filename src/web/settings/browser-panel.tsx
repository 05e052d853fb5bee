// BrowserPanel: the settings of this browser: the theme, and notifications about waiting runs.

import { setNotify, useNotify } from "../app/notifications.tsx";
import { setTheme, type Theme, useTheme } from "../app/theme.ts";
import { classes } from "../ui/classes.ts";
import { Panel } from "../ui/panel.tsx";

const THEMES: readonly { id: Theme; label: string }[] = [
  { id: "system", label: "As the system" },
  { id: "light", label: "Light" },
  { id: "dark", label: "Dark" },
];

export function BrowserPanel() {
  return (
    <Panel title="This browser">
      <div className="flex flex-col gap-5 p-4">
        <ThemeChoice />
        <NotifySwitch />
      </div>
    </Panel>
  );
}

function ThemeChoice() {
  const theme = useTheme((state) => state.theme);
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">Theme</legend>
      <div className="inline-flex gap-1 rounded-lg border border-line bg-sunken p-1">
        {THEMES.map(({ id, label }) => (
          <label
            key={id}
            className={classes(
              "flex h-7 cursor-pointer items-center rounded-md px-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus",
              theme === id ? "bg-node text-text shadow-sm" : "text-muted hover:text-text",
            )}
          >
            <input type="radio" name="theme" className="sr-only" checked={theme === id} onChange={() => setTheme(id)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function NotifySwitch() {
  const { on, allowed } = useNotify();
  const can = "Notification" in globalThis;
  const refused = on && !allowed;
  const help = !can
    ? "This browser has none."
    : refused
      ? "The browser does not allow it for this page: only the title of the tab counts. Allow notifications in its settings for this address, and try again."
      : "The tab's title then says how many wait, and the browser tells you while you are not at this page.";
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
      <p
        id="notify-help"
        role="status"
        className={classes("mt-0.5 pl-5.5 text-sm", refused ? "text-failed" : "text-muted")}
      >
        {help}
      </p>
    </div>
  );
}
