// protocol: messages between the engine and an evaluator process. Values are sent as JSON text, so that only data can
// cross.

export interface Question {
  id: number;
  expression: string;
  /** JSON of `{ names, input? }`: the names in scope, and the value that the expression is applied to. */
  scope: string;
}

/** `result` is absent if the expression gives nothing. `failure` has JSONata's own code and message. */
export type Answer =
  | { ready: true }
  | { id: number; result?: string }
  | { id: number; failure: { code: string; message: string; position?: number } };
