// StatusBar: connection state and last event, saved state, waiting approvals, and help (spec ui 6.1).

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleHelp } from "lucide-react";
import { approvalsQuery, serverQuery } from "../client/queries.ts";
import { useSession } from "../client/session.ts";
import { useStream } from "../client/stream.ts";
import { classes } from "../ui/classes.ts";
import { useNow } from "../ui/now.ts";
import { ago, count, grouped } from "../ui/words.ts";
import { openOverlay } from "./overlays.ts";
import { usePlace } from "./place.ts";

const BUTTON =
  "inline-flex h-6 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-text focus-visible:outline-offset-0";

export function StatusBar() {
  const waiting = useQuery(approvalsQuery).data?.length ?? 0;
  return (
    <footer className="flex items-center gap-4 overflow-hidden border-t border-line bg-panel px-4 text-xs whitespace-nowrap text-muted sm:col-span-2">
      <Connection />
      <SavedWord />
      {waiting > 0 && (
        <Link to="/inbox" className="inline-flex h-6 items-center text-waiting hover:underline">
          {count(waiting, "approval")} waiting
        </Link>
      )}
      <span className="ml-auto flex items-center gap-1">
        <button type="button" onClick={() => openOverlay("help")} className={`${BUTTON} max-sm:hidden`}>
          <CircleHelp size={12} />? shortcuts
        </button>
      </span>
    </footer>
  );
}

const CONNECTION = {
  live: { word: "live", dot: "bg-succeeded" },
  connecting: { word: "connecting", dot: "bg-queued pulse-slowly" },
  lost: { word: "reconnecting", dot: "bg-failed pulse-slowly" },
  out: { word: "signed out", dot: "bg-waiting" },
};

function Connection() {
  const { status: stream, position } = useStream();
  const status = useSession(({ token }) => token === undefined) ? "out" : stream;
  // The positions of a cluster have gaps.
  const counts = useQuery(serverQuery).data?.cluster !== true;
  const { word, dot } = CONNECTION[status];
  return (
    <span className="inline-flex items-center gap-2" data-connection={status}>
      <span className={classes("size-1.5 rounded-full", dot)} aria-hidden="true" />
      {word}
      {counts && position !== undefined && <span className="max-sm:hidden">· event {grouped(position)}</span>}
    </span>
  );
}

function SavedWord() {
  const saved = usePlace((place) => place.saved);
  const now = useNow();
  const isAway = useStream(({ status }) => status !== "live");
  if (saved === undefined) return null;
  if (isAway && (saved.state === "saving" || saved.state === "unsaved"))
    return <span className="truncate">not saved yet, kept in this tab</span>;
  if (saved.state === "saving") return <span>saving…</span>;
  if (saved.problem !== undefined) return <span className="truncate text-failed">not saved: {saved.problem}</span>;
  if (saved.state === "unsaved") return <span>not saved yet</span>;
  if (saved.state === "conflict") return <span className="text-waiting">changed elsewhere</span>;
  return <span>saved{saved.at === undefined ? "" : ` ${ago(new Date(saved.at).toISOString(), now)}`}</span>;
}
