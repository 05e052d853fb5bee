// everywhere: the actions available on every screen (spec ui 6.5).

import { useNavigate } from "@tanstack/react-router";
import { useActions } from "./actions.ts";
import { openOverlay, useOverlay } from "./overlays.ts";
import { nextTheme } from "./theme.ts";

export function useEverywhere(): void {
  const navigate = useNavigate();
  const to = (place: "/" | "/runs" | "/inbox" | "/triggers" | "/secrets" | "/doctor" | "/settings") => () =>
    void navigate({ to: place });
  useActions("Everywhere", [
    {
      id: "palette",
      title: "Command palette",
      keys: "Ctrl+K",
      inFields: true,
      keysOnly: true,
      run: () => useOverlay.setState(({ open }) => ({ open: open === "palette" ? undefined : "palette" })),
    },
    { id: "help", title: "Keys for this place", keys: "?", run: () => openOverlay("help") },
    { id: "go.home", title: "Go to workflows", keys: "G H", words: "home", run: to("/") },
    { id: "go.runs", title: "Go to runs", keys: "G R", words: "history", run: to("/runs") },
    { id: "go.inbox", title: "Go to the inbox", keys: "G I", words: "approvals", run: to("/inbox") },
    { id: "go.triggers", title: "Go to triggers", words: "schedules webhooks deliveries", run: to("/triggers") },
    { id: "go.secrets", title: "Go to secrets", words: "connections", run: to("/secrets") },
    { id: "go.doctor", title: "Go to the doctor", words: "health checks", run: to("/doctor") },
    { id: "go.settings", title: "Go to settings", words: "retention providers models", run: to("/settings") },
    { id: "workflow.new", title: "New workflow…", words: "create file", run: () => openOverlay("new-workflow") },
    {
      id: "workflow.curl",
      title: "Paste a curl command…",
      words: "import create",
      run: () => openOverlay("paste-curl"),
    },
    { id: "theme", title: "Change the theme", words: "dark light system", run: nextTheme },
  ]);
}
