// import/curl: a pasted curl command becomes a workflow with one node (spec 2.2), its credentials lifted out into `secrets` (4.2).
//   P1. The command stays as it was pasted, word by word, but for the words that hold a credential. Nothing of it is executed here. What a page or
//       another shell put around and between the words is not taken along (pasted.ts).
//   P2. The first credential that signs the call in becomes `auth:`, off the command line; any other stands as ${NAME} where it stood.
//   P3. No credential that was found is handed on: not in the text, not in what is told. What was not found, the checks of the document find.
//   P4. What the shell would put in (`$TOKEN`) is taken for the name of a secret where a credential stands.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hostOf } from "../safety/addresses.ts";
import { readCommand } from "../safety/inspect.ts";
import { type Request, requestsOf } from "../safety/requests.ts";
import { scriptOf } from "../safety/script.ts";
import { NOTHING_KNOWN } from "../safety/terms.ts";
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
  const { calls } = scriptOf(reading, NOTHING_KNOWN);
  const requests = calls.flatMap((call) => (call.nested ? [] : requestsOf(call)));
  const [first] = requests;
  if (first?.curl === undefined) return err(unreadable("no call of curl stands in it"));
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
  return { text: documentText(document), name: name.replaceAll(" ", "-").toLowerCase(), told: lifted };
}

/** "GET /users": method and path, as they stand in the command without its credentials. */
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
