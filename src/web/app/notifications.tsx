// Notifications: reports new approval requests and failed runs (spec ui 6.2.6). The window title counts waiting
// approvals, and browser notifications link to the request or run. Screen readers always announce waiting approvals.
// It asks for the browser's permission only after a click.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { create } from "zustand";
import { at } from "../../api/address.ts";
import type { RunItem } from "../../api/shapes.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { ask } from "../client/api.ts";
import { approvalsQuery } from "../client/queries.ts";
import { onMessage } from "../client/stream.ts";
import { say } from "../ui/toast.tsx";
import { usePlace } from "./place.ts";

const KEY = "curlew.notify";

/** `allowed` by the browser. The title shows the count in either case. */
export const useNotify = create<{ on: boolean; allowed: boolean }>(() => ({
  on: localStorage.getItem(KEY) === "1",
  allowed: isAllowed(),
}));

function isAllowed(): boolean {
  return "Notification" in globalThis && Notification.permission === "granted";
}

/** No notification while the user is looking at the page. A window without focus counts as not looked at. */
function wantsTo(): boolean {
  return useNotify.getState().on && isAllowed() && (document.hidden || !document.hasFocus());
}

/** Opt-in in the settings. */
export async function setNotify(on: boolean): Promise<void> {
  localStorage.setItem(KEY, on ? "1" : "0");
  // Until the user answers the browser's prompt, the permission is not denied.
  useNotify.setState({ on, allowed: true });
  if (on && "Notification" in globalThis) await Notification.requestPermission();
  useNotify.setState({ allowed: isAllowed() });
}

/** A second notification with the same `tag` replaces the first. Mobile browsers may throw here. */
function notify(title: string, body: string, tag: string, onPress: () => void): void {
  try {
    const shown = new Notification(title, { body, tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onPress();
    };
  } catch {
    useNotify.setState({ allowed: false });
  }
}

/** Mounted once, in the shell. Renders nothing. */
export function Notifications() {
  const approvals = useQuery(approvalsQuery).data;
  const title = usePlace((place) => place.title);
  const on = useNotify((state) => state.on);
  const navigate = useNavigate();
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
      const go = () => void navigate({ to: "/inbox", search: { id } });
      if (wantsTo()) notify("Curlew waits for you", `${workflow}: ${title}`, id, go);
    }
  }, [approvals, navigate]);
  useEffect(
    () =>
      onMessage((message) => {
        if (message.kind !== "run" || !wantsTo()) return;
        const { event } = message;
        if (event.type !== "run.failed" && event.type !== "run.timed-out") return;
        void tellFailed(event, (id) => void navigate({ to: "/runs/$id", params: { id } }));
      }),
    [navigate],
  );
  return null;
}

async function tellFailed(
  event: Extract<RunEvent, { type: "run.failed" | "run.timed-out" }>,
  go: (run: string) => void,
): Promise<void> {
  const run = await ask<RunItem>(at("runs", event.run)).catch(() => undefined);
  // The outer run reports this.
  if (run === undefined || run.trigger.kind === "subflow") return;
  const why = event.type === "run.failed" ? event.failure.message : "It exceeded its time limit.";
  notify(`${run.workflow} failed`, why, run.id, () => go(run.id));
}
