// LastStart: what came of a trigger last: the run that it started, or why it started none.

import { Link } from "@tanstack/react-router";
import { useNow } from "../ui/now.ts";
import { ago } from "../ui/words.ts";

export function LastStart({
  last,
}: {
  last: { at: string; run?: string; skipped?: string; file?: string } | undefined;
}) {
  const now = useNow(10_000);
  if (last === undefined) return <span>not started yet</span>;
  const when = ago(last.at, now);
  return (
    <span title={new Date(last.at).toLocaleString()}>
      {last.run !== undefined ? (
        <>
          last{" "}
          <Link
            to="/runs/$id"
            params={{ id: last.run }}
            className="underline decoration-edge underline-offset-2 hover:text-accent"
          >
            started {when}
          </Link>
        </>
      ) : (
        `last left out ${when}`
      )}
      {last.file !== undefined && last.file !== "" && (
        <>
          {" "}
          by <span className="font-mono text-xs">{last.file}</span>
        </>
      )}
      {last.skipped !== undefined && `: ${last.skipped}`}
    </span>
  );
}
