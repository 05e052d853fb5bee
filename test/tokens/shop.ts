// shop: a workflow that signs in at the sample API, run by the whole program; and what the server counted.

import { afterAll, beforeAll } from "vitest";
import { type SampleApi, startSampleApi } from "../../examples/sample-api/main.ts";
import { CREDENTIALS } from "../../examples/sample-api/seed.ts";
import { type Folder, folder, type Given } from "../cli/curlew.ts";

export const env = {
  CLIENT_ID: CREDENTIALS.clientId,
  CLIENT_SECRET: CREDENTIALS.clientSecret,
  REFRESH_TOKEN: CREDENTIALS.refreshToken,
};

export const CALL = 'curl --fail-with-body -sS --max-time 60 "${api}/protected/oauth"';
const CLIENT = 'clientId: "${CLIENT_ID}", clientSecret: "${CLIENT_SECRET}"';
const AT = 'tokenUrl: "${api}/oauth/token"';

export const ENTRIES = {
  credentials: `{ type: oauth2-client-credentials, ${AT}, ${CLIENT} }`,
  refresh: `{ type: oauth2-refresh, ${AT}, ${CLIENT}, refreshToken: "\${REFRESH_TOKEN}" }`,
  device: `{ type: oauth2-device, deviceUrl: "\${api}/oauth/device", ${AT}, clientId: ${CREDENTIALS.publicClientId} }`,
  code: `{ type: oauth2-authorization-code, authorizationUrl: "\${api}/oauth/authorize", ${AT}, clientId: ${CREDENTIALS.publicClientId} }`,
};

/** A document that signs in by `entry`: nodes without edges, given by their commands. */
export function document(entry: string, commands: Record<string, string> = { fetch: CALL }, more = ""): string {
  const nodes = Object.entries(commands).map(
    ([id, content]) =>
      `  - { id: ${id}, type: cli, data: { title: T, auth: shop, content: ${JSON.stringify(content)}${more} } }`,
  );
  return `curlew: 1
name: Shop
inputs: { api: { type: string } }
secrets: [CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN]
auth: { shop: ${entry} }
nodes:
${nodes.join("\n")}
`;
}

export interface Shop extends Folder {
  api: SampleApi;
  /** The server's counts. */
  counters(): Promise<Record<string, number>>;
  /** Changes how the token endpoint behaves from now on. */
  settings(settings: Record<string, unknown>): Promise<void>;
  post(path: string, body?: unknown): Promise<Response>;
  /** Runs `shop.flow.yaml` against the server. */
  shop(given?: Given, more?: string): ReturnType<Folder["run"]>;
}

export async function shopWith(api: SampleApi, files: Record<string, string>): Promise<Shop> {
  const it = folder(files);
  api.reset();
  const post = (path: string, body: unknown = {}) =>
    fetch(`${api.url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    ...it,
    api,
    post,
    counters: async () => (await fetch(`${api.url}/oauth/counters`)).json() as Promise<Record<string, number>>,
    settings: async (settings) => void (await post("/oauth/settings", settings)),
    shop: (given = {}, more = "") =>
      it.run(`run shop.flow.yaml --input api=${api.url} ${more}`, { ...given, env: { ...env, ...given.env } }),
  };
}

/** The sample API for all tests of a file; `shop`: in a new folder, with nothing counted yet. */
export function openShop(): { api(): SampleApi; shop(...given: Parameters<typeof document>): Promise<Shop> } {
  let api: SampleApi;
  beforeAll(async () => {
    api = await startSampleApi();
  });
  afterAll(() => api.close());
  return { api: () => api, shop: (...given) => shopWith(api, { "shop.flow.yaml": document(...given) }) };
}

export { startSampleApi };
