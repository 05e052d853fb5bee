// mask-at-rest: hides the secrets of a run that this process does not work on, in what a person writes for its record (spec 3.5, 4.2).
//   A1. Known are those that its documents declare, as far as they can be had here, and those that the asking run and the runs around it
//       have fetched. What cannot be had or opened keeps nobody from answering.

import { createSealer, keyFor } from "../../nodes/index.ts";
import type { Store } from "../../store/index.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { type Answer, aroundOf, type Mask } from "../answer.ts";
import type { Pending } from "../pending.ts";
import { learnSealed } from "./files.ts";
import { type RunSecrets, type SecretGround, secretsAtHand } from "./secrets.ts";

interface Ground extends Pick<SecretGround, "home" | "env" | "envFile" | "asked"> {
  store: Store;
  /** The declared ones, when they were found before. They learn what was fetched. */
  found?: RunSecrets | undefined;
}

export async function maskAtRest(pending: Pending, answer: Answer, ground: Ground): Promise<Mask> {
  const isWritten = answer.grant ? answer.edited !== undefined : answer.reason !== "";
  if (!isWritten) return (text) => text;
  const secrets = ground.found ?? (await declaredOf(pending, ground));
  if (secrets === undefined) return (text) => text;
  const { store, home } = ground;
  for (const run of [pending.asker.id, ...aroundOf(pending.asker, store)]) {
    const folder = store.outputs.folder(run);
    const sealer = () => {
      const key = keyFor("sealed-values", home, "only-look");
      if (!key.ok) throw new Error(key.error.message);
      return createSealer(key.value, run);
    };
    if (folder.ok) learnSealed(folder.value, { masker: secrets.masker, lenient: true, sealer });
  }
  return (text) => secrets.masker.mask(text);
}

async function declaredOf({ run }: Pending, ground: Ground): Promise<RunSecrets | undefined> {
  const events = ground.store.journal.read(run.id, 1, 1);
  const [started] = events.ok ? events.value : [];
  if (started?.type !== "run.started") return undefined;
  const { text, file } = started.workflow;
  const { workflow } = parseWorkflow(text, file);
  return workflow && secretsAtHand({ ...ground, file, workflow, subflows: started.subflows ?? {} });
}
