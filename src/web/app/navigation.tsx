// Navigation: links to the screens, at the left or at the bottom of a narrow window. The inbox shows the number of
// waiting approvals.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { History, House, Inbox, KeyRound, Settings, Stethoscope, Timer } from "lucide-react";
import { approvalsQuery } from "../client/queries.ts";
import { Tooltip } from "../ui/tooltip.tsx";

const PLACES = [
  { to: "/", label: "Workflows", icon: House, shortcut: "G H" },
  { to: "/runs", label: "Runs", icon: History, shortcut: "G R" },
  { to: "/inbox", label: "Inbox", icon: Inbox, shortcut: "G I" },
  { to: "/triggers", label: "Triggers", icon: Timer },
  { to: "/secrets", label: "Secrets", icon: KeyRound },
  { to: "/doctor", label: "Doctor", icon: Stethoscope },
  { to: "/settings", label: "Settings", icon: Settings },
] as const;

export function Navigation() {
  const waiting = useQuery(approvalsQuery).data?.length ?? 0;
  return (
    <nav
      aria-label="Places"
      className="flex gap-1 border-line bg-panel p-1.5 max-sm:row-start-4 max-sm:justify-around max-sm:border-t sm:row-span-2 sm:row-start-2 sm:flex-col sm:border-r"
    >
      {PLACES.map(({ to, label, icon: Icon, ...place }) => (
        <Tooltip key={to} text={label} shortcut={"shortcut" in place ? place.shortcut : undefined}>
          <Link
            to={to}
            activeOptions={{ exact: to === "/" }}
            aria-label={to === "/inbox" && waiting > 0 ? `${label}, ${waiting} waiting` : label}
            className="relative inline-flex size-10 items-center justify-center rounded-lg transition-colors duration-100 hover:bg-hover"
            inactiveProps={{ className: "text-muted hover:text-text" }}
            activeProps={{ className: "bg-selected text-accent" }}
          >
            <Icon size={18} strokeWidth={1.75} />
            {to === "/inbox" && waiting > 0 && (
              <span className="absolute top-0.5 right-0.5 inline-flex h-4 min-w-4 items-center justify-center rounded-full bg-waiting px-1 text-[10px] font-bold text-bg">
                {waiting}
              </span>
            )}
          </Link>
        </Tooltip>
      ))}
    </nav>
  );
}
