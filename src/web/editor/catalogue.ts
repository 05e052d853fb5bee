// catalogue: ready-made API calls for the box that adds a node (spec ui.md 6.2). Each is a file of examples/ that a
// test runs against the sample API. Only its description is loaded until the user adds it.

const texts = import.meta.glob<string>("../../../examples/*.flow.yaml", { query: "?raw", import: "default" });

export interface Recipe {
  /** The id of the example. */
  id: string;
  name: string;
  says: string;
  /** Additional search terms. */
  words: string;
}

export const RECIPES: readonly Recipe[] = [
  { id: "fetch", name: "GET a collection", says: "curl that fails on 4xx and 5xx", words: "rest read list fetch" },
  { id: "search", name: "GET with a query", says: "Search for a value", words: "rest query encode find" },
  { id: "create", name: "POST JSON", says: "The body comes from stdin", words: "rest create send body" },
  { id: "update", name: "PUT JSON", says: "Replace a row", words: "rest change patch edit" },
  { id: "delete", name: "DELETE after approval", says: "Asks you first", words: "rest remove ask approve" },
  { id: "upload", name: "Upload a file", says: "multipart/form-data", words: "form file multipart send" },
  { id: "pagination", name: "Pages by number", says: "A loop over pages 1, 2, 3", words: "rest paging loop" },
  { id: "pagination-cursor", name: "Pages by cursor", says: "Until the last page", words: "rest paging loop" },
  { id: "http-pages", name: "Pages by Link header", says: "One command, curlew http", words: "rest paging github" },
  { id: "graphql-variables", name: "GraphQL query", says: "With variables as data", words: "graphql post" },
  { id: "auth", name: "Bearer token", says: "Off the command line", words: "auth authorization login" },
  { id: "api-key", name: "API key", says: "X-API-Key from a secret", words: "auth header secret" },
  { id: "basic-auth", name: "User and password", says: "Basic authentication", words: "auth login secret" },
  { id: "auth-tokens", name: "OAuth 2.0 token", says: "Client credentials, renewed", words: "auth oauth2 client" },
  { id: "retry", name: "Retry on 429 and 5xx", says: "Waits longer each time", words: "rate limit again" },
  { id: "rate-limit", name: "Slow down for a limit", says: "One call after the other", words: "429 rate wait" },
  { id: "status-branch", name: "Decide by the status", says: "404 is not a failure", words: "http if branch error" },
  { id: "parallel", name: "Several APIs at once", says: "And collects the responses", words: "fan out together" },
  { id: "webhook-lines", name: "Webhook listener", says: "Each POST starts what follows", words: "receive hook" },
];

/** The text of the workflow file. */
export async function recipeText(id: string): Promise<string> {
  const load = texts[`../../../examples/${id}.flow.yaml`];
  if (load === undefined) throw new Error(`There is no example called ${id}.`);
  return load();
}
