// The OpenAPI document is that of the routes, is a document of OpenAPI 3.1, and says what a running server answers (spec 2.4).

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { OpenApiDocument } from "../../src/api/openapi/document.ts";
import { API_PREFIX, ROUTES } from "../../src/api/routes.ts";
import { handlers } from "../../src/server/handlers.ts";
import { inARow } from "../cli/curlew.ts";
import { type Served, served } from "./served.ts";
import { closed } from "./told.ts";

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

/** What the specification of OpenAPI 3.1 asks of a document like ours, as JSON Schema; the whole one is not to be had offline. */
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
            // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
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
  // Each schema compiles by itself, with what it refers to.
  const whole = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: "api", ...document });
  for (const name of Object.keys(document.components.schemas))
    expect(typeof whole.compile({ $ref: `api#/components/schemas/${name}` })).toBe("function");
});

test("what a running server answers has the shape that the document tells", { timeout: 60_000 }, async () => {
  const it = await served({ "a.flow.yaml": inARow({ a: "echo hi" }), "broken.flow.yaml": "curlew: 1\nnodes: 7\n" });
  const document = closed(await documentOf(it));
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema({
    $id: "api",
    ...document,
  });
  const told = new Set<string>();
  const checked = async (method: string, path: string, route: string, body?: unknown): Promise<unknown> => {
    const answer = await it.api(method, path, body, { accept: "application/json" });
    const said = document.paths[API_PREFIX + route]![method.toLowerCase()] as {
      responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } }> }>;
    };
    const text = await answer.text();
    expect
      .soft(Object.keys(said.responses), `${method} ${route}: ${text.slice(0, 300)}`)
      .toContain(String(answer.status));
    const content = said.responses[String(answer.status)]?.content;
    if (content === undefined) return undefined;
    const media = (answer.headers.get("content-type") ?? "").split(";")[0]!;
    expect.soft(Object.keys(content), `${method} ${route}`).toContain(media);
    const ref = content[media]?.schema?.$ref;
    if (ref === undefined) return undefined;
    const value: unknown = JSON.parse(text);
    expect
      .soft(ajv.validate({ $ref: `api${ref}` }, value), `${method} ${route}: ${ajv.errorsText()}\n${text}`)
      .toBe(true);
    told.add(`${method} ${route}`);
    return value;
  };
  const { id } = (await checked("POST", "/workflows/a.flow.yaml/runs?wait=20", "/workflows/{path}/runs", {
    inputs: {},
  })) as {
    id: string;
  };
  const text = inARow({ a: "echo hi" });
  await checked("GET", "/server", "/server");
  await checked("POST", "/server/login", "/server/login", {});
  await checked("GET", "/workflows", "/workflows");
  await checked("GET", "/workflows/a.flow.yaml", "/workflows/{path}");
  await checked("GET", "/workflows/broken.flow.yaml", "/workflows/{path}");
  await checked("GET", "/workflows/none.flow.yaml", "/workflows/{path}");
  await checked("PUT", "/workflows/a.flow.yaml", "/workflows/{path}", { text });
  await checked("POST", "/validate", "/validate", { text, path: "a.flow.yaml" });
  await checked("POST", "/preview", "/preview", { text, path: "a.flow.yaml" });
  await checked("POST", "/import", "/import", { source: "curl https://api.example.com/items" });
  await checked("GET", "/runs", "/runs");
  await checked("GET", `/runs/${id}`, "/runs/{id}");
  await checked("GET", "/runs/none", "/runs/{id}");
  const attempt = `/runs/${id}/nodes/a/attempts/1/output`;
  const output = "/runs/{id}/nodes/{path}/attempts/{n}/output";
  await checked("GET", `${attempt}?stream=both`, output);
  await checked("GET", `${attempt}/search?q=hi`, `${output}/search`);
  await checked("POST", `/runs/${id}/retry`, "/runs/{id}/retry", {});
  await checked("POST", `/runs/${id}/cancel`, "/runs/{id}/cancel", {});
  await checked("GET", "/approvals", "/approvals");
  await checked("POST", "/approvals/none/grant", "/approvals/{id}/grant", {});
  await checked("GET", "/triggers", "/triggers");
  await checked("GET", "/deliveries", "/deliveries");
  await checked("GET", "/secrets", "/secrets");
  await checked("PUT", "/secrets/TOKEN", "/secrets/{name}", { value: "a-secret-value" });
  await checked("POST", "/secrets/TOKEN/test", "/secrets/{name}/test", {});
  await checked("GET", "/doctor", "/doctor");
  await checked("GET", "/settings", "/settings");
  await checked("PUT", "/settings", "/settings", { retention: { days: 30 } });
  await checked("GET", "/metrics", "/metrics");
  expect(told.size).toBeGreaterThan(23);
});
