// start: the first look. Starts the editor over workflows to play with, and the sample API that they call, with a tiny
// language model in it (ADR 52). Runs the demo once with live progress, prints the link, and stays until Ctrl-C. In CI,
// where no one presses Ctrl-C, everything ends with the demo.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const root = dirname(import.meta.dirname);
const home = process.env.CURLEW_HOME ?? join(root, ".curlew");
const curlew = join(root, "bin/curlew");
const stays = process.env.CI === undefined;

const say = (text: string) => process.stderr.write(`${text}\n`);

interface Editor {
  link: string;
  /** The URL of the sample API. */
  sample: string;
  child: ChildProcess;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]).then(() => 130);
  const editor = await startEditor();
  try {
    if (editor === undefined) return 1;
    say("The editor and the sample API are up. Now: curlew run demo.flow.yaml\n");
    const code = await Promise.race([runDemo(editor.sample), interrupted]);
    if (code !== 0) return code;
    say(whatNext(editor.link));
    if (!stays) return 0;
    return await Promise.race([interrupted.then(() => 0), once(editor.child, "exit").then(([ended]) => ended ?? 1)]);
  } finally {
    await stop(editor?.child);
  }
}

/** Prints nothing more than its own message if it cannot be started. */
async function startEditor(): Promise<Editor | undefined> {
  // A new process group: Ctrl-C ends the demo first, and then the editor.
  const child = spawn(curlew, ["serve", "--demo"], {
    cwd: root,
    stdio: ["ignore", "inherit", "pipe"],
    detached: true,
  });
  const lines = createInterface({ input: child.stderr });
  let link: string | undefined;
  const sample = await new Promise<string | undefined>((resolve) => {
    child.once("exit", () => resolve(undefined));
    lines.on("line", (line) => {
      const found = /https?:\/\/\S+#code=\S+/.exec(line)?.[0];
      if (found !== undefined) link = found;
      else if (!/^(?:Curlew serves|The link is good once)/.test(line)) say(line);
      if (/^ *sample /.test(line)) resolve(/http:\S+/.exec(line)?.[0]);
    });
  });
  return link === undefined || sample === undefined ? undefined : { link, sample, child };
}

async function runDemo(sample: string): Promise<number> {
  const env = { SAMPLE_BASE_URL: `${sample}/v1`, ...process.env };
  const demo = spawn(curlew, ["run", join(home, "demo/demo.flow.yaml")], { cwd: root, stdio: "inherit", env });
  const [code] = await once(demo, "exit");
  return code ?? 1;
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

function whatNext(link: string): string {
  const always = `
That was the demo workflow. See it, change it, run it again in the browser:

  ${link}

It is good once, for ten minutes; another terminal gives a new one: npm start -- serve

Or stay here, in another terminal:

  npm start -- runs show latest                                       what each node did, how long it took
  npm start -- graph examples/demo.flow.yaml                          the workflow, drawn
  npm start -- run examples/hello.flow.yaml --input name=Ada          three nodes, no network
  npm start -- new mine.flow.yaml                                     your own workflow`;
  return stays ? `${always}\n\nCtrl-C stops the editor and the sample API.` : always;
}
