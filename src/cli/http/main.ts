// main: one call of `curlew http`, from its words to its exit code (spec 3.6). A separate bundle that loads only what it
// needs.
//   R1. stdout gets the body and nothing else; messages go to stderr.
//   R2. A status of 400 or more is a failure (22) whose body is printed as well; --no-fail turns that off.

import { renderProblem } from "../problem.ts";
import { styleFor } from "../style.ts";
import { version } from "../version.ts";
import { signIn } from "./auth.ts";
import { type Body, bodyOf, openStdin } from "./body.ts";
import { callOf, type Prepared } from "./call.ts";
import { checkGraphql, graphqlBody, graphqlRequest } from "./graphql.ts";
import { type Header, headersOf, urlOf, withDefaults } from "./headers.ts";
import { openNetwork, type Response } from "./network.ts";
import { type HttpOptions, readOptions } from "./options.ts";
import { bodyChunks, failOnStatus, openSink, wholeBody } from "./output.ts";
import { printPages } from "./paged.ts";
import { HttpExit, HttpProblem, usage } from "./problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

export async function main(words: readonly string[]): Promise<never> {
  process.stderr.on("error", () => {});
  // undici's warnings about experimental features (decompression, SOCKS) would appear on the stderr of the call.
  process.removeAllListeners("warning");
  process.exit(await http(words, process.env));
}

/** The exit code. Problems have been printed to stderr. */
async function http(words: readonly string[], env: Env): Promise<number> {
  try {
    await called(readOptions(words), env);
    return HttpExit.OK;
  } catch (reason) {
    const { exit, code, message, hint } = reason instanceof HttpProblem ? reason : fault(reason, env);
    const shown = exit === HttpExit.USAGE ? message : `(${exit}) ${message}`;
    const style = styleFor(process.stderr, env as NodeJS.ProcessEnv);
    process.stderr.write(renderProblem({ code, message: shown, hint }, style));
    return exit;
  }
}

function fault(reason: unknown, env: Env): HttpProblem {
  const error = reason instanceof Error ? reason : new Error(String(reason));
  if (env.CURLEW_DEBUG === "1") process.stderr.write(`${error.stack}\n`);
  return new HttpProblem(
    HttpExit.FAULT,
    "internal",
    `curlew http failed because of a bug in it. ${error.name}: ${error.message}`,
    `Please report this with the command you gave and: Curlew ${version()}, Node.js ${process.versions.node}.`,
  );
}

async function called(options: HttpOptions, env: Env): Promise<void> {
  const plain = mayBePlain(options, env);
  const url = urlOf(options.url, options.query ?? [], plain);
  const stdin = openStdin();
  const graphql = await graphqlRequest(options, stdin);
  const own = await headersOf(options.header ?? [], stdin);
  const signedIn = await signIn(options.auth, env, url);
  const body = graphql === undefined ? await bodyOf(options, stdin) : graphqlBody(graphql);
  const headers = withDefaults(defaults(options, body, signedIn?.first), own);
  const network = openNetwork(options, env, plain);
  const sink = openSink();
  const request = { method: options.method, url, headers, body };
  const prepared: Prepared = { options, env, network, request, signedIn, graphql, sink };
  try {
    await (options.paginate === undefined ? printOne(prepared) : printPages(prepared));
  } finally {
    await network.close();
  }
}

/** In a node the workflow file decides, in a terminal the option. */
function mayBePlain(options: HttpOptions, env: Env): boolean {
  if (env.CURLEW_HTTP_PLAIN === "yes") return true;
  if (options.plainHttp !== true) return false;
  if (env.CURLEW_HTTP_PLAIN !== "no") return true;
  throw usage(
    "http-not-allowed",
    "Safe nodes may only call https, even with --plain-http.",
    "To allow http, set egress: any in the workflow, or safetyLevel: advanced.",
  );
}

function defaults(options: HttpOptions, { type }: Body, auth: Header | undefined): Header[] {
  const header = (name: string, value: string): Header => ({ name, value, secret: false });
  const json = options.json !== undefined || options.graphql !== undefined || options.paginate !== undefined;
  const found = [header("User-Agent", `curlew/${version()}`), header("Accept", json ? "application/json" : "*/*")];
  if (type !== undefined) found.push(header("Content-Type", type));
  if (auth !== undefined) found.push(auth);
  return found;
}

async function printOne(prepared: Prepared): Promise<void> {
  const { options, request, graphql, sink } = prepared;
  const print = async (response: Response): Promise<void> => {
    if (graphql !== undefined && response.status < 400) {
      const bytes = await wholeBody(response);
      await sink.write(bytes);
      checkGraphql(bytes);
      return;
    }
    for await (const chunk of bodyChunks(response)) await sink.write(chunk);
    if (!options.noFail) failOnStatus(response);
  };
  await callOf(prepared, request, print, sink.written);
}
