// kinds/start: a beginning. Its value is the run's input, or the event that started the run.

import * as z from "zod/mini";
import { title } from "../schema/shared.ts";
import type { Kind } from "./kind.ts";

const data = z.object({ title });

export const start: Kind<typeof data> = { name: "Start", sign: "○", data, sources: (_data, from) => from.inputs };
