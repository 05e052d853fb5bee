// auth-config: entries of `auth:` in config.yaml for calls outside nodes (spec 3.6). They use the same entries and
// token broker as nodes. Loaded only by the few calls that need it.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { filledIn, valuesFor } from "../../kinds/auth.ts";
import { renderTemplate } from "../../kinds/template.ts";
import type { CurlAuth } from "../../process/curl-config.ts";
import { readAuthConfig } from "../../secrets/config.ts";
import { createBroker } from "../../secrets/tokens/broker.ts";
import { homeFolder, userHome } from "../home.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Tokens that this process requested. A server that rejects one of them would reject the next as well. */
const requested = new Set<string>();

/** `rejected`: a token that a server answered with 401, to be replaced. */
export async function configuredAuth(name: string, env: Env, rejected?: string): Promise<Result<CurlAuth, Failure>> {
  const home = homeFolder({ env, cwd: process.cwd(), platform: process.platform, userHome: userHome() });
  const config = await readAuthConfig(home);
  if (!config.ok) return config;
  const fields = config.value.get(name)?.fields;
  if (fields === undefined) {
    const hint = `auth: { ${name}: { type: bearer, token: "\${TOKEN}" } }, or --auth bearer=TOKEN`;
    return err({ code: "auth-unknown", message: `config.yaml has no auth entry "${name}".`, hint });
  }
  const values = await valuesFor(fields, { secrets: new Map(), environment: env }, home);
  if (!values.ok) return values;
  const render = (text: string) =>
    renderTemplate(text, ({ root }) => (values.value.has(root) ? ok(values.value.get(root)!) : undefined));
  const signIn = await filledIn({ name, fields, isConfigured: true }, render, process.cwd(), () => {});
  if (!signIn.ok) return signIn;
  if ("auth" in signIn.value) return ok(signIn.value.auth);
  const broker = await createBroker({ home, environment: env, warn: () => {}, nowMs: () => Date.now() });
  if (!broker.ok) return broker;
  const wanted = { grant: signIn.value.grant, mask: (text: string) => text, learn: () => {} };
  if (rejected !== undefined && !requested.has(rejected)) {
    const dropped = await broker.value.refused(wanted, rejected);
    if (!dropped.ok) return dropped;
  }
  const token = await broker.value.token(wanted);
  if (!token.ok) return token;
  if (token.value.isNew) requested.add(token.value.access);
  return ok({ type: "bearer", token: token.value.access });
}
