// All schemas of the API, by their names in the OpenAPI document. The types of shapes.ts are inferred from them.

import { DeliveryStatus, Problem, Right } from "./common.ts";
import * as documents from "./documents.ts";
import * as home from "./home.ts";
import * as runs from "./runs.ts";

export const SCHEMAS = { Problem, Right, DeliveryStatus, ...documents, ...home, ...runs };

export type SchemaName = keyof typeof SCHEMAS;
