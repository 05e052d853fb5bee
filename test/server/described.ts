// described: every response of a served API in any test has the shape that the OpenAPI document describes, errors included
// (spec 2.4).
//   A1. A response that is not described (an additional member, a status that the route does not name) fails the test
//       that made the call.
//   A2. The same holds for the data of every event stream message. Its `event:` is the one in
//       docs/reference/http-api.md.

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { HEADERS as DESCRIBED } from "../../src/api/openapi/answers.ts";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { API_PREFIX, ROUTES } from "../../src/api/routes.ts";

interface Operation {
  responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } }>; headers?: object }>;
}

/** Errors that any route may return, from the gate or when something breaks: described as `default`. */
const ANYWHERE = [405, 408, 413, 415, 421, 429, 431, 500, 503, 507];

const HEADERS = Object.keys(DESCRIBED).filter((name) => name !== "retry-after");

/** A response must not contain what the document does not describe. */
export function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const made = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return (
    "properties" in made && !("additionalProperties" in made) ? { ...made, additionalProperties: false } : made
  ) as T;
}

const document = closed(openApiDocument("0.0.0-test", "http://127.0.0.1"));
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: "api", ...document });
// A measured call does not wait until a schema is made.
for (const name of Object.keys(document.components.schemas)) ajv.getSchema(`api#/components/schemas/${name}`);
const routes = ROUTES.map(({ method, path }) => ({
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** `path`: below /api/v1. The response can still be read. */
export async function isDescribed(method: string, path: string, answer: Response): Promise<void> {
  const { pathname } = new URL(API_PREFIX + path, "http://127.0.0.1");
  if (!pathname.startsWith(`${API_PREFIX}/`)) return;
  const bare = pathname.slice(API_PREFIX.length);
  const route = routes.find((one) => one.method === method && one.pattern.test(bare));
  const media = (answer.headers.get("content-type") ?? "").split(";")[0]!;
  if (media === "text/event-stream") return;
  if (route === undefined) {
    if (/json$/.test(media)) await fits("#/components/schemas/Problem", answer, `${method} ${bare}`);
    return;
  }
  const name = `${method} ${route.path} answers ${answer.status}`;
  const { responses } = document.paths[API_PREFIX + route.path]![method.toLowerCase()] as Operation;
  const said = responses[answer.status] ?? (ANYWHERE.includes(answer.status) ? responses.default : undefined);
  expect(said, `${name}, which is not described`).toBeDefined();
  const content = said?.content;
  if (content === undefined) return;
  expect(Object.keys(content), name).toContain(media);
  for (const header of HEADERS.filter((each) => answer.headers.has(each)))
    expect(Object.keys(said?.headers ?? {}), name).toContain(header);
  const ref = content[media]?.schema?.$ref;
  if (ref !== undefined) await fits(ref, answer, name);
}

async function fits(ref: string, answer: Response, name: string): Promise<void> {
  fitsText(ref, await answer.clone().text(), name);
}

function fitsText(ref: string, text: string, name: string): void {
  const isRight = ajv.validate({ $ref: `api${ref}` }, JSON.parse(text));
  expect(isRight, `${name}: ${ajv.errorsText()}\n${text.slice(0, 2_000)}`).toBe(true);
}

/** A2. A run's own stream has its events directly, and the rest like the stream of everything. */
export function messageIsDescribed(path: string, { event, data }: { event?: string | undefined; data: string }): void {
  const { kind, type } = JSON.parse(data) as { kind?: string; type?: string };
  const isOfRun = path.startsWith("/runs/") && kind === undefined;
  fitsText(`#/components/schemas/${isOfRun ? "RunEvent" : "StreamMessage"}`, data, `${event} of GET ${path}`);
  expect(event, `GET ${path} sends ${data.slice(0, 200)}`).toBe(isOfRun ? type : kind);
}
