// Notifications: who wants it is told when something begins to wait: the window's title says how many do, and the browser notifies
// (spec ui 6.2.6). Screen readers are always told.
// Deliberately absent: asking for the permission unasked.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { create } from "zustand";
import { approvalsQuery } from "../client/queries.ts";
import { say } from "../ui/toast.tsx";
import { usePlace } from "./place.ts";

const KEY = "curlew.notify";

export const useNotify = create<{ on: boolean }>(() => ({ on: localStorage.getItem(KEY) === "1" }));

function mayNotify(): boolean {
  return "Notification" in globalThis && Notification.permission === "granted";
}

/** Opt-in, by a press of the person (the inbox has the button). False: the browser said no. The title counts all the same. */
export async function setNotify(on: boolean): Promise<boolean> {
  localStorage.setItem(KEY, on ? "1" : "0");
  useNotify.setState({ on });
  return !on || ("Notification" in globalThis && (await Notification.requestPermission()) === "granted");
}

/** Once in the shell; draws nothing. */
export function Notifications() {
  const approvals = useQuery(approvalsQuery).data;
  const title = usePlace((place) => place.title);
  const on = useNotify((state) => state.on);
  const known = useRef<Set<string> | undefined>(undefined);
  const waiting = on ? (approvals?.length ?? 0) : 0;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title === "" ? "" : `${title} · `}Curlew`;
  }, [title, waiting]);
  useEffect(() => {
    if (approvals === undefined) return;
    const before = known.current;
    known.current = new Set(approvals.map(({ id }) => id));
    if (before === undefined) return;
    for (const { id, title, workflow } of approvals) {
      if (before.has(id)) continue;
      say(`${workflow} waits for your approval: ${title}`, "assertive");
      if (useNotify.getState().on && document.hidden && mayNotify())
        new Notification("Curlew waits for you", { body: `${workflow}: ${title}`, tag: id });
    }
  }, [approvals]);
  return null;
}
