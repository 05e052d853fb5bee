// auth-config: entries of `auth:` in config.yaml for calls outside nodes (spec 3.6). They use the same entries and
// token broker as nodes. A separate file in dist/, because few calls need it.

import { homedir } from "node:os";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { filledIn, valuesFor } from "../../kinds/auth.ts";
import { renderTemplate } from "../../kinds/template.ts";
import type { CurlAuth } from "../../process/curl-config.ts";
import { createBroker } from "../../secrets/tokens/broker.ts";
import { readAuthConfig } from "../../secrets/tokens/config-auth.ts";
import { homeFolder } from "../home.ts";

/** The same code as in auth.ts for a node. */
const UNKNOWN = "auth-unknown";

/** Tokens that this process requested. */
const came = new Set<string>();

type Env = Readonly<Record<string, string | undefined>>;

/** A failure is returned, not thrown: this file and its caller are separate bundles with their own error classes. */
export function configuredAuth(name: string, env: Env, refused?: string): Promise<Result<CurlAuth, Failure>> {
  const home = homeFolder({ env, cwd: process.cwd(), platform: process.platform, userHome: homedir() });
  return entryNamed(name, home, env, refused);
}

/**
 * `refused`: a token that was rejected and must not be returned again. A token requested by this call is kept, because
 * a new one would be rejected too.
 */
async function entryNamed(name: string, home: string, env: Env, refused?: string): Promise<Result<CurlAuth, Failure>> {
  const config = await readAuthConfig(home);
  if (!config.ok) return config;
  const entry = config.value.get(name);
  if (entry === undefined) return err(unknown(name));
  const values = await valuesFor(entry.fields, { secrets: new Map(), environment: env }, home);
  if (!values.ok) return values;
  const render = (text: string) => renderTemplate(text, ({ root }) => given(values.value.get(root)));
  const signIn = await filledIn({ name, fields: entry.fields, isConfigured: true }, render, process.cwd(), () => {});
  if (!signIn.ok) return signIn;
  if ("auth" in signIn.value) return ok(signIn.value.auth);
  const broker = await createBroker({ home, environment: env, warn: () => {}, nowMs: () => Date.now() });
  if (!broker.ok) return broker;
  const asked = { grant: signIn.value.grant, mask: (text: string) => text, learn: () => {} };
  let token = await broker.value.token(asked);
  if (token.ok && token.value.access === refused && !came.has(refused)) {
    const dropped = await broker.value.refused(asked, refused);
    token = dropped.ok ? await broker.value.token(asked) : dropped;
  }
  if (token.ok && token.value.isNew) came.add(token.value.access);
  return token.ok ? ok({ type: "bearer", token: token.value.access }) : token;
}

function given(value: string | undefined): Result<string, Failure> | undefined {
  return value === undefined ? undefined : ok(value);
}

function unknown(name: string): Failure {
  const hint = `auth: { ${name}: { type: bearer, token: "\${TOKEN}" } }, or --auth bearer=TOKEN`;
  return { code: UNKNOWN, message: `config.yaml has no auth entry "${name}".`, hint };
}
