// client: the API for programs, typed (spec 2.4; docs/reference/server.md). `import { connect } from "curlew"`.
//     const { url, token } = readServerFile(home) ?? …;
//     const curlew = connect({ url, token });
//     const run = await curlew.start("digest.flow.yaml", { inputs: { repo: "curl/curl" } }, { waitSeconds: 60 });
//   L1. What the server refuses is thrown as `Refused`, with its problem. Nothing is asked twice.
//   L2. Pure: whoever calls may bring the fetch. The token goes nowhere but into its header.
// Deliberately absent: reconnecting. Whoever follows events knows the last position, and goes on behind it.

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
  /** `http://127.0.0.1:4780`, as in server.json. */
  url: string;
  token: string;
  /** Default: the one that is there. */
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
  /** Any route that answers JSON: `call("GET /runs/{id}", { params: { id } })`. */
  call<Key extends keyof Answers & RouteKey>(route: Key, options?: CallOptions<Key>): Promise<Answers[Key]>;
  /** The answer itself, for bytes: values, outputs. Throws `Refused` all the same. */
  ask<Key extends RouteKey>(route: Key, options?: CallOptions<Key>): Promise<Response>;
  /** Starts a stored workflow. With `waitSeconds` the answer has its result, if it came that far; a `key` starts it once however often it is sent. */
  start(
    path: string,
    given?: StartRun,
    options?: { waitSeconds?: number; key?: string; signal?: AbortSignal },
  ): Promise<StartedRun>;
  /** Every run that fits, newest first, page by page. */
  runs(filter?: RunFilter): AsyncGenerator<RunItem, void>;
  /** The workflow files of the served folder, by path; `limit` is how many are asked for at once. */
  workflows(filter?: { limit?: number }): AsyncGenerator<WorkflowItem, void>;
  /** What waits for a person, newest run first; of one run alone. */
  approvals(filter?: { run?: string; limit?: number }): AsyncGenerator<ApprovalItem, void>;
  /** Everything that happens from now on, or behind a position. */
  follow(options?: { after?: number; signal?: AbortSignal }): AsyncGenerator<StreamMessage, void>;
  /** The events of one run, from the first or behind `after`, until it has ended. */
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

/** Between events stand newest output and the word that all of before was sent. */
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
    title: `The server answered ${answer.status}.`,
    status: answer.status,
    code: "unknown",
  };
}
