// The shape of config.yaml, by section (spec 2.7, 4.2). config.ts shows an example and reads the file.
//   S1. A message never repeats a value, because it may be a secret.

import * as z from "zod/mini";
import { parseDuration } from "../base/duration.ts";
import { limits } from "../base/limits.ts";
import { isSecretName } from "./value.ts";

export const PROVIDER_TYPES = ["openai-compatible", "openai", "anthropic", "google"] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** `says` continues a sentence that begins with the setting's name. */
function setting<T>(says: string, test: (value: unknown) => boolean) {
  return z.custom<T>(test, says);
}

function text(says: string, test: (value: string) => boolean = (value) => value !== "") {
  return setting<string>(says, (value) => typeof value === "string" && test(value));
}

function object<S extends z.core.$ZodShape>(shape: S, says: string) {
  const known = `Known settings: ${Object.keys(shape).join(", ")}`;
  return z.strictObject(shape, { error: ({ code }) => (code === "unrecognized_keys" ? known : says) });
}

function named<V extends z.core.$ZodType>(isName: (name: string) => boolean, names: string, value: V, says: string) {
  const error = ({ code }: { code?: string }) => (code === "invalid_key" ? `is not a valid name. Use ${names}` : says);
  return z.record(z.string().check(z.refine(isName)), value, { error });
}

function time(says: string) {
  const millis = (value: unknown) => {
    const parsed = parseDuration(String(value));
    return parsed.ok ? parsed.value : 0;
  };
  return z.pipe(
    setting(says, (value) => millis(value) > 0),
    z.transform(millis),
  );
}

function isWord(word: unknown): word is string {
  return typeof word === "string" && !word.includes("\0");
}

const KEYCHAIN = "must be { service: TEXT, account: TEXT }";
const WAYS =
  'must be one of { command: [PROGRAM, …] }, { command: "…" }, { env: NAME }, { keychain: { service, account } }';
const COMMAND = "must be a list of strings, the program first, or one string for the shell";

const source = z.pipe(
  object(
    {
      command: z.optional(
        setting<string | string[]>(COMMAND, (value) =>
          Array.isArray(value)
            ? value.length > 0 && value[0] !== "" && value.every(isWord)
            : isWord(value) && value.trim() !== "",
        ),
      ),
      env: z.optional(text("must be the name of an environment variable", (name) => /^[^=\0]+$/.test(name))),
      keychain: z.optional(object({ service: text("must be a string"), account: text("must be a string") }, KEYCHAIN)),
      timeout: z.optional(time("must be a duration such as 30s")),
    },
    WAYS,
  ).check(
    z.refine(({ timeout: _, ...ways }) => Object.keys(ways).length === 1, WAYS),
    z.refine(({ command, timeout }) => command !== undefined || timeout === undefined, {
      error: "is only for a command",
      path: ["timeout"],
    }),
  ),
  z.transform(({ command, env, keychain, timeout: timeoutMs = limits.secretCommandTimeoutMs }) => {
    if (command !== undefined)
      return { kind: "command" as const, argv: [command].flat(), shell: typeof command === "string", timeoutMs };
    if (env !== undefined) return { kind: "env" as const, name: env };
    return { kind: "keychain" as const, ...keychain! };
  }),
);

const price = setting<number>(
  "must be US dollars per million tokens",
  (value) => Number.isFinite(value) && Number(value) >= 0,
);

const provider = object(
  {
    type: z.enum(PROVIDER_TYPES, `must be one of ${PROVIDER_TYPES.join(", ")}`),
    baseURL: z.optional(text("must be a URL such as https://llm.example.com/v1", (url) => URL.canParse(url))),
    /** The name of the secret. */
    apiKey: z.optional(
      z.pipe(
        text("must name a secret, as in ${OPENAI_API_KEY}, not the key itself", (name) =>
          /^\$\{[A-Za-z_]\w*\}$/.test(name),
        ),
        z.transform((name) => name.slice(2, -1)),
      ),
    ),
    structuredOutputs: z.optional(z.boolean("must be true or false")),
  },
  "must be an object",
).check(z.refine(({ type, baseURL }) => type !== "openai-compatible" || baseURL !== undefined, "needs a baseURL"));

const HOSTS = "must be a string, or a list of strings";
const hosts = z.union(
  [
    z.string(),
    z.pipe(
      z.array(z.string()),
      z.transform((all) => all.join(",")),
    ),
  ],
  HOSTS,
);

function isPlainUrl(value: string): boolean {
  const {
    protocol = "",
    search,
    hash,
    username,
    password,
  } = URL.canParse(value) ? new URL(value) : ({} as Partial<URL>);
  return /^https?:$/.test(protocol) && !search && !hash && !username && !password;
}

export const CONFIG = object(
  {
    secrets: z.nullish(named(isSecretName, "letters, digits, and underscores", source, "must be an object")),
    keyring: z.optional(z.literal(["on", "off", true, false], "must be on or off")),
    llm: z.optional(
      object(
        {
          model: z.optional(
            text("must be provider/model, such as openai/gpt-5", (model) => /^[A-Za-z0-9][\w.-]*\/\S+$/.test(model)),
          ),
          providers: z.optional(
            named(
              (name) => /^[A-Za-z0-9][\w.-]*$/.test(name),
              'letters, digits, ".", "_", and "-"',
              provider,
              "must be { NAME: { type, baseURL, apiKey } }",
            ),
          ),
          prices: z.optional(
            z.record(
              z.string(),
              object({ input: price, output: price }, "must be { input, output } in US dollars per million tokens"),
              "must be { PROVIDER/MODEL: { input, output } }",
            ),
          ),
        },
        "must be { providers: { NAME: { type, baseURL, apiKey } }, prices: { PROVIDER/MODEL: { input, output } }, model: PROVIDER/MODEL }",
      ),
    ),
    auth: z.optional(
      z.record(
        z.string(),
        z.catchall(
          z.object({ type: text("must be a string"), hosts: z.optional(hosts) }, "must be an object with a type"),
          z.string("must be a string"),
        ),
        "must be { NAME: { type, … } }",
      ),
    ),
    history: z.optional(
      object(
        {
          keep: z.optional(time("must be a time such as 90d")),
          maxRuns: z.optional(
            setting<number>(
              "must be a number such as 10000",
              (value) => Number.isSafeInteger(value) && Number(value) > 0,
            ),
          ),
        },
        "must be { keep: TIME, maxRuns: NUMBER }, such as { keep: 90d, maxRuns: 10000 }",
      ),
    ),
    trust: z.optional(z.enum(["imported", "all-new"], "must be imported or all-new")),
    publicHooksUrl: z.optional(
      z.pipe(
        text("must be a URL such as https://hooks.example.com", isPlainUrl),
        z.transform((url) => new URL(url).href.replace(/\/+$/, "")),
      ),
    ),
    db: z.optional(
      text("must be a URL such as postgres://curlew@db.internal/curlew", (url) => /^postgres(ql)?:\/\//.test(url)),
    ),
    labels: z.optional(
      setting<string[]>(
        "must be a list of strings, such as [gpu, eu]",
        (value) => Array.isArray(value) && value.every((label) => typeof label === "string" && label !== ""),
      ),
    ),
  },
  "must be an object",
);

export type Config = z.infer<typeof CONFIG>;
export type Source = z.infer<typeof source>;
export type Provider = z.infer<typeof provider>;
export type Price = { input: number; output: number };
