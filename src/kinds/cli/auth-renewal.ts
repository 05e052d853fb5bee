// auth-renewal: renews the token of a command that runs longer than its token is valid (spec 3.6).
//   R1. curl and `curlew http` read their credentials for each call, so the file is changed while the command runs. It
//       keeps its name and inode (a sandbox is bound to it), and is complete at every moment: one write, padded to the
//       previous length.
//   R2. If renewal fails, the old token stays, and the server reports its expiry to the command.
//   R3. If a command was adopted after its engine died, the adopting engine renews its token.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import type { Grant } from "../../secrets/tokens/grant.ts";
import type { CliNode } from "../../workflow/model.ts";
import { after401, signInOf, tokenFor } from "../auth.ts";
import type { NodeContext } from "../context.ts";
import type { Attempt, AttemptEnding } from "../executor.ts";
import type { Tools } from "../tools.ts";
import { CLIENT_FILE } from "./auth-config.ts";
import { authFiles } from "./curl.ts";

/** Renews until the returned function is called, which returns the token used last. */
export function keepRenewed(
  grant: Grant,
  first: { access: string; renewAtMs?: number },
  stem: string,
  context: NodeContext,
  tools: Tools,
): () => string {
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
    for (const file of authFiles(context.files, stem)) replace(file, known, token.value.access);
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

/** R3. `done`: of the attempt that was found. */
export async function renewedWhenAdopted(
  attempt: Pick<Attempt, "done" | "found">,
  node: CliNode,
  stem: string,
  context: NodeContext,
  tools: Tools,
): Promise<AttemptEnding> {
  const { adopted } = (await attempt.found) ?? { adopted: false };
  const access = adopted && node.data.auth !== undefined ? handedToken(context, stem) : undefined;
  const signIn = access === undefined ? undefined : await signInOf(node, context, tools.home);
  if (access === undefined || signIn?.ok !== true || signIn.value === undefined || !("grant" in signIn.value))
    return attempt.done;
  const { grant } = signIn.value;
  context.masker.learn([access]);
  const renewing = keepRenewed(grant, { access, renewAtMs: 0 }, stem, context, tools);
  const ending = await attempt.done;
  return after401(ending, { grant, access: renewing(), isNew: false }, node, context, tools);
}

/** The token that the command was given at its start, or at the last renewal. */
function handedToken(context: NodeContext, stem: string): string | undefined {
  const file = authFiles(context.files, stem).find((path) => path.endsWith(CLIENT_FILE));
  try {
    const { auth } = JSON.parse(readFileSync(file ?? "", "utf8")) as { auth: { token?: string } };
    return auth.token;
  } catch {
    return undefined;
  }
}

/** R1. Does nothing if the file is gone or does not contain the old token. */
function replace(file: string, before: string, after: string): void {
  try {
    const text = readFileSync(file, "utf8");
    const changed = text.replaceAll(quoted(before), () => quoted(after));
    if (changed === text) return;
    const fd = openSync(file, "r+");
    try {
      const lines = "\n".repeat(Math.max(0, Buffer.byteLength(text) - Buffer.byteLength(changed)));
      writeSync(fd, Buffer.from(changed + lines), 0, undefined, 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The command has ended and its files are gone.
  }
}

/** The token as written in a curl configuration (process/curl-config.ts U2) and in JSON. */
function quoted(token: string): string {
  return `"${token.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
