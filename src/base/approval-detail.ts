// approval-detail: the data an approver sees before a command runs (spec 3.5). Nodes create it, the journal keeps it,
// and every surface shows it. It contains no secret.

/** A value as the approver sees it: named as in the text, secrets hidden, long values cut. `bytes` is its full size. */
export interface ShownValue {
  /** `${1.items[0].id|json}`, as written in the workflow. */
  name: string;
  text: string;
  bytes: number;
  /** It is or contains a secret, which `text` hides. */
  secret?: true;
}

/**
 * The command that would run, as far as it may be shown (3.5). The hash stored with it also covers hidden and cut
 * parts.
 */
export interface ApprovalDetail {
  /** The program (for a model: the prompt) as written in the workflow. */
  command: string;
  /**
   * The program with each reference replaced by its value; secrets hidden as `***`, long values cut with their size.
   */
  rendered: string;
  values: ShownValue[];
  /** The program itself is a value: `rendered` has the whole text that would run, uncut. */
  wholeProgram?: true;
  shell?: string;
  cwd?: string;
  /** Names of the variables exported by the workflow, sorted. */
  env?: string[];
  /** `sha256` is the hash of the bytes with secrets hidden, and `preview` their start. */
  stdin?: { bytes: number; sha256: string; preview: string };
  sandbox?: string;
  egress?: string;
  timeout?: string;
  /** For an LLM node. */
  model?: string;
}
