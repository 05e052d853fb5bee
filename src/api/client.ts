// The typed API client for programs (spec 2.4; docs/reference/server.md): `import { connect } from "curlew"`.
//     const { url, token } = readServerFile(home) ?? …;
//     const curlew = connect({ url, token });
//     const run = await curlew.start("digest.flow.yaml", { inputs: { repo: "curl/curl" } }, { waitSeconds: 60 });
//   L1. An error response is thrown as `Refused`, with its problem. No request is repeated.
//   L2. Pure: the caller may pass its own fetch. The token is sent only in its header.
// It does not reconnect. A caller that follows events knows the last position and can continue after it.

import { EventSourceParserStream } from "eventsource-parser/stream";
import type { RunEvent } from "../scheduler/event.ts";
import { pathOf, type QueryValues, queryText } from "./address.ts";
import type { Answers } from "./answers.ts";
import type { ParamsOf, RouteKey } from "./routes.ts";
import type {
  ApprovalItem,
  Page,
  Problem,
  RunFilter,
  RunItem,
  StartedRun,
  StartRun,
  StreamMessage,
  WorkflowItem,
} from "./shapes.ts";

export interface ConnectOptions {
  /** Such as `http://127.0.0.1:4780`, as in server.json. */
  url: string;
  token: string;
  /** Default: the global fetch. */
  fetch?: typeof fetch;
}

export class Refused extends Error {
  override name = "Refused";
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

interface CallOptions<Key extends RouteKey> {
  params?: Readonly<Record<ParamsOf<Key>, string | number>>;
  query?: QueryValues;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

export interface Client {
  /** Calls any route that returns JSON: `call("GET /runs/{id}", { params: { id } })`. */
  call<Key extends keyof Answers & RouteKey>(route: Key, options?: CallOptions<Key>): Promise<Answers[Key]>;
  /** The Response itself, for bytes such as values and outputs. Also throws `Refused`. */
  ask<Key extends RouteKey>(route: Key, options?: CallOptions<Key>): Promise<Response>;
  /**
   * Starts a stored workflow. With `waitSeconds`, the response includes the result if the run has ended by then.
   * Requests with the same `key` start only one run.
   */
  start(
    path: string,
    given?: StartRun,
    options?: { waitSeconds?: number; key?: string; signal?: AbortSignal },
  ): Promise<StartedRun>;
  /** All matching runs, newest first. Fetches page by page. */
  runs(filter?: RunFilter): AsyncGenerator<RunItem, void>;
  /** The workflow files of the served folder, by path. `limit` is the page size. */
  workflows(filter?: { limit?: number }): AsyncGenerator<WorkflowItem, void>;
  /** Pending approvals, newest run first, or those of one run. */
  approvals(filter?: { run?: string; limit?: number }): AsyncGenerator<ApprovalItem, void>;
  /** All events from now on, or after a position. */
  follow(options?: { after?: number; signal?: AbortSignal }): AsyncGenerator<StreamMessage, void>;
  /** The events of a run, from the first or after `after`, until the run ends. */
  events(run: string, options?: { after?: number; signal?: AbortSignal }): AsyncGenerator<RunEvent, void>;
}

const atOnce = 100;

export function connect({ url, token, fetch: send = fetch }: ConnectOptions): Client {
  const ask: Client["ask"] = async (route, { params, query, headers, body, signal } = {}) => {
    const [method = "GET"] = route.split(" ");
    const answer = await send(new URL(pathOf(route, (params ?? {}) as never) + queryText(query), url), {
      method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: JSON.stringify(body),
      signal,
    });
    if (answer.ok) return answer;
    throw new Refused(await problemIn(answer));
  };
  const call: Client["call"] = async (route, options) => {
    const answer = await ask(route, options);
    return (answer.status === 204 ? undefined : await answer.json()) as never;
  };
  return {
    ask,
    call,
    start: (path, given = {}, { waitSeconds, key, signal } = {}) =>
      call("POST /workflows/{path}/runs", {
        params: { path },
        body: given,
        query: { wait: waitSeconds },
        headers: key === undefined ? undefined : { "idempotency-key": key },
        signal,
      }),
    runs: (filter) => pages((cursor) => call("GET /runs", { query: { ...filter, ...(cursor && { cursor }) } })),
    workflows: ({ limit = atOnce } = {}) => pages((cursor) => call("GET /workflows", { query: { limit, cursor } })),
    approvals: ({ limit = atOnce, ...filter } = {}) =>
      pages((cursor) => call("GET /approvals", { query: { ...filter, limit, cursor } })),
    follow: ({ after, signal } = {}) => stream(ask("GET /events", following(after, signal))),
    events: (run, { after, signal } = {}) =>
      toItsEnd(stream(ask("GET /runs/{id}/events", { params: { id: run }, ...following(after, signal) }))),
  };
}

function following(after: number | undefined, signal: AbortSignal | undefined) {
  return {
    headers: { accept: "text/event-stream", ...(after === undefined ? {} : { "last-event-id": String(after) }) },
    signal,
  };
}

async function* pages<Item>(page: (cursor?: string) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
  let next: string | undefined;
  do {
    const { items, next: more } = await page(next);
    yield* items;
    next = more;
  } while (next !== undefined);
}

async function* stream<Message>(asked: Promise<Response>): AsyncGenerator<Message, void> {
  const { body } = await asked;
  if (body === null) return;
  const messages = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of messages) if (data !== "") yield JSON.parse(data) as Message;
}

/** Leaves out messages that are not events: new output, and the message that all earlier events were sent. */
async function* toItsEnd(messages: AsyncGenerator<RunEvent | { kind: string }, void>): AsyncGenerator<RunEvent, void> {
  for await (const message of messages) {
    if (!("seq" in message)) continue;
    yield message;
    if (/^run\.(?:succeeded|failed|cancelled|timed-out)$/.test(message.type)) return;
  }
}

async function problemIn(answer: Response): Promise<Problem> {
  const told: unknown = await answer.json().catch(() => undefined);
  if (typeof told === "object" && told !== null && "code" in told && "title" in told) return told as Problem;
  return {
    type: "about:blank",
    title: `The server responded with status ${answer.status}.`,
    status: answer.status,
    code: "unknown",
  };
}
