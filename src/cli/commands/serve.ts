// serve: the server and editor over a folder of workflow files, until it is asked to end (spec 2.2). A file of its own in dist/.
//   S1. Nothing on stdout: where it is reached, and the link that opens it, are told on stderr.
//   S2. The first Ctrl-C or SIGTERM closes in order; the second ends at once.

import type { Failure } from "../../base/failure.ts";
import { openDemo } from "../../server/demo.ts";
import { openServer, type ServeOptions } from "../../server/serve.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf } from "../open.ts";
import { problem } from "../problem.ts";
import type { Terminal } from "../terminal.ts";
import { version } from "../version.ts";

export interface ServeCommandOptions extends HomeOption {
  port?: number;
  host?: string;
  hooksPort?: number;
  open?: boolean;
  demo?: boolean;
}

export async function serve(dir: string | undefined, options: ServeCommandOptions, terminal: Terminal): Promise<Exit> {
  const say = (failure: Failure, kind: "error" | "warning"): void =>
    terminal.problem(problem(failure.code, failure.message, failure.hint), kind);
  const home = homeOf(options, terminal);
  const demo = options.demo ? await openDemo(home) : undefined;
  if (demo !== undefined && !demo.ok) {
    say(demo.error, "error");
    return Exit.USAGE;
  }
  try {
    return await serveIn(home, dir ?? demo?.value.folder ?? terminal.cwd, demo?.value.url, options, terminal, say);
  } finally {
    demo?.value.close();
  }
}

async function serveIn(
  home: string,
  folder: string,
  demoUrl: string | undefined,
  options: ServeCommandOptions,
  terminal: Terminal,
  say: (failure: Failure, kind: "error" | "warning") => void,
): Promise<Exit> {
  const asked: ServeOptions = {
    version: version(),
    home,
    folder,
    ...(demoUrl === undefined ? {} : { demoUrl }),
    env: terminal.env,
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.hooksPort === undefined ? {} : { hooksPort: options.hooksPort }),
    logLevel: "info",
    onWarning: (warning) => say(warning, "warning"),
  };
  const opened = await openServer(asked);
  if (!opened.ok) {
    say(opened.error, "error");
    return Exit.USAGE;
  }
  const server = opened.value;
  terminal.err(`Curlew serves ${asked.folder}\n  ${server.link()}\n`);
  await askedToEnd(terminal);
  await server.close();
  return Exit.OK;
}

function askedToEnd(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(Exit.INTERRUPTED);
        terminal.err("Closing. Ctrl-C again ends at once.\n");
        resolve();
      });
  });
}
