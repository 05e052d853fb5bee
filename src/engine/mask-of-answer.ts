// mask-of-answer: masks a run's secrets in what a person writes, whether or not this process drives the run (spec 3.5,
// 4.2).
//   A1. If an engine of this process drives the run, its secrets are used. Otherwise those that the workflows declare
//       and that are available here, and those that the run and its enclosing runs have fetched. An unavailable secret
//       does not prevent an answer.
//   A2. Stored tokens are masked too, whichever process fetched them.

import { tokensAtHand } from "../kinds/index.ts";
import { keyFor } from "../secrets/home-key.ts";
import { createMasker } from "../secrets/masker.ts";
import { createSealer } from "../secrets/sealed.ts";
import type { Store } from "../store/index.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { type Mask, outerRunsOf } from "./answer.ts";
import type { Pending } from "./pending.ts";
import { learnSealed } from "./run-files.ts";
import { type RunSecrets, type SecretDeps, secretsAtHand } from "./run-secrets.ts";

interface Deps extends Pick<SecretDeps, "home" | "env" | "envFile" | "asked"> {
  store: Store;
  /** The declared secrets, if already looked up. Fetched secrets are added to them. */
  found?: RunSecrets | undefined;
  /** The mask of the engine that drives the run. */
  working?: Mask | undefined;
}

export async function maskForAnswer(pending: Pending, deps: Deps): Promise<Mask> {
  if (deps.working !== undefined) return maskAtWork(deps.working, deps);
  const masker = await maskerAtRest(pending, deps);
  masker.learn(await tokensAtHand({ home: deps.home, environment: deps.env }));
  return (text) => masker.mask(text);
}

/** `working`: the mask of the engine that drives the run. */
export async function maskAtWork(working: Mask, { home, env }: Pick<Deps, "home" | "env">): Promise<Mask> {
  const masker = createMasker();
  masker.learn(await tokensAtHand({ home, environment: env }));
  return (text) => masker.mask(working(text));
}

async function maskerAtRest(pending: Pending, deps: Deps) {
  const { store, home } = deps;
  const { masker } = deps.found ?? (await declaredOf(pending, deps)) ?? { masker: createMasker() };
  for (const run of [pending.asker.id, ...(await outerRunsOf(pending.asker, store))]) {
    const folder = store.outputs.folder(run);
    const sealer = () => {
      const key = keyFor("sealed-values", home, "only-look");
      if (!key.ok) throw new Error(key.error.message);
      return createSealer(key.value, run);
    };
    if (folder.ok) learnSealed(folder.value, { masker, lenient: true, sealer });
  }
  return masker;
}

async function declaredOf({ run }: Pending, deps: Deps): Promise<RunSecrets | undefined> {
  const events = await deps.store.journal.read(run.id, 1, 1);
  const [started] = events.ok ? events.value : [];
  if (started?.type !== "run.started") return undefined;
  const { text, file } = started.workflow;
  const { workflow } = parseWorkflow(text, file);
  return workflow && secretsAtHand({ ...deps, file, workflow, subflows: started.subflows ?? {} });
}
