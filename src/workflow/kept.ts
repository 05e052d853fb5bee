// kept: what was found out about an earlier text of a document, for who checks it again after each key (spec ui.md 6.8).
//   K1. Only what a part of the text says by itself is kept, or what it says together with answers that are asked for again each time: the
//       findings are those of the whole check, to the last one (kept.test.ts).
//   K2. What one check did not use is forgotten with the next: it does not grow.
// Deliberately absent: keeping anything where a document is checked once.

export interface Kept {
  /** K2. Each check begins with it; they follow one another. */
  turn(): void;
  /** Made when it is not there. */
  of<T>(key: string, make: () => T): T;
  put(key: string, value: unknown): void;
}

export function keptFromBefore(): Kept {
  let before = new Map<string, unknown>();
  let now = new Map<string, unknown>();
  return {
    turn() {
      before = now;
      now = new Map();
    },
    of<T>(key: string, make: () => T): T {
      if (!now.has(key)) now.set(key, before.has(key) ? before.get(key) : make());
      return now.get(key) as T;
    },
    put: (key, value) => void now.set(key, value),
  };
}

/** What a part of a document asks of the rest of it. Answers are plain values. */
type Questions = Readonly<Record<string, (of: never) => unknown>>;

interface Answered {
  value: unknown;
  answers: { name: string; of: unknown; said: string | undefined }[];
}

/**
 * Made once for a `key`, which holds all that `make` is given beside the answers to its questions: those are written down, and asked again
 * before what was made is used again.
 */
export async function onceAnswered<Q extends Questions, T>(
  kept: Kept | undefined,
  key: () => string,
  questions: Q,
  make: (ask: Q) => Promise<T>,
): Promise<T> {
  if (kept === undefined) return make(questions);
  const name = key();
  const before = kept.of<Answered | undefined>(name, () => undefined);
  const answer = (to: string, of: unknown): unknown => questions[to]!(of as never);
  if (before?.answers.every(({ name: to, of, said }) => JSON.stringify(answer(to, of)) === said))
    return before.value as T;
  const answers: Answered["answers"] = [];
  const asked = (to: string) => (of: unknown) => {
    const told = answer(to, of);
    answers.push({ name: to, of, said: JSON.stringify(told) });
    return told;
  };
  const value = await make(Object.fromEntries(Object.keys(questions).map((to) => [to, asked(to)])) as unknown as Q);
  kept.put(name, { value, answers } satisfies Answered);
  return value;
}
