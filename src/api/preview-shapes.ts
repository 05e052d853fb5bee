// preview-shapes: what `POST /preview` answers with, node by node (spec 2.2 `--dry-run`). Types only.

/** In reading order. Values are shown where they are the user's own; a secret, and what only the run will know, stands as `‹name›`. */
export interface PreviewStep {
  id: string;
  title: string;
  type: string;
  /** The program, text, condition or prompt; empty where there is none. */
  command: string;
  /** Loops around it, outermost first; what must be settled before. */
  loops: string[];
  after: string[];
  finally?: boolean;
  shell?: string;
  cwd?: string;
  /** Names of the variables that the workflow exports. */
  env?: string[];
  stdin?: string;
  model?: string;
  system?: string;
  /** Of a subflow. */
  inputs?: Record<string, string>;
  /** Why a person would be asked. */
  asks?: { code: string; message: string }[];
  approval?: string;
  sandbox?: string;
  egress?: string;
  auth?: string;
  timeout?: string;
  /** Of a subflow: what waits for a person inside, by its path from here. */
  inside?: {
    path: string;
    title: string;
    command: string;
    approval?: string;
    asks?: { code: string; message: string }[];
  }[];
}
