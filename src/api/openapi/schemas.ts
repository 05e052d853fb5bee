// schemas: every schema of the API by the name that the OpenAPI document gives it.

import { Problem } from "./common.ts";
import * as folder from "./folder.ts";
import * as home from "./home.ts";
import * as runs from "./runs.ts";

/** They hold to the shapes, or this does not compile. */
export type { Held, StreamHeld } from "./checked.ts";

export const SCHEMAS = { Problem, ...folder, ...home, ...runs };

export type SchemaName = keyof typeof SCHEMAS;
