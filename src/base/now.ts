// now: an answer that is there, or comes later. A store on this machine answers at once, a database elsewhere later.
//   N1. Where the answer is there, what follows happens in the same tick: no promise, no turn of the event loop.

export type Now<T> = T | Promise<T>;

/** Continues with the value: in the same tick if it is there. */
export function after<T, U>(value: Now<T>, next: (value: T) => Now<U>): Now<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

type Settled<F> = F extends (...given: infer A) => infer R ? (...given: A) => Exclude<R, Promise<unknown>> : F;

/** A port whose answers are always there. */
export type AtOnce<T> = { [K in keyof T]: Settled<T[K]> };

/** A port of a store that answers at once, as such. */
export function atOnce<T>(port: T): AtOnce<T> {
  return port as AtOnce<T>;
}
