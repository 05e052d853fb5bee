// failure: why an attempt or a node failed, as a sentence for users and a code for programs.

export interface Failure {
  /** Stable, kebab-case; listed in docs/reference/failures.md. */
  code: string;
  /** One sentence for users: what happened. */
  message: string;
  /** The remedy. If `hints` is set, all of them in one string. */
  hint?: string;
  hints?: string[];
  /** The cause, as a code that is the same for every program: `certificate-expired`, … (docs/reference/failures.md). */
  reason?: string;
  /** The lines of stderr, or the HTTP call, that prove it. */
  evidence?: string[];
  exitCode?: number;
  signal?: string;
  /** Last lines of stderr. */
  stderr?: string;
  /** First lines of stdout, after the message of a JSON object in it. Only shown, never a value. */
  printed?: string[];
  /** How the command that failed in a subflow ended. `body`: the start of what it printed. */
  answer?: { status?: number; body: string };
  /** In a loop, the values of its variables: `i = 3`. Cut and masked. */
  loop?: string;
}

/** `page[2] (i = 3)`. */
export function placeOfFailure(path: string, { loop }: Pick<Failure, "loop">): string {
  return loop === undefined ? path : `${path} (${loop})`;
}

/** The message of a JSON object that was printed. The recorded lines start with it (process/printed.ts). */
export function answerIn({ printed }: Pick<Failure, "printed">): string | undefined {
  return printed?.[1]?.trimStart().startsWith("{") ? printed[0] : undefined;
}

/** The same, or the last line of stderr if Curlew knows no more than the exit code. For lists. */
export function lastWords(failure: Failure): string | undefined {
  const { code, hint, stderr = "" } = failure;
  const isPlain = code === "exit-non-zero" && hint === undefined;
  return answerIn(failure) ?? (isPlain ? stderr.trimEnd().split("\n").at(-1) || undefined : undefined);
}

/** Makes the failures of one code. `words` gives their message and hint. */
export const failureOf =
  <Args extends unknown[]>(code: string, words: (...args: Args) => readonly [message: string, hint?: string]) =>
  (...args: Args): Failure => {
    const [message, hint] = words(...args);
    return { code, message, hint };
  };
