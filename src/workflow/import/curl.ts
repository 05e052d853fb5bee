// import/curl: turns a pasted curl command into a workflow with one node (spec 2.2), and its credentials into `secrets`
// (4.2).
//   P1. The command stays as pasted, word by word, except for credentials. Nothing of it is executed. pasted.ts removes
//       text that a web page or another shell added around it.
//   P2. The first credential that signs the call becomes `auth:`. Any other is replaced by ${NAME} in place.
//   P3. A credential that was found appears neither in the workflow nor in messages. The workflow's own checks look for
//       others.
//   P4. A shell variable (`$TOKEN`) in place of a credential is taken as the name of a secret.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hostOf, NO_VALUES, type Request, readCommand, requestsOf, scriptOf } from "../../shell/safety/index.ts";
import { type Credentials, credentialsOf } from "./curl-credentials.ts";
import { documentText, type Made } from "./document.ts";
import { commandOf } from "./pasted.ts";

const titleCharsMax = 80;

/** Failure `import-curl`. */
export async function workflowOfCurl(pasted: string): Promise<Result<Made, Failure>> {
  const command = commandOf(pasted);
  if (/\^["&\r\n]|`\r?\n/.test(command))
    return err(unreadable("it is written for another shell", "Copy it as cURL (bash)."));
  const reading = await readCommand(command, () => false, true);
  const [problem] = reading?.tree.errors ?? [];
  if (reading === undefined || problem !== undefined)
    return err(unreadable(`bash could not read it: ${problem?.message ?? "it is empty"}`));
  const { calls } = scriptOf(reading, NO_VALUES);
  const requests = calls.flatMap((call) => (call.nested ? [] : requestsOf(call)));
  const [first] = requests;
  if (first?.curl === undefined) return err(unreadable("it contains no call of curl"));
  const credentials = credentialsOf(
    requests.filter(({ curl }) => curl !== undefined),
    command,
  );
  return ok(made(first, credentials));
}

function made(first: Request, { text, auth, secrets }: Credentials): Made {
  const host = hostOf((first.urls[0]?.pieces[0]?.text ?? "").replace(/\/\/[^/@]*@/, "//")) ?? "";
  const name = `${first.method ?? "call"} ${host === "" ? "with curl" : host}`;
  const data = { title: titleOf(first.method, text), content: text, ...(auth === undefined ? {} : { auth }) };
  const document = {
    curlew: 1,
    name,
    ...(secrets.length === 0 ? {} : { secrets }),
    nodes: [{ id: "call", type: "cli", data }],
  };
  const lifted = secrets.length === 0 ? [] : [`Taken out of the command, as secrets: ${secrets.join(", ")}.`];
  return { text: documentText(document), name: name.replaceAll(" ", "-").toLowerCase(), notes: lifted };
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
