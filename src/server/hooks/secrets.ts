// The secrets that verify a hook's deliveries, looked up where the document's secrets are (spec 4.2).
//   K1. A source is asked at most once per limits.hookSecretMs and hook, however many requests come. After a mismatch,
//       or if there was no secret, it is asked a little earlier, so that a new secret is soon known.
//   K2. Each line of a value is a secret: while a sender changes over, the old and the new one are valid.
//   K3. The kept part of a delivery is masked for these secrets, because some senders repeat them in the body.

import { dirname } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { createMasker, type Masker } from "../../secrets/masker.ts";
import { findSecrets } from "../../secrets/sources.ts";
import type { WebhookTrigger } from "../../workflow/triggers/index.ts";
import type { ActiveTrigger } from "../triggers/active-trigger.ts";

interface Deps {
  home: string;
  env: NodeJS.ProcessEnv;
  warn(warning: Failure): void;
  nowMs(): number;
}

interface Kept {
  atMs: number;
  found: Promise<Result<string[], Failure>>;
  trouble?: Failure;
  masker?: Masker;
}

const NOTHING_TO_MASK = createMasker();

export class HookSecrets {
  private readonly deps: Deps;
  private readonly kept = new Map<string, Kept>();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /** `again`: the known secret did not match. Failures: `secret-missing`, secret-*, config-*. */
  of({ id, file, trigger }: ActiveTrigger<WebhookTrigger>, again = false): Promise<Result<string[], Failure>> {
    const before = this.kept.get(id);
    const ageMs = before === undefined ? Number.POSITIVE_INFINITY : this.deps.nowMs() - before.atMs;
    const soon = again || before?.trouble !== undefined;
    if (before !== undefined && ageMs < (soon ? limits.hookSecretAgainMs : limits.hookSecretMs)) return before.found;
    const found = this.find(file, trigger.secret ?? "");
    const kept: Kept = { atMs: this.deps.nowMs(), found };
    this.kept.set(id, kept);
    void found.then((result) => {
      if (!result.ok) kept.trouble = result.error;
    });
    return found;
  }

  /** K3. For a delivery that was verified with the current secrets. */
  async masker({ id }: ActiveTrigger<WebhookTrigger>): Promise<Masker> {
    const kept = this.kept.get(id);
    const found = await kept?.found;
    if (kept === undefined || found?.ok !== true) return NOTHING_TO_MASK;
    kept.masker ??= createMasker(new Map(found.value.map((secret, line) => [`${line}`, secret])));
    return kept.masker;
  }

  /** Why the last delivery could not be verified. */
  trouble(id: string): Failure | undefined {
    return this.kept.get(id)?.trouble;
  }

  private async find(file: string, name: string): Promise<Result<string[], Failure>> {
    const { home, env, warn } = this.deps;
    const found = await findSecrets([name], {
      asked: {},
      envFile: {},
      environment: env,
      folder: dirname(file),
      home,
      warn,
    });
    if (!found.ok) return found;
    const secrets = (found.value.values.get(name) ?? "").split(/\r?\n/).filter((line) => line !== "");
    if (secrets.length > 0) return ok(secrets);
    return err({
      code: "secret-missing",
      message: `The secret ${name} is not set, so Curlew can't check deliveries.`,
      hint: `Save it with "curlew secrets set ${name}", or set ${name} in the environment of the server.`,
    });
  }
}
