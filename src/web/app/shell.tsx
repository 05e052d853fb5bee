// Shell: the frame around every place (spec ui 6.1): the bar above, the navigation at the left, the status bar below, and what belongs
// nowhere else: the stream, the keyboard, the palette, help, short words about what happened.
//   H1. Without a session there is the page that says how to get one. Where one ends while somebody works, that stands over their work,
//       which stays as it is.

import { Outlet, useRouter } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { Suspense, useEffect } from "react";
import { keepFresh } from "../client/live.ts";
import { useSession } from "../client/session.ts";
import { openStream } from "../client/stream.ts";
import { NewWorkflow } from "../home/new-workflow.tsx";
import { PasteCurl } from "../home/paste-curl.tsx";
import { Button } from "../ui/button.tsx";
import { keepFocus } from "../ui/keep-focus.ts";
import { KeysInUse, Shortcut } from "../ui/keys.tsx";
import { lazily } from "../ui/lazily.ts";
import { Toasts } from "../ui/toast.tsx";
import { useKeysInUse } from "./actions.ts";
import { Banner } from "./banner.tsx";
import { useEverywhere } from "./everywhere.ts";
import { listenToKeys } from "./keyboard.ts";
import { Navigation } from "./navigation.tsx";
import { Notifications } from "./notifications.tsx";
import { openOverlay, useOverlay } from "./overlays.ts";
import { SignedOutAgain, SignedOutPage } from "./signed-out.tsx";
import { StartRunDialog } from "./start-run.tsx";
import { StatusBar } from "./status-bar.tsx";
import { holdStrayFiles } from "./stray-files.ts";
import { useBar } from "./top-bar.tsx";

const palette = () => import("./palette.tsx");
const Palette = lazily(
  () => palette(),
  (it) => it.Palette,
);
const Help = lazily(
  () => import("./help.tsx"),
  (it) => it.Help,
);

export function Shell() {
  const { token, before } = useSession();
  useEffect(() => (token === undefined ? undefined : openStream()), [token]);
  useEffect(keepFresh, []);
  useEffect(listenToKeys, []);
  useEffect(keepFocus, []);
  useEffect(holdStrayFiles, []);
  if (token === undefined && !before) return <SignedOutPage />;
  return (
    <>
      <Frame />
      {token === undefined && <SignedOutAgain />}
    </>
  );
}

/** Who opens the palette types on at once: it is there before it is asked for. */
function usePaletteSoon(): void {
  useEffect(() => {
    const soon = requestIdleCallback(() => void palette());
    return () => cancelIdleCallback(soon);
  }, []);
}

const placesAfterMs = 5_000;
const PLACES = ["/", "/runs", "/inbox", "/triggers", "/secrets", "/doctor", "/settings"] as const;

/** They open also when the server is away. Behind what the first screen needs, and without the large ones: those have nothing to show then. */
function usePlacesSoon(): void {
  const router = useRouter();
  useEffect(() => {
    const load = async () => {
      for (const path of PLACES) {
        const place = router.routesByPath[path];
        if (place !== undefined) await router.loadRouteChunk(place);
      }
    };
    const timer = setTimeout(() => requestIdleCallback(() => void load()), placesAfterMs);
    return () => clearTimeout(timer);
  }, [router]);
}

function Frame() {
  useEverywhere();
  usePlacesSoon();
  usePaletteSoon();
  return (
    <KeysInUse value={useKeysInUse()}>
      <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[44px_auto_minmax(0,1fr)_auto_28px] sm:grid-cols-[52px_minmax(0,1fr)] sm:grid-rows-[44px_auto_minmax(0,1fr)_28px]">
        <header data-part="bar" className="flex items-center gap-2 border-b border-line bg-panel px-4 sm:col-span-2">
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
        <Notifications />
        <Toasts />
      </div>
    </KeysInUse>
  );
}

function showBar(element: HTMLElement | null): void {
  useBar.setState({ element });
}

function PaletteButton() {
  return (
    <Button title="Command palette" className="max-sm:hidden" onClick={() => openOverlay("palette")}>
      <Search size={14} aria-hidden="true" />
      <span className="sr-only">Command palette</span>
      <Shortcut keys="Ctrl+K" />
    </Button>
  );
}

function Overlays() {
  const open = useOverlay((state) => state.open);
  return (
    <Suspense>
      {open === "palette" && <Palette />}
      {open === "help" && <Help />}
      {open === "new-workflow" && <NewWorkflow />}
      {open === "paste-curl" && <PasteCurl />}
    </Suspense>
  );
}
