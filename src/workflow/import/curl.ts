// import/curl: turns a pasted curl command into a workflow with one node (spec 2.2), and its credentials into `secrets`
// (4.2).
//   P1. The command stays as pasted, word by word, except for credentials and missing options (`defaultsFor`). Nothing of
//       it is executed. pasted.ts removes text that a web page or another shell added around it.
//   P2. The first credential that signs the call becomes `auth:`. Any other is replaced by ${NAME} in place.
//   P3. A credential that was found appears neither in the workflow nor in messages. The workflow's own checks look for
//       others. Their values are returned beside the document, in a Map, which JSON never contains.
//   P4. A shell variable (`$TOKEN`) in place of a credential is taken as the name of a secret. Any other that the command
//       does not set becomes an input: in the shell it would be empty, and `/accounts/$ID` would call `/accounts/`.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  hasOption,
  hostOf,
  inspect,
  NO_VALUES,
  type Request,
  readCommand,
  requestsOf,
  type Script,
  scriptOf,
} from "../../shell/safety/index.ts";
import { curlFindings } from "../check/lints/curl.ts";
import { NOWHERE } from "../diagnostics/base.ts";
import { SHELL_NAMES } from "../script-names.ts";
import { type Credentials, credentialsOf } from "./curl-credentials.ts";
import { documentText, type Made } from "./document.ts";
import { commandOf } from "./pasted.ts";

const titleCharsMax = 80;

const REQUIRED = { type: "string", required: true };

/** Failure `import-curl`. */
export async function workflowOfCurl(pasted: string): Promise<Result<Made, Failure>> {
  const command = commandOf(pasted);
  if (/\^["&\r\n]|`\r?\n/.test(command))
    return err(unreadable("it is written for another shell", "Copy it as cURL (bash)."));
  const reading = await readCommand(command, () => false, true);
  const [problem] = reading?.tree.errors ?? [];
  if (reading === undefined || problem !== undefined)
    return err(unreadable(`bash could not read it: ${problem?.message ?? "it is empty"}`));
  const { script, asks } = inspect(reading, NO_VALUES, { content: command });
  const [first] = curlRequests(script);
  if (first === undefined) return err(unreadable("it contains no call of curl"));
  if (first.urls.length === 0) return err(unreadable("it has no URL"));
  const added = defaultsFor(script);
  const variables = await variablesOf(command);
  const credentials = credentialsOf(curlRequests(script), command, [...added, ...variables]);
  // A login that is also in the URL, as at Twilio, is an account's name and no secret.
  const { auth } = credentials;
  const isLogin = (name: string) => auth?.username === `\${${name}}` && auth.password !== auth.username;
  const isShown = (name: string) => isLogin(name) && variables.filter((each) => each.name === name).length > 1;
  credentials.secrets = credentials.secrets.filter((name) => !isShown(name));
  const inputs = [...new Set(variables.map(({ name }) => name))].filter((name) => !credentials.secrets.includes(name));
  return ok(made(first, credentials, inputs, asks.length > 0, added.length > 0));
}

/** P4. The edits that write each variable as a reference. */
async function variablesOf(command: string): Promise<{ name: string; start: number; end: number; text: string }[]> {
  const { parametersOf } = await import("../../shell/rewrite/index.ts");
  return (await parametersOf(command)).flatMap(({ name, start, end }) => {
    const text = `\${${name}}`;
    const isPlain = [`$${name}`, text].includes(command.slice(start, end));
    return isPlain && !SHELL_NAMES.test(name) ? [{ name, start, end, text }] : [];
  });
}

/** The command of a node without its credentials; undefined if it can't be read or has none. */
export async function liftedFrom(command: string): Promise<Credentials | undefined> {
  const reading = await readCommand(command, () => false, true);
  if (reading === undefined || reading.tree.errors.length > 0) return undefined;
  const lifted = credentialsOf(curlRequests(scriptOf(reading, NO_VALUES)), command);
  return lifted.values.size === 0 ? undefined : lifted;
}

function curlRequests({ calls }: Script): Request[] {
  return calls
    .flatMap((call) => (call.nested ? [] : requestsOf(call)))
    .filter(({ curl, client }) => curl !== undefined && client === "curl");
}

/** Options that the checks would warn about if they were missing, and `-sS`, unless the author wants to see more. */
function defaultsFor(script: Script): { start: number; end: number; text: string }[] {
  const added = new Map<number, string>();
  for (const call of script.calls) {
    if (call.nested) continue;
    const codes = new Set(
      curlFindings({ ...script, calls: [call] }, { decidesOnHttpErrors: false, hasTimeLimit: false }).map(
        ({ tell }) => tell(NOWHERE).code,
      ),
    );
    const has = (...names: string[]) =>
      requestsOf(call).some(({ curl }) => curl !== undefined && hasOption(curl, ...names));
    const isDownload = has("output", "remote-name", "remote-name-all");
    const isCurl = requestsOf(call).some(({ client }) => client === "curl");
    const options = [
      codes.has("curl-no-fail") ? " --fail-with-body" : "",
      isCurl && !has("s", "silent", "v", "verbose", "#", "progress-bar") ? " -sS" : "",
      codes.has("curl-no-time-limit") ? ` --max-time ${isDownload ? 600 : 30}` : "",
    ].join("");
    if (options !== "") added.set(call.nameTerm.end, options);
  }
  return [...added].map(([at, text]) => ({ start: at, end: at, text }));
}

function made(
  first: Request,
  { text, auth, secrets, values }: Credentials,
  inputs: readonly string[],
  asks: boolean,
  isAdded: boolean,
): Made {
  const host = hostOf((first.urls[0]?.pieces[0]?.text ?? "").replace(/\/\/[^/@]*@/, "//")) ?? "";
  const name = `${first.method ?? "call"} ${host === "" ? "with curl" : host}`;
  const data: Record<string, unknown> = { title: titleOf(first.method, text), content: text };
  if (auth !== undefined) data.auth = auth;
  if (asks) data.needsUserApproval = true;
  const document = {
    curlew: 1,
    name,
    ...(inputs.length === 0 ? {} : { inputs: Object.fromEntries(inputs.map((name) => [name, REQUIRED])) }),
    ...(secrets.length === 0 ? {} : { secrets }),
    nodes: [{ id: "call", type: "cli", data }],
  };
  const notes = secrets.length === 0 ? [] : [`Taken out of the command, as secrets: ${secrets.join(", ")}.`];
  if (inputs.length > 0) notes.push(`Variables of the command, as inputs: ${inputs.join(", ")}.`);
  if (isAdded)
    notes.push("Added to curl what was missing: a failure for HTTP errors, a time limit, no progress meter.");
  return { text: documentText(document), name: name.replaceAll(" ", "-").toLowerCase(), notes, values };
}

/** "GET /users": method and path, as in the command without its credentials. */
export function titleOf(method: string | undefined, command: string): string {
  const url = /\bhttps?:\/\/[^\s"'?#]+/.exec(command)?.[0];
  const path = url?.replace(/^https?:\/\/[^/]*/, "").replace(/\/$/, "") ?? "";
  const host = url?.replace(/^https?:\/\/(?:[^/@]*@)?/, "").replace(/[/:].*$/, "") ?? "";
  return `${method ?? "GET"} ${path === "" ? host || "with curl" : path}`.slice(0, titleCharsMax);
}

function unreadable(
  why: string,
  hint = "Copy the whole command; in a terminal put it in single quotes, or behind --.",
): Failure {
  return { code: "import-curl", message: `This curl command cannot be imported: ${why}.`, hint };
}
