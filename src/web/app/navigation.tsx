// Navigation: links to the screens, at the left with words from 1280 px, or at the bottom of a narrow window. The inbox shows the number of
// waiting approvals.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { History, House, Inbox, KeyRound, Server, Settings, Stethoscope, Timer } from "lucide-react";
import { approvalsQuery, serverQuery } from "../client/queries.ts";
import { Tooltip } from "../ui/tooltip.tsx";

/** `words`: more that the palette finds them by. */
const PLACES = [
  { to: "/", label: "Workflows", icon: House, keys: "G H", words: "home" },
  { to: "/runs", label: "Runs", icon: History, keys: "G R", words: "history" },
  { to: "/inbox", label: "Inbox", icon: Inbox, keys: "G I", words: "approvals" },
  { to: "/triggers", label: "Triggers", icon: Timer, keys: undefined, words: "schedules webhooks deliveries" },
  { to: "/secrets", label: "Secrets", icon: KeyRound, keys: undefined, words: "connections" },
  { to: "/machines", label: "Machines", icon: Server, keys: undefined, words: "workers cluster" },
  { to: "/doctor", label: "Doctor", icon: Stethoscope, keys: undefined, words: "health checks" },
  { to: "/settings", label: "Settings", icon: Settings, keys: undefined, words: "retention providers models" },
] as const;

/** Only a cluster has machines. */
export function usePlaces() {
  const isCluster = useQuery(serverQuery).data?.cluster === true;
  return PLACES.filter(({ to }) => to !== "/machines" || isCluster);
}

const CURRENT = { className: "bg-selected font-semibold text-accent" };

export function Navigation() {
  const { pathname } = useLocation();
  const waiting = useQuery(approvalsQuery).data?.length ?? 0;
  return (
    <nav
      aria-label="Places"
      className="flex gap-1 border-line bg-panel p-1.5 xl:px-2 xl:py-3 max-sm:row-start-4 max-sm:justify-around max-sm:border-t sm:row-span-2 sm:row-start-2 sm:flex-col sm:border-r"
    >
      {usePlaces().map(({ to, label, icon: Icon, keys }) => (
        <Tooltip key={to} text={label} shortcut={keys}>
          <Link
            to={to}
            activeOptions={{ exact: to === "/" }}
            className="relative inline-flex size-10 items-center justify-center gap-3 rounded-lg transition-colors duration-120 hover:bg-hover xl:h-9 xl:w-full xl:justify-start xl:px-3"
            inactiveProps={
              to === "/" && pathname.startsWith("/w/") ? CURRENT : { className: "text-muted hover:text-text" }
            }
            activeProps={CURRENT}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
            <span className="max-xl:sr-only">{label}</span>{" "}
            {to === "/inbox" && waiting > 0 && (
              <span className="absolute top-0.5 right-0.5 inline-flex h-4 min-w-4 items-center justify-center rounded-full bg-waiting px-1 text-xs font-bold text-bg xl:static xl:ml-auto xl:h-5 xl:min-w-5">
                {waiting} <span className="sr-only">waiting</span>
              </span>
            )}
          </Link>
        </Tooltip>
      ))}
    </nav>
  );
}
