// auth-config: `auth:` of config.yaml in the home, for calls outside of nodes (spec 2.7). Values are ${NAME} of the environment.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { CurlAuth } from "../../process/curl-config.ts";
import { homeFolder } from "../home.ts";
import { usage } from "./problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function configuredAuth(name: string, env: Env): CurlAuth {
  const entry = entriesOf(join(homeHere(env), "config.yaml"))[name];
  if (typeof entry !== "object" || entry === null)
    throw usage(
      "auth-unknown",
      `config.yaml has no auth entry "${name}".`,
      `auth: { ${name}: { type: bearer, token: "\${TOKEN}" } }, or --auth bearer=TOKEN`,
    );
  const fields = Object.entries(entry).map(([field, value]) => [
    field,
    field === "type" ? value : filled(String(value), env),
  ]);
  const auth = Object.fromEntries(fields) as CurlAuth;
  if (["bearer", "basic", "header", "netrc"].includes(auth.type)) return auth;
  throw usage(
    "auth-unsupported",
    `"curlew http" cannot sign in by ${String(auth.type)} outside of a node.`,
    "In a workflow: auth: on the node.",
  );
}

function entriesOf(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {};
  }
  try {
    return (parse(text) as { auth?: Record<string, unknown> } | null)?.auth ?? {};
  } catch {
    throw usage("config-invalid", `${file} is no YAML.`, "curlew doctor shows where.");
  }
}

function filled(text: string, env: Env): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const value = env[name];
    if (value === undefined)
      throw usage("auth-variable-missing", `The variable ${name}, which config.yaml names, is not set.`);
    return value;
  });
}

function homeHere(env: Env): string {
  return homeFolder({ env, cwd: process.cwd(), platform: process.platform, userHome: homedir() });
}
