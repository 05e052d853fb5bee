// Banner: reports that the server does not respond, since when, and what happens next. After reconnecting it reports
// how many events arrived (spec ui 6.4, Reconnect).

import { useEffect, useState } from "react";
import { useStream } from "../client/stream.ts";
import { say } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";

const bannerAfterMs = 2000;
const thanksMs = 6000;

export function Banner() {
  const { lostAt, caughtUp } = useStream();
  const [late, setLate] = useState(false);
  const [fresh, setFresh] = useState(false);
  useEffect(() => {
    setLate(false);
    if (lostAt === undefined) return;
    const timer = setTimeout(() => setLate(true), Math.max(0, lostAt + bannerAfterMs - Date.now()));
    return () => clearTimeout(timer);
  }, [lostAt]);
  useEffect(() => {
    setFresh(caughtUp !== undefined);
    if (caughtUp === undefined) return;
    say(`Connected again, caught up ${count(caughtUp.events, "event")}`);
    const timer = setTimeout(() => setFresh(false), thanksMs);
    return () => clearTimeout(timer);
  }, [caughtUp]);
  if (late)
    return (
      <div role="alert" className="border-b border-waiting bg-panel px-4 py-1.5 text-waiting">
        The server is not responding. Reconnecting automatically; no events will be lost.
      </div>
    );
  if (fresh && caughtUp !== undefined)
    return (
      <div role="status" className="border-b border-succeeded bg-panel px-4 py-1.5 text-succeeded">
        Connected again, caught up {count(caughtUp.events, "event")}.
      </div>
    );
  return null;
}
