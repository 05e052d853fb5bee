// approval-detail: what a person is shown who decides whether a command may run (spec 3.5): made by the nodes, kept in the journal,
// drawn by every surface. Nothing in it is a secret.

/** A value as a person is shown it: named as in the text, secrets hidden, a long one cut. `bytes` is its whole size. */
export interface ShownValue {
  /** `${1.items[0].id|json}`, as the author wrote it. */
  name: string;
  text: string;
  bytes: number;
  /** It is a secret, or holds one: `text` hides it. */
  secret?: true;
}

/** Exactly what would run, as far as it may be shown (3.5). The hash beside it binds what is hidden or cut here too. */
export interface ApprovalDetail {
  /** The program (of a model: the prompt) as the author wrote it. */
  command: string;
  /** The same with every reference shown as its value; secrets hidden as `***`, long values cut with their size. */
  rendered: string;
  values: ShownValue[];
  /** The program itself is a value: the whole text that would run stands in `rendered`, uncut. */
  wholeProgram?: true;
  shell?: string;
  cwd?: string;
  /** Names of the variables exported by the workflow, sorted. */
  env?: string[];
  /** `sha256` is that of the bytes with secrets hidden; `preview` is their beginning. */
  stdin?: { bytes: number; sha256: string; preview: string };
  sandbox?: string;
  egress?: string;
  timeout?: string;
  /** Of an LLM node. */
  model?: string;
}
