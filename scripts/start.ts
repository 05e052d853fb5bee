// start: the first look. Starts the editor over workflows to play with, the sample API that they call, and the tiny language model where
// its server is installed (ADR 53); runs the demo once with live progress, prints the link, and stays until Ctrl-C.
// In CI, where nobody presses Ctrl-C, everything ends with the demo.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const root = dirname(import.meta.dirname);
const home = process.env.CURLEW_HOME ?? join(root, ".curlew");
const curlew = join(root, "bin/curlew");
const stays = process.env.CI === undefined;

const say = (text: string) => process.stderr.write(`${text}\n`);

interface Editor {
  link: string;
  child: ChildProcess;
}

interface Model {
  url: string;
  child: ChildProcess;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]).then(() => 130);
  const model = await startModel();
  const env = { ...process.env, ...(model === undefined ? {} : { OLLAMA_HOST: model.url }) };
  const editor = await startEditor(env);
  try {
    if (editor === undefined) return 1;
    say("The editor and the sample API are up. Now: curlew run demo.flow.yaml\n");
    const code = await Promise.race([runDemo(env), interrupted]);
    if (code !== 0) return code;
    say(whatNext(editor.link, model));
    if (!stays) return 0;
    return await Promise.race([interrupted.then(() => 0), once(editor.child, "exit").then(([ended]) => ended ?? 1)]);
  } finally {
    await stop(editor?.child);
    model?.child.kill("SIGTERM");
  }
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

/** Nothing after what it said itself, when it cannot be started. */
async function startEditor(env: NodeJS.ProcessEnv): Promise<Editor | undefined> {
  // A group of its own: Ctrl-C ends the demo first, and the editor when the demo is done with it.
  const child = spawn(curlew, ["serve", "--demo"], {
    cwd: root,
    stdio: ["ignore", "inherit", "pipe"],
    env,
    detached: true,
  });
  const lines = createInterface({ input: child.stderr });
  const link = await new Promise<string | undefined>((resolve) => {
    child.once("exit", () => resolve(undefined));
    lines.on("line", (line) => {
      const found = /https?:\/\/\S+#code=\S+/.exec(line)?.[0];
      if (found !== undefined) resolve(found);
      else if (!line.startsWith("Curlew serves ")) say(line);
    });
  });
  return link === undefined ? undefined : { link, child };
}

async function runDemo(env: NodeJS.ProcessEnv): Promise<number> {
  const demo = spawn(curlew, ["run", join(home, "demo/demo.flow.yaml")], { cwd: root, stdio: "inherit", env });
  const [code] = await once(demo, "exit");
  return code ?? 1;
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

function whatNext(link: string, model: Model | undefined): string {
  const always = `
That was the demo workflow. See it, change it, run it again in the browser:

  ${link}

Or stay here, in another terminal:

  npm start -- runs show latest                                       what each node did, how long it took
  npm start -- graph examples/demo.flow.yaml                          the workflow, drawn
  npm start -- run examples/hello.flow.yaml --input name=Ada          three nodes, no network
  npm start -- new mine.flow.yaml                                     a workflow of your own${
    model === undefined
      ? "\n  sh tools/tiny-llm/bring.sh                                          a language model of 0.8 MB (85 MB to serve it); then npm start again"
      : ""
  }`;
  return stays ? `${always}\n\nCtrl-C stops the editor and the sample API.` : always;
}
