// session: the token of this tab (spec 4.3 S17). It comes for the one-time code of the link, and lives in sessionStorage alone.
//   S1. The code leaves the address bar before it is sent, so that it stands in no history and no screenshot.
//   S2. A 401 ends the session: everybody who asked is told, once, and the page says what to do.
// Deliberately absent: cookies, localStorage (a token must not outlive its tab).

import { create } from "zustand";
import type { Session } from "../../api/shapes.ts";

const KEY = "curlew.token";

/** Why nobody is signed in. */
export type SignedOut = "no-token" | "stale-code" | "stale-token" | "no-server";

interface SessionState {
  token: string | undefined;
  why: SignedOut | undefined;
  /** Somebody was signed in on this page: what they did stays on it. */
  before: boolean;
}

export const useSession = create<SessionState>(() => {
  const token = stored();
  return { token, why: token === undefined ? "no-token" : undefined, before: false };
});

/** Called once, before the first drawing, and when a person pastes a link. */
export async function signInFromAddress(): Promise<void> {
  const code = codeIn(location.hash);
  if (code === undefined) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  await signIn(code);
}

/** A whole link or the code alone. */
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
    if (!answer.ok) {
      useSession.setState({ token: undefined, why: "stale-code" });
      return false;
    }
    const { token } = (await answer.json()) as Session;
    sessionStorage.setItem(KEY, token);
    useSession.setState({ token, why: undefined });
    return true;
  } catch {
    useSession.setState({ token: undefined, why: "no-server" });
    return false;
  }
}

/** S2. */
export function signOut(why: SignedOut): void {
  sessionStorage.removeItem(KEY);
  useSession.setState(({ token, before }) => ({ token: undefined, why, before: before || token !== undefined }));
}

function stored(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}
