// start: its value is the event that started the run, or the run's inputs.

import { eventOf } from "../context.ts";
import { type Decide, decided } from "../decision.ts";

export const decideStart: Decide<"start"> = (_node, context) =>
  decided(eventOf(context) ?? JSON.stringify(context.inputs), context);
