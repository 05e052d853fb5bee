// Creates the OpenAPI 3.1 document of the API from routes, descriptions, and schemas
// (spec 2.4). Pure. Created on request.

import * as z from "zod/mini";
import { API_PREFIX, ROUTES, type Route } from "../routes.ts";
import { SCHEMAS, type SchemaName } from "../schemas/index.ts";
import { HEADERS, type HeaderName, type RouteWords, WORDS } from "./answers.ts";

export interface OpenApiDocument {
  openapi: string;
  info: object;
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
  [member: string]: unknown;
}

/** `version`: of Curlew. `url`: of the server that serves the document. */
export function openApiDocument(version: string, url: string): OpenApiDocument {
  const paths: OpenApiDocument["paths"] = {};
  for (const route of ROUTES) {
    const path = API_PREFIX + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, WORDS[route.key]) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Curlew",
      version,
      description: "Workflows of this machine, their runs, and approvals. See docs/reference/http-api.md.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "From server.json or POST /session." },
      },
    },
  };
}

function schemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, { uri: (id) => refTo(id as SchemaName), io: "input", unrepresentable: "any" });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  );
}

function operation(route: Route, words: RouteWords): object {
  const { takes, takesMaybe, takesAs = [], answers, brings = {}, refuses = [] } = words;
  const refused = new Set([400, 401, ...(route.right === "none" ? [] : [403]), ...refuses]);
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.path.split("/")[1]],
    ...(route.right === "none" ? { security: [] } : { "x-right": route.right }),
    parameters: parameters(route, words),
    ...(takes === undefined
      ? {}
      : {
          requestBody: {
            required: takesMaybe !== true,
            content: { "application/json": { schema: ref(takes) }, ...plain(takesAs) },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          { ...response(status, answer, words), ...headers(brings[Number(status)]) },
        ]),
      ),
      ...Object.fromEntries(
        [...refused]
          .filter((status) => !(status in answers))
          .map((status) => [status, { ...PROBLEM, ...headers(status === 401 ? CHALLENGE : brings[status]) }]),
      ),
      // Rejections by the gate, and server errors: 405, 408, 413, 415, 421, 429, 431, 500, 503, 507.
      default: PROBLEM,
    },
  };
}

/** For example `getRunsIdEvents`. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^a-zA-Z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

function parameters({ path }: Route, { query = {}, headers = {} }: RouteWords): object[] {
  const schema = { type: "string" };
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema })),
    ...Object.entries(query).map(([name, description]) => ({ name, in: "query", description, schema })),
    ...Object.entries(headers).map(([name, description]) => ({ name, in: "header", description, schema })),
  ];
}

const PROBLEM = {
  description: "Rejected. `code` says why.",
  content: { "application/problem+json": { schema: ref("Problem") } },
};

const CHALLENGE: readonly HeaderName[] = ["www-authenticate"];

function headers(names: readonly HeaderName[] = []): object {
  if (names.length === 0) return {};
  const said = names.map((name) => [name, { description: HEADERS[name], schema: { type: "string" } }]);
  return { headers: Object.fromEntries(said) };
}

/** Content without a schema. */
function plain(types: readonly string[]): object {
  return Object.fromEntries(types.map((type) => [type, {}]));
}

function response(
  status: string,
  answer: RouteWords["answers"][number],
  { asJson, plainAs = [] }: Pick<RouteWords, "asJson" | "plainAs">,
): object {
  if (answer === "nothing") return { description: "Done." };
  if (answer === "text/event-stream")
    return {
      description: "A stream of events. The `data` of each is JSON.",
      content: {
        "text/event-stream": { schema: { type: "string" } },
        ...(asJson === undefined ? {} : { "application/json": { schema: ref(asJson) } }),
      },
    };
  if (answer.includes("/")) return { description: "As it is.", content: { [answer]: {} } };
  const media = Number(status) < 400 ? "application/json" : "application/problem+json";
  const also = status === "200" ? plain(plainAs) : {};
  return { description: answer, content: { [media]: { schema: ref(answer as SchemaName) }, ...also } };
}

function ref(name: SchemaName): { $ref: string } {
  return { $ref: refTo(name) };
}

function refTo(name: SchemaName): string {
  return `#/components/schemas/${name}`;
}
