// The OpenAPI document is that of the routes, is a document of OpenAPI 3.1, and says what a running server answers (spec 2.4).

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { OpenApiDocument } from "../../src/api/openapi/document.ts";
import { API_PREFIX, ROUTES } from "../../src/api/routes.ts";
import { handlers } from "../../src/server/handlers.ts";
import { type Served, served } from "./served.ts";

async function documentOf(it: Served): Promise<OpenApiDocument> {
  const answer = await it.api("GET", "/openapi.json");
  expect(answer.status).toBe(200);
  return (await answer.json()) as OpenApiDocument;
}

test("the document has every route and no other", async () => {
  const { paths } = await documentOf(await served());
  const said = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(said.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${API_PREFIX}${path}`).toSorted());
});

test("every route has a handler, and no handler is without its route", () => {
  expect(Object.keys(handlers).toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted());
});

/**
 * The rules of OpenAPI 3.1 for a document like this one, as JSON Schema. The complete schema is not available offline.
 */
const SHAPE = {
  type: "object",
  required: ["openapi", "info", "paths", "components"],
  properties: {
    openapi: { pattern: "^3\\.1\\.\\d+$" },
    info: { type: "object", required: ["title", "version"] },
    paths: {
      type: "object",
      propertyNames: { pattern: "^/" },
      additionalProperties: {
        type: "object",
        propertyNames: { enum: ["get", "put", "post", "delete"] },
        additionalProperties: { $ref: "#/$defs/operation" },
      },
    },
  },
  $defs: {
    operation: {
      type: "object",
      required: ["operationId", "summary", "responses"],
      properties: {
        parameters: {
          type: "array",
          items: {
            type: "object",
            required: ["name", "in", "schema"],
            properties: { in: { enum: ["path", "query", "header"] } },
            if: { properties: { in: { const: "path" } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: { required: ["required"], properties: { required: { const: true } } },
          },
        },
        responses: {
          type: "object",
          minProperties: 1,
          propertyNames: { pattern: "^(?:[1-5]\\d\\d|default)$" },
          additionalProperties: { type: "object", required: ["description"] },
        },
      },
    },
  },
};

test("it is a document of OpenAPI 3.1: its form, its references, its parameters, its schemas", async () => {
  const document = await documentOf(await served());
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.validate(SHAPE, document), ajv.errorsText()).toBe(true);
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
  expect(refs.length).toBeGreaterThan(40);
  for (const ref of refs)
    expect(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)).toContain(ref);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...(operation as Record<string, unknown>) })),
  ) as { path: string; operationId: string; parameters: { name: string; in: string }[] }[];
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, parameters } of operations)
    expect(parameters.filter((one) => one.in === "path").map(({ name }) => `{${name}}`)).toEqual(
      path.match(/\{\w+\}/g) ?? [],
    );
  // Each schema compiles alone, with its references.
  const whole = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: "api", ...document });
  for (const name of Object.keys(document.components.schemas))
    expect(typeof whole.compile({ $ref: `api#/components/schemas/${name}` })).toBe("function");
});
