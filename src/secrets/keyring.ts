// Accesses the desktop's keyring, where there is one (spec 4.2, 5.4).
//   K1. The library is optional and native. It is loaded only when needed, and every error
//       means that the keyring is unavailable.
//   K2. On Linux only the Secret Service is used. The library's fallback, the kernel
//       keyring, loses its content at logout.

import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";

const options = { linux: { store: "secret-service" as const } };

/** `CURLEW_KEYRING=off`. */
export function keyringIsOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return ["off", "0", "no", "false"].includes(env.CURLEW_KEYRING?.toLowerCase() ?? "");
}

/** Undefined if the keyring has no such password. The error says in a few words why the keyring is unavailable. */
export function fromKeyring(service: string, account: string): Promise<Result<string | undefined, string>> {
  return guarded(async ({ AsyncEntry }, signal) => {
    const found = await new AsyncEntry(service, account, options).getPassword(signal);
    return found ?? undefined;
  });
}

/** Succeeds only if the password can be read back afterwards. */
export function intoKeyring(service: string, account: string, password: string): Promise<Result<void, string>> {
  return guarded(async ({ AsyncEntry }, signal) => {
    const entry = new AsyncEntry(service, account, options);
    await entry.setPassword(password, signal);
    if ((await entry.getPassword(signal)) !== password) throw new Error("it did not store the value");
  });
}

type Library = typeof import("@napi-rs/keyring");

async function guarded<T>(work: (library: Library, signal: AbortSignal) => Promise<T>): Promise<Result<T, string>> {
  let library: Library;
  try {
    const loaded = await import("@napi-rs/keyring");
    library = (loaded as { default?: Library }).default ?? loaded;
  } catch {
    return err("its library is not installed");
  }
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      patience.abort();
      reject(new Error(`it did not respond within ${limits.keyringTimeoutMs / 1000} s`));
    }, limits.keyringTimeoutMs);
  });
  try {
    return ok(await Promise.race([work(library, patience.signal), late]));
  } catch (reason) {
    return err((reason instanceof Error ? reason.message : String(reason)).split("\n")[0]!.slice(0, 200));
  } finally {
    clearTimeout(timer);
  }
}
