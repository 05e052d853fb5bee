// Starts the demo from the web UI's empty home page (spec ui 6.2.1): starts the sample API once and
// adds the demo workflow to the folder.
//   M1. Existing files are never overwritten. If another file has the demo's name, the demo gets a different one.

import type { Demo } from "../../api/shapes.ts";
import { ServedFolder } from "../../app/documents/folder.ts";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { demoText, isDemo, openSampleApi, tellModel } from "../demo.ts";
import { failureProblem } from "../problem.ts";

const NAMES = ["demo.flow.yaml", "curlew-demo.flow.yaml", "curlew-demo-2.flow.yaml"];
const starting = new WeakMap<ServerContext, Promise<Result<string, Failure>>>();

export const demoRoutes = {
  "POST /demo": async (_call, context) => {
    const url = await sampleApi(context);
    if (!url.ok) return failureProblem(url.error);
    const path = writtenTo(new ServedFolder(context.folder), url.value);
    if (!path.ok) return failureProblem(path.error);
    return json({ path: path.value, url: url.value } satisfies Demo);
  },
} satisfies Partial<Handlers>;

/** Started once per server. A failed start can be repeated. */
async function sampleApi(context: ServerContext): Promise<Result<string, Failure>> {
  if (context.demoUrl !== undefined) return ok(context.demoUrl);
  const opening = starting.get(context) ?? openSampleApi(context.closing);
  starting.set(context, opening);
  const opened = await opening;
  if (opened.ok) {
    context.demoUrl = opened.value;
    tellModel(context.env, opened.value);
  } else starting.delete(context);
  return opened;
}

/** M1. */
function writtenTo(folder: ServedFolder, url: string): Result<string, Failure> {
  for (const name of NAMES) {
    const written = folder.write(name, demoText(url), "none");
    if (written.ok) return ok(name);
    if (written.error.kind !== "changed") break;
    if (isDemo(written.error.current?.text ?? "")) return ok(name);
  }
  return err({
    code: "demo-failed",
    message: "Curlew can't write the demo to the served folder.",
    hint: "curlew serve --demo keeps it in its own folder.",
  });
}
