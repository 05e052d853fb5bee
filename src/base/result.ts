// Result: what can be expected is returned; only what must never be is thrown.

export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** Thrown when the program contradicts itself: a bug of ours (exit code 5), never of the user's. */
export class Impossible extends Error {
  override name = "Impossible";
}

export function impossible(what: string): never {
  throw new Impossible(what);
}
