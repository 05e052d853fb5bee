// Shell: the frame around every place (spec ui 6.1): the bar above, the navigation at the left, the status bar below.

import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { keepFresh } from "../client/live.ts";
import { useSession } from "../client/session.ts";
import { openStream } from "../client/stream.ts";
import { Toasts } from "../ui/toast.tsx";
import { Navigation } from "./navigation.tsx";
import { SignedOutPage } from "./signed-out.tsx";
import { StatusBar } from "./status-bar.tsx";
import { useBar } from "./top-bar.tsx";

export function Shell() {
  const token = useSession((state) => state.token);
  useEffect(() => (token === undefined ? undefined : openStream()), [token]);
  useEffect(keepFresh, []);
  if (token === undefined) return <SignedOutPage />;
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[44px_minmax(0,1fr)_auto_28px] sm:grid-cols-[52px_minmax(0,1fr)] sm:grid-rows-[44px_minmax(0,1fr)_28px]">
      <header
        ref={(element) => useBar.setState({ element })}
        className="flex items-center gap-3 border-b border-line bg-panel px-4 sm:col-span-2"
      />
      <Navigation />
      <main className="min-h-0 min-w-0 overflow-hidden max-sm:row-start-2">
        <Outlet />
      </main>
      <StatusBar />
      <Toasts />
    </div>
  );
}
