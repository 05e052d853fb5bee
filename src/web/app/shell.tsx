// Shell: the frame of every screen: bar, navigation, status bar, and what is there once (spec ui 6.1).
//   H1. Without a session, a page explains how to sign in. If a session ends during work, that page covers the work,
//       which stays as it is.

import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { keepFresh } from "../client/live.ts";
import { useSession } from "../client/session.ts";
import { openStream, useStream } from "../client/stream.ts";
import { useNewWorkflow } from "../home/create.ts";
import { PasteCurl } from "../home/curl-form.tsx";
import { AskedSecrets } from "../secrets/asking.tsx";
import { Button } from "../ui/button.tsx";
import { keepFocus } from "../ui/focus.ts";
import { Shortcut } from "../ui/keys.tsx";
import { say, Toasts } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";
import { useActions } from "./actions.ts";
import { Help } from "./help.tsx";
import { listenToKeys } from "./keyboard.ts";
import { Navigation, usePlaces } from "./navigation.tsx";
import { Notifications } from "./notifications.tsx";
import { openOverlay, useOverlay } from "./overlays.ts";
import { Palette } from "./palette.tsx";
import { SignedOutAgain, SignedOutPage } from "./signed-out.tsx";
import { StartRunDialog } from "./start-run.tsx";
import { StatusBar } from "./status-bar.tsx";
import { nextTheme } from "./theme.ts";
import { useBar } from "./top-bar.tsx";

export function Shell() {
  const { token, before } = useSession();
  useEffect(() => (token === undefined ? undefined : openStream()), [token]);
  useEffect(keepFresh, []);
  useEffect(listenToKeys, []);
  useEffect(keepFocus, []);
  if (token === undefined && !before) return <SignedOutPage />;
  return (
    <>
      <Frame />
      {token === undefined && <SignedOutAgain />}
    </>
  );
}

function Frame() {
  useEverywhere();
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[52px_auto_minmax(0,1fr)_auto_28px] sm:grid-cols-[52px_minmax(0,1fr)] sm:grid-rows-[52px_auto_minmax(0,1fr)_28px] xl:grid-cols-[200px_minmax(0,1fr)]">
      <header data-part="bar" className="flex items-center gap-2 border-b border-line bg-panel px-4 sm:col-span-2">
        <Brand />
        <div ref={showBar} className="flex h-full min-w-0 flex-1 items-center gap-3" />
        <PaletteButton />
      </header>
      <div className="sm:col-start-2">
        <Banner />
      </div>
      <Navigation />
      <main className="min-h-0 min-w-0 overflow-hidden max-sm:row-start-3 sm:col-start-2 sm:row-start-3">
        <Outlet />
      </main>
      <StatusBar />
      <Overlays />
      <StartRunDialog />
      <AskedSecrets />
      <Notifications />
      <Toasts />
    </div>
  );
}

/** On phones, the bar has no room for it. */
function Brand() {
  return (
    <Link
      to="/"
      className="flex items-center gap-2.5 max-sm:hidden sm:-ml-2 sm:mr-1 xl:mr-0 xl:ml-0 xl:w-46 xl:shrink-0"
    >
      <img src="/icon.svg" alt="" width={26} height={26} />
      <span className="text-lg font-semibold max-xl:sr-only">Curlew</span>
    </Link>
  );
}

function showBar(element: HTMLElement | null): void {
  useBar.setState({ element });
}

function PaletteButton() {
  return (
    <Button title="Command palette" className="max-sm:hidden" onClick={() => openOverlay("palette")}>
      <Search />
      <span className="sr-only">Command palette</span>
      <span className="max-[1400px]:hidden">
        <Shortcut keys="Ctrl+K" />
      </span>
    </Button>
  );
}

function Overlays() {
  const open = useOverlay((state) => state.open);
  return (
    <>
      {open === "palette" && <Palette />}
      {open === "help" && <Help />}
      {open === "paste-curl" && <PasteCurl />}
    </>
  );
}

const bannerAfterMs = 2000;
const thanksMs = 6000;

/** Says that the server does not respond, and after reconnecting how many events came (spec ui 6.4, Reconnect). */
function Banner() {
  const { lostAt, caughtUp } = useStream();
  const [late, setLate] = useState(false);
  const [fresh, setFresh] = useState(false);
  useEffect(() => {
    setLate(false);
    if (lostAt === undefined) return;
    const timer = setTimeout(() => setLate(true), Math.max(0, lostAt + bannerAfterMs - Date.now()));
    return () => clearTimeout(timer);
  }, [lostAt]);
  useEffect(() => {
    setFresh(caughtUp !== undefined);
    if (caughtUp === undefined) return;
    say(`Connected again, caught up ${count(caughtUp.events, "event")}`);
    const timer = setTimeout(() => setFresh(false), thanksMs);
    return () => clearTimeout(timer);
  }, [caughtUp]);
  if (late)
    return (
      <div role="alert" className="border-b border-waiting bg-panel px-4 py-1.5 text-waiting">
        The server is not responding. Reconnecting automatically; no events will be lost.
      </div>
    );
  if (fresh && caughtUp !== undefined)
    return (
      <div role="status" className="border-b border-succeeded bg-panel px-4 py-1.5 text-succeeded">
        Connected again, caught up {count(caughtUp.events, "event")}.
      </div>
    );
  return null;
}

/** The actions available on every screen (spec ui 6.5). */
function useEverywhere(): void {
  const navigate = useNavigate();
  const places = usePlaces().map(({ to, label, icon: _, ...place }) => ({
    ...{ ...place, id: `go.${to.slice(1) || "home"}`, title: `Go to ${label.toLowerCase()}` },
    run: () => void navigate({ to }),
  }));
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
    ...places,
    { id: "workflow.new", title: "New workflow", words: "create file empty", run: useNewWorkflow() },
    {
      id: "workflow.curl",
      title: "Paste a curl command…",
      words: "import create",
      run: () => openOverlay("paste-curl"),
    },
    { id: "theme", title: "Change the theme", words: "dark light system", run: nextTheme },
  ]);
}
