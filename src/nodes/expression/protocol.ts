// protocol: what the engine and an evaluator process say to each other. Values cross as JSON text: nothing but data can.

export interface Question {
  id: number;
  expression: string;
  /** JSON of `{ names, input? }`: the names in scope, and what the expression is applied to. */
  scope: string;
}

/** `result` is absent when the expression gives nothing. `failure` holds JSONata's own code and words. */
export type Answer =
  | { ready: true }
  | { id: number; result?: string }
  | { id: number; failure: { code: string; message: string; position?: number } };
