// inbox: carries decisions of people to the machine that drives the run (spec 6.6).
//   I1. A decision is signed (M13). The machine that drives the run checks it against what waits now, and records it.
//   I2. The asking side waits for a while. A decision that is not answered by then still counts later.
//   I3. A decision is for one request, which is in it. If it is read twice, the second time nothing waits for it.
//   I4. Its text is removed once it is read: only the machine that drives the run knows which secrets are in it.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { EventBody } from "../../scheduler/event.ts";
import type { Store } from "../../store/index.ts";
import { asFailure } from "../run-start.ts";
import type { Query } from "./machines.ts";
import type { Signer } from "./sign.ts";

/** Decided long ago, or its run has ended. */
export const READ = `DELETE FROM curlew.inbox i USING curlew.runs r WHERE r.id = i.run
  AND (r.ended_at IS NOT NULL OR (i.answer IS NOT NULL AND i.at < clock_timestamp() - interval '1 hour'))`;

export function tellOwner(query: Query, { sign }: Signer): NonNullable<Store["tellOwner"]> {
  return async (run, asker, body) => {
    const [id, text] = [randomUUID(), JSON.stringify(body)];
    const mark = sign("decision", [id, run, asker], text);
    const put = await query("INSERT INTO curlew.inbox (id, run, asker, body, mark) VALUES ($1, $2, $3, $4, $5)", [
      ...[id, run, asker, text, mark],
    ]);
    return put.ok ? answerTo(id, run, query) : err(asFailure(put.error));
  };
}

/** I2. */
async function answerTo(id: string, run: string, query: Query): Promise<Result<void, Failure>> {
  const until = performance.now() + limits.ownerAnswerMs;
  while (performance.now() < until) {
    await sleep(limits.ownerLookMs);
    const rows = await query("SELECT answer FROM curlew.inbox WHERE id = $1", [id]);
    if (!rows.ok) return err(asFailure(rows.error));
    const answer = rows.value[0]?.answer;
    if (answer === "recorded") return ok(undefined);
    if (answer === "refused")
      return err({ code: "not-waiting", message: `Run ${run} does not wait for this any more, or has ended.` });
  }
  return err({
    code: "machine-silent",
    message: `The machine that drives run ${run} has not answered yet. The decision is stored and counts when it does.`,
    hint: "`curlew machines` shows when each machine gave its last sign of life.",
  });
}

/** Reads what was decided about the runs that this process drives. `tell`: whether it was recorded. */
export async function readInbox(
  query: Query,
  { isSigned }: Signer,
  token: string,
  tell: (run: string, asker: string, body: EventBody) => Promise<boolean>,
): Promise<void> {
  const rows = await query(
    `SELECT i.* FROM curlew.inbox i JOIN curlew.runs r ON r.id = i.run
       WHERE r.owner_token = $1 AND i.answer IS NULL ORDER BY i.at`,
    [token],
  );
  for (const row of rows.ok ? rows.value : []) {
    const [id, run, asker, body] = [row.id, row.run, row.asker, row.body].map(String) as [
      string,
      string,
      string,
      string,
    ];
    const counts = isSigned("decision", [id, run, asker], body, String(row.mark));
    const recorded = counts && (await tell(run, asker, JSON.parse(body)));
    await query("UPDATE curlew.inbox SET answer = $2, body = '' WHERE id = $1 AND answer IS NULL", [
      id,
      recorded ? "recorded" : "refused",
    ]);
  }
}
