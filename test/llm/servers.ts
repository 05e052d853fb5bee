// servers: real HTTP servers for the LLM node: the tiny model, and one that answers as a test says, well or badly.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { request as call, createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import { TLS_FILES } from "../setup/servers.ts";

const TINY = join(import.meta.dirname, "../../tools/tiny-llm/serve.mjs");

/** The tiny model's URL, for OLLAMA_HOST; the model is `ollama/tiny-http`. Ends with the test. */
export async function tinyModel(): Promise<string> {
  const child = spawn(process.execPath, [TINY], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return JSON.parse(line).url;
}

export interface Asked {
  url: string;
  headers: IncomingHttpHeaders;
  body: {
    model?: string;
    messages: { role: string; content: string }[];
    temperature?: number;
    max_tokens?: number;
    response_format?: { type: string; json_schema?: { schema: object } };
    [other: string]: unknown;
  };
}

export type Reply = (response: ServerResponse, asked: Asked) => void | Promise<void>;

export interface Model {
  url: string;
  asked: Asked[];
  /** Resolves after so many calls, and after so many callers have hung up. */
  askedTimes(times: number): Promise<void>;
  hungUp(times: number): Promise<void>;
}

/** Gives one answer after the other, and repeats the last one. */
export async function model(...replies: Reply[]): Promise<Model> {
  const asked: Asked[] = [];
  let gone = 0;
  const waiting: (() => void)[] = [];
  const look = (): void => waiting.splice(0).forEach((each) => void each());
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = { url: request.url ?? "", headers: request.headers, body: JSON.parse(String(Buffer.concat(chunks))) };
    response.on("close", () => {
      if (!response.writableFinished) gone++;
      look();
    });
    const reply = replies[Math.min(asked.length, replies.length - 1)];
    asked.push(one);
    look();
    await reply?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    askedTimes: (times) => until(() => asked.length >= times),
    hungUp: (times) => until(() => gone >= times),
  };
}

const event = (data: object | string): string => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish: string | null = null): object => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

export interface Said {
  /** Null: it never says that it has finished. */
  finish?: string | null;
  usage?: [number, number];
  /** Between the tokens, from the second on. */
  between?: () => Promise<void>;
  /** Then the connection is cut. */
  cut?: boolean;
  /** False: without the protocol's final message. */
  done?: boolean;
}

/** Streams these tokens like OpenAI's chat completions. */
export function says(
  tokens: string | string[],
  { finish = "stop", usage = [10, 5], between, cut, done = true }: Said = {},
): Reply {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(event(chunk({ role: "assistant", content: "" })));
    for (const [index, token] of [tokens].flat().entries()) {
      if (index > 0) await between?.();
      response.write(event(chunk({ content: token })));
    }
    if (cut === true) return void response.write(":\n\n", () => response.socket?.destroy());
    if (finish !== null) response.write(event(chunk({}, finish)));
    const [prompt_tokens, completion_tokens] = usage;
    if (finish !== null)
      response.write(
        event({
          ...chunk({}),
          choices: [],
          usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
        }),
      );
    response.end(done ? event("[DONE]") : "");
  };
}

export function refuses(status: number, message: string, more: Record<string, string> = {}, code?: string): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(JSON.stringify({ error: { message, type: "some_error", param: null, code: code ?? null } }));
  };
}

/** A wait that the test ends. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A proxy that leads every call to one port of this machine, whatever its host; `passed`: the hosts. */
export async function proxy(port: number): Promise<{ url: string; passed: string[] }> {
  const passed: string[] = [];
  const server = createServer((request, response) => {
    passed.push(new URL(request.url ?? "").hostname);
    const { method, headers } = request;
    const path = new URL(request.url ?? "").pathname;
    const onward = call(
      { port, host: "127.0.0.1", path, headers, ...(method === undefined ? {} : { method }) },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  });
  server.on("connect", (request, socket) => {
    passed.push((request.url ?? "").split(":")[0] ?? "");
    const onward = connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) each.on("error", () => {});
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, passed };
}

/** A port with the sample API's test certificate in front of another port. */
export async function tlsBefore(port: number): Promise<number> {
  const server = createTlsServer(TLS_FILES, (socket) => {
    const onward = connect(port, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) each.on("error", () => {});
  });
  return listen(server);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
