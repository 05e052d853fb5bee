// auth-renewal: the token of a command that runs on when its token ends: curl reads its configuration for each call, so it is changed
// there while the command runs (spec 3.6).
//   R1. The file keeps its name and its place on disk (a sandbox is bound to that), and is whole at every moment: one write, padded to
//       the length of before.
//   R2. What cannot be renewed stays as it is; its end is told by the server, to the command.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { limits } from "../base/limits.ts";
import type { Grant } from "../secrets/tokens/grant.ts";
import { tokenFor } from "./auth.ts";
import type { NodeContext } from "./context.ts";
import { authFile } from "./curl.ts";
import type { Tools } from "./tools.ts";

/** Until the answer is called, which says the token that was used last. */
export function keepRenewed(
  grant: Grant,
  first: { access: string; renewAtMs?: number },
  stem: string,
  context: NodeContext,
  tools: Tools,
): () => string {
  const file = authFile(context.files, stem);
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let known = first.access;
  const waitUntil = (atMs: number | undefined): void => {
    if (atMs === undefined || over.signal.aborted) return;
    const ms = Math.min(Math.max(atMs - Date.now(), limits.tokenRenewalLeastMs), limits.timerMsMax);
    timer = setTimeout(() => void renew(), ms).unref();
  };
  const renew = async (): Promise<void> => {
    const token = await tokenFor(grant, context, tools, over.signal);
    if (over.signal.aborted) return;
    if (!token.ok) return waitUntil(Date.now() + limits.tokenRenewalAgainMs);
    if (token.value.access !== known && !replaced(file, known, token.value.access)) return;
    known = token.value.access;
    waitUntil(token.value.renewAtMs);
  };
  waitUntil(first.renewAtMs);
  return () => {
    over.abort();
    clearTimeout(timer);
    return known;
  };
}

/** R1. False when it is gone, or does not hold the token of before. */
function replaced(file: string, before: string, after: string): boolean {
  try {
    const text = readFileSync(file, "utf8");
    const changed = text.replaceAll(quoted(before), () => quoted(after));
    if (changed === text) return false;
    const fd = openSync(file, "r+");
    try {
      const lines = "\n".repeat(Math.max(0, Buffer.byteLength(text) - Buffer.byteLength(changed)));
      writeSync(fd, Buffer.from(changed + lines), 0, undefined, 0);
    } finally {
      closeSync(fd);
    }
    return true;
  } catch {
    return false;
  }
}

/** As it stands in the file (process/curl-config.ts U2). */
function quoted(token: string): string {
  return `"${token.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
