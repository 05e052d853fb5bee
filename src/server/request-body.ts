// Checks the body of a request against the schema that the OpenAPI document names for its route (spec 2.4).

import en from "zod/v4/locales/en.js";
import { WORDS } from "../api/openapi/answers.ts";
import type { RouteKey } from "../api/routes.ts";
import { SCHEMAS } from "../api/schemas/index.ts";
import { Refused } from "./problem.ts";

const inEnglish = { error: en().localeError };

/** The body, `{}` for one that may be left out. Throws Refused. */
export function checkedBody(key: RouteKey, body: unknown): unknown {
  const { takes, takesMaybe } = WORDS[key];
  if (takes === undefined) return body;
  const given = body === undefined && takesMaybe === true ? {} : body;
  const read = SCHEMAS[takes].safeParse(given, inEnglish);
  if (read.success) return given;
  const [{ path, message }] = read.error.issues as [(typeof read.error.issues)[number]];
  const at = path.length === 0 ? "" : `"${path.join(".")}": `;
  throw new Refused("bad-body", { detail: `${at}${message}. GET /api/v1/openapi.json describes it as ${takes}.` });
}
