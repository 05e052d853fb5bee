// Reads and changes config.yaml: how long runs are kept, and the model providers (spec 2.3, 2.7;
// docs/reference/language-models.md).
//   E1. API keys are not accepted here, only the name of the secret that has the key.
//       `PUT /secrets/{name}` sets the key.
//   E2. A change that would make config.yaml invalid is rejected as a whole (secrets/change-config.ts).

import type { ProviderTest, Settings, SettingsChange } from "../../api/shapes.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { knownProviders, modelsOf as modelsThere } from "../../kinds/llm/index.ts";
import { type ConfigChange, changeConfig } from "../../secrets/change-config.ts";
import { readHistoryLimits, readModelConfig } from "../../secrets/config.ts";
import { PROVIDER_TYPES } from "../../secrets/config-shape.ts";
import { findSecrets } from "../../secrets/sources.ts";
import { isSecretName } from "../../secrets/value.ts";
import { lookForSecrets } from "../../secrets/where.ts";
import { type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { failureProblem, problem, withoutHome } from "../problem.ts";

export const settingsRoutes = {
  "GET /settings": async (_call, context) => settingsOf(context),

  "PUT /settings": async ({ body }, context) => {
    const changes = changesIn(body);
    if (!changes.ok) return problem("bad-body", { detail: changes.error });
    const changed = await changeConfig(context.home, changes.value);
    if (!changed.ok) return failureProblem(withoutHome(changed.error, context.home), 409);
    context.log.info({ paths: changes.value.map(([path]) => path.join(".")) }, "settings were changed");
    return settingsOf(context);
  },

  "POST /settings/providers/{name}/test": async ({ params: { name } }, context) => {
    const { home, env: environment, folder } = context;
    const models = await readModelConfig(home);
    if (!models.ok) return failureProblem(withoutHome(models.error, context.home), 409);
    const provider = knownProviders(models.value, environment).find((known) => known.name === name);
    if (provider === undefined) return problem("not-found", { detail: `There is no model provider ${name}.` });
    const deps = { asked: {}, envFile: {}, environment, folder, home, warn: () => {} };
    const keys = await findSecrets(provider.keys, deps);
    const key = keys.ok ? provider.keys.map((each) => keys.value.values.get(each)).find(Boolean) : undefined;
    const found = keys.ok ? await modelsThere(provider, key) : keys;
    if (found.ok) return json({ ok: true, models: found.value } satisfies ProviderTest);
    const { message, hint } = withoutHome(found.error, context.home);
    return json({ ok: false, problem: message, hint } satisfies ProviderTest);
  },
} satisfies Partial<Handlers>;

const DAY_MS = 86_400_000;

async function settingsOf(context: ServerContext): Promise<Response> {
  const { home, env, folder, log } = context;
  const [history, models] = [await readHistoryLimits(home), await readModelConfig(home)];
  if (!history.ok) return failureProblem(withoutHome(history.error, context.home), 409);
  if (!models.ok) return failureProblem(withoutHome(models.error, context.home), 409);
  const warn = ({ code }: { code: string }) => log.warn({ code }, "about secrets");
  const looked = await lookForSecrets({ environment: env, home, warn });
  const { keepMs, maxRuns } = history.value;
  return json({
    retention: {
      days: keepMs && Math.round((keepMs / DAY_MS) * 100) / 100,
      runs: maxRuns,
    },
    providers: knownProviders(models.value, env).map(({ name, from, type, url, keys, needsKey }) => {
      const secret = keys.find((key) => looked.of(key, [folder]).source !== undefined);
      return {
        ...{ name, type, from, key: secret !== undefined ? "set" : needsKey ? "missing" : "none" },
        baseURL: url && withoutLogin(url),
        secret: secret ?? keys[0],
      };
    }),
  } as Settings);
}

/** A URL from the environment may contain a password. */
function withoutLogin(address: string): string {
  const url = URL.parse(address);
  if (url === null || (url.username === "" && url.password === "")) return address;
  url.username = "";
  url.password = "";
  return url.href;
}

/** The error is a sentence about the body. */
function changesIn({ retention = {}, providers = {} }: SettingsChange): Result<ConfigChange[], string> {
  const changes: ConfigChange[] = [];
  const { days, runs } = retention;
  if (days !== undefined) changes.push([["history", "keep"], days === null ? undefined : `${days}d`]);
  if (runs !== undefined) changes.push([["history", "maxRuns"], runs ?? undefined]);
  for (const [name, provider] of Object.entries(providers)) {
    const path = ["llm", "providers", name];
    const wrong = provider === null ? undefined : problemOf(name, provider);
    if (wrong !== undefined) return err(wrong);
    if (provider === null) changes.push([path, undefined]);
    // Change single members, so that other settings and comments are kept.
    else {
      const { type, baseURL, secret } = provider;
      const apiKey = secret === undefined ? undefined : `\${${secret}}`;
      for (const [member, said] of Object.entries({ type, baseURL, apiKey })) changes.push([[...path, member], said]);
    }
  }
  return ok(changes);
}

type Provider = NonNullable<NonNullable<SettingsChange["providers"]>[string]>;

function problemOf(name: string, { type, baseURL, secret }: Provider): string | undefined {
  if (!PROVIDER_TYPES.includes(type as never))
    return `"type" of "${name}" must be one of ${PROVIDER_TYPES.join(", ")}.`;
  if (baseURL !== undefined && !isWebAddress(baseURL))
    return `"baseURL" of "${name}" must be a URL such as https://llm.example.com/v1.`;
  if (secret !== undefined && !isSecretName(secret))
    return `"secret" of "${name}" must be the name of a secret, such as WORK_LLM_KEY, not a key.`;
  return undefined;
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}
