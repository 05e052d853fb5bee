// Notifications: the window's title says how many wait; who wants it is notified by the browser when one more does (spec ui 6.2.6).
// Deliberately absent: asking for the permission unasked.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { create } from "zustand";
import { approvalsQuery } from "../client/queries.ts";
import { say } from "../ui/toast.tsx";
import { usePlace } from "./place.ts";

const KEY = "curlew.notify";

export const useNotify = create<{ on: boolean }>(() => ({
  on: localStorage.getItem(KEY) === "1" && "Notification" in globalThis && Notification.permission === "granted",
}));

/** Opt-in, by a press of the person. False: the browser said no. */
export async function setNotify(on: boolean): Promise<boolean> {
  const granted = on && "Notification" in globalThis && (await Notification.requestPermission()) === "granted";
  localStorage.setItem(KEY, granted ? "1" : "0");
  useNotify.setState({ on: granted });
  return granted === on;
}

export function Notifications() {
  const approvals = useQuery(approvalsQuery).data;
  const title = usePlace((place) => place.title);
  const known = useRef<Set<string> | undefined>(undefined);
  const waiting = approvals?.length ?? 0;
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
      if (useNotify.getState().on && document.hidden)
        new Notification("Curlew waits for you", { body: `${workflow}: ${title}`, tag: id });
    }
  }, [approvals]);
  return null;
}
