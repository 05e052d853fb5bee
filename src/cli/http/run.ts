// run: one call of `curlew http`, from its words to its exit code (spec 3.6).
//   R1. The body goes to stdout or the file and nothing else; what is said goes to stderr.
//   R2. A status of 400 and more is a failure (22) whose body is printed all the same; --no-fail makes it none.

import { limits } from "../../base/limits.ts";
import { renderProblem } from "../problem.ts";
import { styleFor } from "../style.ts";
import { version } from "../version.ts";
import { addressOf } from "./address.ts";
import { signIn } from "./auth.ts";
import { type Body, bodyOf, openStdin } from "./body.ts";
import { type Call, callOf } from "./call.ts";
import { graphqlBody, graphqlProblem, graphqlRequest } from "./graphql.ts";
import { type Header, headersOf, withDefaults } from "./headers.ts";
import { openNetwork } from "./network.ts";
import { type HttpOptions, readOptions } from "./options.ts";
import { bodyChunks, fileSink, headText, stdoutSink, wholeBody } from "./output.ts";
import { printPages } from "./paged.ts";
import { failOnStatus, type Prepared } from "./prepared.ts";
import { HttpExit, HttpProblem } from "./problem.ts";
import { reporter } from "./report.ts";
import { networkSettings, repeating } from "./settings.ts";
import { signer } from "./sign.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The exit code. What goes wrong has been said on stderr. */
export async function http(words: readonly string[], env: Env): Promise<number> {
  try {
    await called(readOptions(words), env);
    return HttpExit.OK;
  } catch (reason) {
    const problem = reason instanceof HttpProblem ? reason : fault(reason, env);
    const { exit, code, message, help } = problem;
    const said = exit >= HttpExit.OK && exit !== HttpExit.USAGE ? `(${exit}) ${message}` : message;
    process.stderr.write(
      renderProblem(
        { code, message: said, ...(help === undefined ? {} : { help }) },
        styleFor(process.stderr, env as NodeJS.ProcessEnv),
      ),
    );
    return exit;
  }
}

function fault(reason: unknown, env: Env): HttpProblem {
  const error = reason instanceof Error ? reason : new Error(String(reason));
  if (env.CURLEW_DEBUG === "1") process.stderr.write(`${error.stack}\n`);
  return new HttpProblem(
    HttpExit.FAULT,
    "internal",
    `Curlew failed, and it is not your doing. ${error.name}: ${error.message}`,
    `Please report this with the command you gave and: Curlew ${version()}, Node.js ${process.versions.node}.`,
  );
}

async function called(options: HttpOptions, env: Env): Promise<void> {
  const plain = mayBePlain(options, env);
  const url = addressOf(options.url, options.query ?? [], plain);
  const stdin = openStdin();
  const graphql = options.graphql === undefined ? undefined : await graphqlRequest(options, stdin);
  const own = await headersOf(options.header ?? [], stdin);
  const auth = await signIn(options.auth, url, env);
  const body = graphql === undefined ? await bodyOf(options, stdin) : graphqlBody(graphql);
  const headers = withDefaults(defaults(options, body, auth?.first), own);
  const perTry = options.sign === undefined ? undefined : signer(options, body, env);
  const network = openNetwork(networkSettings(options, env));
  const sink = options.output === undefined ? stdoutSink() : fileSink(options.output);
  const settings = {
    plain,
    ...repeating(options),
    say: (text: string) => void process.stderr.write(text),
    seen: reporter(env),
  };
  const call: Call = { method: options.method, url, headers, body, perTry, signedIn: auth };
  let whole = false;
  try {
    const prepared = { options, network, call, graphql, settings, sink };
    await (options.paginate === undefined ? printOne(prepared) : printPages(prepared));
    whole = true;
  } catch (reason) {
    // A server's error is an answer, too.
    whole = reason instanceof HttpProblem && (reason.exit === HttpExit.STATUS || reason.exit === HttpExit.GRAPHQL);
    throw reason;
  } finally {
    await sink.end(whole);
    await network.close();
  }
}

/** In a node its own document decides; in a terminal, the person. */
function mayBePlain(options: HttpOptions, env: Env): boolean {
  if (env.CURLEW_HTTP_PLAIN === "yes") return true;
  if (options.plainHttp !== true) return false;
  if (env.CURLEW_HTTP_PLAIN !== "no") return true;
  throw new HttpProblem(
    HttpExit.USAGE,
    "http-not-allowed",
    "A safe node calls https only, and --plain-http does not change that.",
    "egress: any in the document, or safetyLevel: advanced, allows all.",
  );
}

function defaults(options: HttpOptions, body: Body, auth: Header | undefined): Header[] {
  const header = (name: string, value: string): Header => ({ name, value, secret: false });
  const json = options.json !== undefined || options.graphql !== undefined;
  return [
    header("User-Agent", `curlew/${version()}`),
    header("Accept", json || options.paginate !== undefined ? "application/json" : "*/*"),
    ...(options.compressed ? [header("Accept-Encoding", "gzip, deflate, br, zstd")] : []),
    ...(body.type === undefined ? [] : [header("Content-Type", body.type)]),
    ...(auth === undefined ? [] : [auth]),
  ];
}

async function printOne({ options, network, call, graphql, settings, sink }: Prepared): Promise<void> {
  await callOf(
    network,
    call,
    settings,
    async (response) => {
      sink.restart();
      if (options.include) await sink.write(headText(response));
      if (graphql !== undefined && response.status < 400) {
        const bytes = await wholeBody(response, options.compressed === true, limits.httpPageBytesMax);
        await sink.write(bytes);
        const problem = graphqlProblem(bytes);
        if (problem !== undefined) throw problem;
        return;
      }
      for await (const chunk of bodyChunks(response, options.compressed === true)) await sink.write(chunk);
      failOnStatus(response, options);
    },
    sink.emitted,
  );
}
