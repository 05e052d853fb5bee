// Reads and changes config.yaml: how long runs are kept, and the model providers (spec 2.3, 2.7;
// docs/reference/language-models.md).
//   E1. API keys are not accepted here, only the name of the secret that has the key.
//       `PUT /secrets/{name}` sets the key.
//   E2. A change that would make config.yaml invalid is rejected as a whole (secrets/change-config.ts).

import type { ProviderTest, Settings } from "../../api/shapes.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { knownProviders, modelsOf as modelsThere } from "../../kinds/llm/index.ts";
import { type ConfigChange, changeConfig } from "../../secrets/change-config.ts";
import { readHistoryLimits } from "../../secrets/config.ts";
import { PROVIDER_TYPES, readModelConfig } from "../../secrets/models.ts";
import { findSecrets } from "../../secrets/sources.ts";
import { isSecretName } from "../../secrets/value.ts";
import { lookForSecrets } from "../../secrets/where.ts";
import { type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { failureProblem, problem, withoutHome } from "../problem.ts";
import { memberOf } from "./body-text.ts";

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
    return json({ ok: false, problem: message, ...(hint === undefined ? {} : { hint }) } satisfies ProviderTest);
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
      ...(keepMs === undefined ? {} : { days: Math.round((keepMs / DAY_MS) * 100) / 100 }),
      ...(maxRuns === undefined ? {} : { runs: maxRuns }),
    },
    providers: knownProviders(models.value, env).map(({ name, from, type, url, keys, needsKey }) => {
      const secret = keys.find((key) => looked.of(key, [folder]).source !== undefined);
      return {
        ...{ name, type, from, key: secret !== undefined ? "set" : needsKey ? "missing" : "none" },
        ...(url === undefined ? {} : { baseURL: withoutLogin(url) }),
        ...((secret ?? keys[0]) === undefined ? {} : { secret: secret ?? keys[0] }),
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
function changesIn(body: unknown): Result<ConfigChange[], string> {
  if (!isObject(body)) return err('It takes { "retention": …, "providers": … }, each of which may be left out.');
  const stray = Object.keys(body).find((key) => key !== "retention" && key !== "providers");
  if (stray !== undefined) return err(`There is no setting "${stray}"; there are retention and providers.`);
  const [retention, providers] = [retentionIn(memberOf(body, "retention")), providersIn(memberOf(body, "providers"))];
  if (!retention.ok) return retention;
  return providers.ok ? ok([...retention.value, ...providers.value]) : providers;
}

function retentionIn(given: unknown): Result<ConfigChange[], string> {
  if (given === undefined) return ok([]);
  const need = '"retention" is { "days": NUMBER or null, "runs": NUMBER or null }, whole numbers from 1.';
  if (!isObject(given) || Object.keys(given).some((key) => key !== "days" && key !== "runs")) return err(need);
  const changes: ConfigChange[] = [];
  for (const [name, setting, write] of [
    ["days", "keep", (days: number) => `${days}d`],
    ["runs", "maxRuns", (runs: number) => runs],
  ] as const) {
    const value = given[name];
    if (value === null) changes.push([["history", setting], undefined]);
    else if (Number.isSafeInteger(value) && (value as number) >= 1)
      changes.push([["history", setting], write(value as number)]);
    else if (value !== undefined) return err(need);
  }
  return ok(changes);
}

function providersIn(given: unknown): Result<ConfigChange[], string> {
  if (given === undefined) return ok([]);
  if (!isObject(given)) return err('"providers" is a map: a name, and { "type", "baseURL", "secret" } or null.');
  const changes: ConfigChange[] = [];
  for (const [name, value] of Object.entries(given)) {
    const path = ["llm", "providers", name];
    if (value === null) changes.push([path, undefined]);
    else {
      const provider = providerIn(name, value);
      if (!provider.ok) return provider;
      // Change single members, so that other settings and comments are kept.
      for (const [member, said] of provider.value) changes.push([[...path, member], said]);
    }
  }
  return ok(changes);
}

function providerIn(name: string, value: unknown): Result<[member: string, value: string | undefined][], string> {
  if (!isObject(value) || Object.keys(value).some((key) => !["type", "baseURL", "secret"].includes(key)))
    return err(`"${name}" is { "type", "baseURL", "secret" }, or null.`);
  const { type, baseURL, secret } = value;
  if (!PROVIDER_TYPES.includes(type as never))
    return err(`"type" of "${name}" is one of ${PROVIDER_TYPES.join(", ")}.`);
  if (baseURL !== undefined && (typeof baseURL !== "string" || !isWebAddress(baseURL)))
    return err(`"baseURL" of "${name}" is an address such as https://llm.example.com/v1.`);
  if (secret !== undefined && (typeof secret !== "string" || !isSecretName(secret)))
    return err(`"secret" of "${name}" is the name of a secret, such as WORK_LLM_KEY; not a key.`);
  return ok([
    ["type", type as string],
    ["baseURL", baseURL],
    ["apiKey", secret === undefined ? undefined : `\${${secret}}`],
  ]);
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
