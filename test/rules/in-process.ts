// in-process: `curlew` in the process of the test, where starting the program is not what is tried.

import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { renderProblem } from "../../src/cli/problem.ts";
import { runProgram } from "../../src/cli/program.ts";
import { plain } from "../../src/cli/style.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { Folder, Ran } from "../cli/curlew.ts";

export async function inProcess(at: Folder, args: string[]): Promise<Ran> {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  const env = { PATH, HOME, LANG, TMPDIR, CURLEW_HOME: at.home, CURLEW_KEYRING: "off", GREETING: "hello-env" };
  const [out, err] = [new PassThrough(), new PassThrough()];
  const terminal: Terminal = {
    env,
    cwd: at.path,
    out: (said) => void out.write(said),
    err: (said) => void err.write(said),
    json: (value) => void out.write(`${JSON.stringify(value)}\n`),
    problem: (given, kind) => void err.write(renderProblem(given, plain, kind)),
    outStyle: plain,
    errStyle: plain,
    outStream: out as unknown as NodeJS.WriteStream,
    errStream: err as unknown as NodeJS.WriteStream,
    outGone: () => false,
    outLost: () => undefined,
    onOutGone: () => {},
  };
  const [stdout, stderr] = [text(out), text(err)];
  const code = await runProgram(args, terminal);
  out.end();
  err.end();
  return { code, stdout: await stdout, stderr: await stderr };
}
