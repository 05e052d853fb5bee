// secrets (hooks): what a hook's deliveries are checked with, looked for where secrets of its document are (spec 4.2).
//   K1. A source is asked at most every limits.hookSecretMs for one hook, whoever knocks; after a mismatch, or when there was none, a little
//       earlier, so that a secret that was set or replaced is known soon.
//   K2. A value of several lines is several secrets: the old and the new one count while a sender changes over.
//   K3. What is kept of a delivery is masked for them: some senders say in the body what they were given.

import { dirname } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { createMasker, type Masker } from "../../secrets/masker.ts";
import { findSecrets } from "../../secrets/sources.ts";
import type { WebhookTrigger } from "../../workflow/triggers.ts";
import type { Armed } from "../triggers/armed.ts";

interface Ground {
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
  private readonly ground: Ground;
  private readonly kept = new Map<string, Kept>();

  constructor(ground: Ground) {
    this.ground = ground;
  }

  /** `again`: what is known did not fit. Failures: `secret-missing`, secret-*, config-*. */
  of({ id, file, trigger }: Armed<WebhookTrigger>, again = false): Promise<Result<string[], Failure>> {
    const before = this.kept.get(id);
    const ageMs = before === undefined ? Number.POSITIVE_INFINITY : this.ground.nowMs() - before.atMs;
    const soon = again || before?.trouble !== undefined;
    if (before !== undefined && ageMs < (soon ? limits.hookSecretAgainMs : limits.hookSecretMs)) return before.found;
    const found = this.find(file, trigger.secret ?? "");
    const kept: Kept = { atMs: this.ground.nowMs(), found };
    this.kept.set(id, kept);
    void found.then((result) => {
      if (!result.ok) kept.trouble = result.error;
    });
    return found;
  }

  /** K3. For a delivery that was verified with what is known now. */
  async masker({ id }: Armed<WebhookTrigger>): Promise<Masker> {
    const kept = this.kept.get(id);
    const found = await kept?.found;
    if (kept === undefined || found?.ok !== true) return NOTHING_TO_MASK;
    kept.masker ??= createMasker(new Map(found.value.map((secret, line) => [`${line}`, secret])));
    return kept.masker;
  }

  /** What kept the last delivery from being checked. */
  trouble(id: string): Failure | undefined {
    return this.kept.get(id)?.trouble;
  }

  private async find(file: string, name: string): Promise<Result<string[], Failure>> {
    const { home, env, warn } = this.ground;
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
      message: `The secret ${name} is not set, so that no delivery can be checked.`,
      hint: `Save it with "curlew secrets set ${name}", or set ${name} in the environment of the server.`,
    });
  }
}
