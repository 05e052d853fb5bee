// Shell: the frame of every screen (spec ui 6.1): top bar, navigation, status bar, and global parts such as the stream,
// the keyboard, the palette, help and toasts.
//   H1. Without a session, a page explains how to sign in. If a session ends during work, that page covers the work,
//       which stays as it is.

import { Outlet } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect } from "react";
import { keepFresh } from "../client/live.ts";
import { useSession } from "../client/session.ts";
import { openStream } from "../client/stream.ts";
import { PasteCurl } from "../home/curl-form.tsx";
import { NewWorkflow } from "../home/new-workflow.tsx";
import { Button } from "../ui/button.tsx";
import { keepFocus } from "../ui/focus.ts";
import { Shortcut } from "../ui/keys.tsx";
import { Toasts } from "../ui/toast.tsx";
import { Banner } from "./banner.tsx";
import { useEverywhere } from "./everywhere.ts";
import { Help } from "./help.tsx";
import { listenToKeys } from "./keyboard.ts";
import { Navigation } from "./navigation.tsx";
import { Notifications } from "./notifications.tsx";
import { openOverlay, useOverlay } from "./overlays.ts";
import { Palette } from "./palette.tsx";
import { SignedOutAgain, SignedOutPage } from "./signed-out.tsx";
import { StartRunDialog } from "./start-run.tsx";
import { StatusBar } from "./status-bar.tsx";
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
      <Shortcut keys="Ctrl+K" />
    </Button>
  );
}

function Overlays() {
  const open = useOverlay((state) => state.open);
  return (
    <>
      {open === "palette" && <Palette />}
      {open === "help" && <Help />}
      {open === "new-workflow" && <NewWorkflow />}
      {open === "paste-curl" && <PasteCurl />}
    </>
  );
}
