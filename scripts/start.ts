// start: the first look. Starts the sample API, and the tiny language model where its server is installed (ADR 53), runs the demo
// against them with live progress, and says what to try next.
// On a terminal both then stay until Ctrl-C; without one (CI, a pipe) everything ends with the demo.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const root = dirname(import.meta.dirname);
const FIRST_PORT = 4790;
const TRIES = 20;
const stays = Boolean(process.stdin.isTTY && process.stdout.isTTY) && process.env.CI === undefined;

const say = (text: string) => process.stderr.write(`${text}\n`);

interface Api {
  url: string;
  httpsUrl: string;
  child: ChildProcess;
}

interface Model {
  url: string;
  child: ChildProcess;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const interrupted = once(process, "SIGINT").then(() => 130);
  const [api, model] = await Promise.all([startApi(), startModel()]);
  if (api === undefined) {
    model?.child.kill("SIGTERM");
    say(`No free port from ${FIRST_PORT} on for the sample API. Stop what listens there, then run npm start again.`);
    return 1;
  }
  try {
    say(`The sample API listens at ${api.url}. Now: curlew run examples/demo.flow.yaml\n`);
    const code = await Promise.race([runDemo(api, model), interrupted]);
    if (code !== 0) return code;
    say(whatNext(api, model));
    if (stays) await interrupted;
    return 0;
  } finally {
    api.child.kill("SIGTERM");
    model?.child.kill("SIGTERM");
  }
}

/** The first pair of ports that is free; a taken one makes the sample API end at once. */
async function startApi(): Promise<Api | undefined> {
  for (let port = FIRST_PORT; port < FIRST_PORT + 2 * TRIES; port += 2) {
    const api = await startApiAt(port);
    if (api !== undefined) return api;
  }
  return undefined;
}

async function startApiAt(port: number): Promise<Api | undefined> {
  const program = join(root, "dist/sample-api.js");
  // A group of its own: Ctrl-C ends the demo first, and the API when the demo is done with it.
  const child = spawn(process.execPath, [program, "--json", "--port", String(port), "--https-port", String(port + 1)], {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const line = once(createInterface({ input: child.stdout }), "line").then(([text]) => JSON.parse(text));
  const answer = await Promise.race([line, once(child, "exit").then(() => undefined)]);
  return answer === undefined ? undefined : { ...answer, child };
}

/** Nothing when its server is not installed, or does not run here: the demo then says that no model was asked. */
async function startModel(): Promise<Model | undefined> {
  const folder = join(root, "tools/tiny-llm");
  if (!existsSync(join(folder, "node_modules/.curlew-setup"))) return undefined;
  const child = spawn(process.execPath, [join(folder, "serve.mjs")], {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const line = once(createInterface({ input: child.stdout }), "line").then(([text]) => JSON.parse(text));
  const answer = await Promise.race([line, once(child, "exit").then(() => undefined)]);
  return answer === undefined ? undefined : { url: answer.url, child };
}

async function runDemo(api: Api, model: Model | undefined): Promise<number> {
  const demo = spawn(join(root, "bin/curlew"), ["run", "examples/demo.flow.yaml", "--input", `api=${api.url}`], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...(model === undefined ? {} : { OLLAMA_HOST: model.url }) },
  });
  const [code] = await once(demo, "exit");
  return code ?? 1;
}

function whatNext(api: Api, model: Model | undefined): string {
  const elsewhere = api.url.endsWith(`:${FIRST_PORT}`) ? "" : ` --input api=${api.url}`;
  const always = `
That was examples/demo.flow.yaml. What to try next:

  npm start -- runs show latest                                       what each node did, how long it took
  npm start -- graph examples/demo.flow.yaml                          the workflow, drawn
  npm start -- run examples/hello.flow.yaml --input name=Ada          three nodes, no network
  npm start -- new mine.flow.yaml                                     a workflow of your own${
    model === undefined
      ? "\n  sh tools/tiny-llm/bring.sh                                          a language model of 0.8 MB (85 MB to serve it); then npm start again"
      : ""
  }`;
  const whileItRuns = `
  ${`npm start -- run examples/pagination.flow.yaml${elsewhere}`.padEnd(67)} a loop over pages${
    model === undefined
      ? ""
      : `\n  OLLAMA_HOST=${model.url} npm start -- run examples/fetch-analyse-send.flow.yaml${elsewhere}`
  }

The sample API stays at ${api.url} and ${api.httpsUrl} for the examples; use another terminal. Ctrl-C stops it.`;
  return stays ? always + whileItRuns : always;
}
