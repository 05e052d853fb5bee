// main: starts the sample API from a terminal, prints its URL, and stays until Ctrl-C. `node
// examples/sample-api/main.ts [--port N] [--https-port N] [--json] [--stdin]`. `--json` prints one line, { url,
// httpsUrl, caFile }, for scripts. `--stdin` ends it when its standard input ends, together with the program that
// started it. Importing this file starts nothing.

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type SampleApi, startSampleApi } from "./server.ts";

export { type LoggedRequest, type SampleApi, type SampleApiOptions, startSampleApi } from "./server.ts";

/** The examples' default. */
export const SAMPLE_API_PORT = 4790;
export const SAMPLE_API_HTTPS_PORT = 4791;

const HELP = `Usage: sample-api [--port N] [--https-port N] [--json] [--stdin]

A small HTTP API for trying things out, on 127.0.0.1 only. Port 0 takes a free one.
Defaults: --port ${SAMPLE_API_PORT}, --https-port ${SAMPLE_API_HTTPS_PORT}.`;

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === "string") {
    console.error(options);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  let api: SampleApi;
  try {
    api = await startSampleApi(options);
  } catch (error) {
    console.error(startFailure(error as NodeJS.ErrnoException & { port?: number }));
    return 1;
  }
  const { url, httpsUrl, caFile } = api;
  console.log(
    options.json
      ? JSON.stringify({ url, httpsUrl, caFile })
      : `Sample API at ${url}\n with TLS at ${httpsUrl}  (curl --cacert ${caFile})\nCtrl-C stops it.`,
  );
  await new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
    if (options.stdin) process.stdin.once("close", resolve).once("end", resolve).resume();
  });
  await api.close();
  return 0;
}

function readOptions(): { port: number; httpsPort: number; json: boolean; stdin: boolean; help: boolean } | string {
  const fallback = {
    port: String(SAMPLE_API_PORT),
    "https-port": String(SAMPLE_API_HTTPS_PORT),
    json: false,
    stdin: false,
    help: false,
  };
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string" },
        "https-port": { type: "string" },
        json: { type: "boolean" },
        stdin: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    const all = { ...fallback, ...values };
    const ports = [all.port, all["https-port"]].map(Number);
    if (!ports.every((port) => Number.isInteger(port) && port >= 0 && port <= 65_535)) {
      return "A port must be an integer from 0 to 65535. With 0, the system chooses one.";
    }
    return { port: ports[0]!, httpsPort: ports[1]!, json: all.json, stdin: all.stdin, help: all.help };
  } catch (error) {
    return `${(error as Error).message}\n\n${HELP}`;
  }
}

function startFailure(error: NodeJS.ErrnoException & { port?: number }): string {
  if (error.code === "EADDRINUSE") {
    return `Port ${error.port} is taken. Is the sample API already running? Otherwise choose another with --port and --https-port.`;
  }
  return `The sample API could not start: ${error.message}`;
}

function isProgram(): boolean {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === realpathSync(fileURLToPath(import.meta.url));
}

if (isProgram()) process.exitCode = await main();
