// result: the return type of everything that can fail as expected. Only bugs are thrown.

export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** Thrown when the program contradicts itself: a bug in Curlew (exit code 5), never a user error. */
export class Impossible extends Error {
  override name = "Impossible";
}

export function impossible(what: string): never {
  throw new Impossible(what);
}
