// Ago: how long ago something happened, with the exact time on hover. It stays correct while it is shown.

import { useNow } from "./now.ts";
import { ago, exactTime } from "./words.ts";

export function Ago({ at, className }: { at: string; className?: string }) {
  const now = useNow(1_000);
  return (
    <time dateTime={at} title={exactTime(at)} className={className}>
      {ago(at, now)}
    </time>
  );
}
