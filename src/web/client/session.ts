// session: the token of this tab (spec 4.3 S17). It is exchanged for the link's one-time code and stored only in
// sessionStorage.
//   S1. The code is removed from the URL before it is sent, so that it is in no history and no screenshot.
//   S2. A 401 ends the session, and the page says how to sign in. A 401 for an older token does not end a newer
//       session.
//   S3. A tab without a session asks other tabs of the same origin, and a tab that signs in tells the others
//       (docs/adr/0058). So a run opened in a new tab works.
// It is in no cookie and not in localStorage, because a token must not outlive its tabs.

import { create } from "zustand";
import type { Session } from "../../api/shapes.ts";

const KEY = "curlew.token";

export type SignedOut = "no-token" | "stale-code" | "stale-token" | "no-server";

interface SessionState {
  token: string | undefined;
  why: SignedOut | undefined;
  /** Someone was signed in on this page, so its content stays. */
  before: boolean;
}

export const useSession = create<SessionState>(() => {
  const token = stored();
  return { token, why: token === undefined ? "no-token" : undefined, before: false };
});

/** Called once, before the first render. */
export async function signInFromAddress(): Promise<void> {
  const code = codeIn(location.hash);
  if (code !== undefined) {
    history.replaceState(history.state, "", location.pathname + location.search);
    await signIn(code);
  }
  if (useSession.getState().token === undefined) await askOtherTabs();
}

/** Accepts the whole link or the code alone. */
export function codeIn(text: string): string | undefined {
  return /(?:^|[#&?])code=([\w-]+)/.exec(text.trim())?.[1] ?? /^[\w-]{16,}$/.exec(text.trim())?.[0];
}

export async function signIn(code: string): Promise<boolean> {
  try {
    const answer = await fetch("/api/v1/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    if (!answer.ok) return failed("stale-code");
    const { token } = (await answer.json()) as Session;
    keep(token);
    tabs.postMessage({ token } satisfies SessionMessage);
    return true;
  } catch {
    return failed("no-server");
  }
}

/** A failed link does not end an existing session. */
function failed(why: SignedOut): false {
  useSession.setState(({ token }) => (token === undefined ? { why } : {}));
  return false;
}

/** S2. `used`: the rejected token. */
export function signOut(why: SignedOut, used: string | undefined): void {
  if (used !== useSession.getState().token) return;
  sessionStorage.removeItem(KEY);
  useSession.setState(({ token, before }) => ({ token: undefined, why, before: before || token !== undefined }));
}

function keep(token: string): void {
  sessionStorage.setItem(KEY, token);
  useSession.setState({ token, why: undefined });
}

type SessionMessage = { token: string } | { asks: true };

const tabs = new BroadcastChannel("curlew.session");
const answerWithinMs = 150;

tabs.addEventListener("message", ({ data }: MessageEvent<SessionMessage>) => {
  const { token } = useSession.getState();
  if ("asks" in data && token !== undefined) tabs.postMessage({ token } satisfies SessionMessage);
  if ("token" in data && token === undefined) keep(data.token);
});

/** S3. There may be no other tab. */
function askOtherTabs(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, answerWithinMs);
    const end = useSession.subscribe(({ token }) => token !== undefined && done());
    tabs.postMessage({ asks: true } satisfies SessionMessage);
    function done(): void {
      clearTimeout(timer);
      end();
      resolve();
    }
  });
}

function stored(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}
