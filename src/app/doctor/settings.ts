// Checks config.yaml and where the key of the local secrets is (spec 2.2, 4.2). Nothing is
// unlocked, and no keyring is opened.
//   T1. No check may make a desktop prompt for a password. Whether a keyring works is found out when it is used.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fieldProblem } from "../../kinds/auth.ts";
import { configProblems, readSecretConfig } from "../../secrets/config.ts";
import { keyringIsOff } from "../../secrets/keyring.ts";
import { isInUse } from "../../secrets/store-key.ts";
import { type Check, finding, passed } from "./check.ts";

type Env = Readonly<Record<string, string | undefined>>;

export async function settingsChecks(home: string, env: Env): Promise<Check[]> {
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() === false) return [];
  const config = await readSecretConfig(home);
  const off = keyringIsOff(env) || (config.ok && config.value.keyringOff);
  return [...(await configChecks(home)), keyCheck(home, off, env)];
}

async function configChecks(home: string): Promise<Check[]> {
  const what = "config";
  const problems = await configProblems(home, fieldProblem);
  if (problems.length > 0)
    return problems.map(({ code, message, hint }) => ({
      ...{ what, status: "wrong", code, message },
      help: hint ?? "docs/reference/secrets.md says what config.yaml may hold.",
    }));
  const file = join(home, "config.yaml");
  return existsSync(file) ? [passed(what, file)] : [];
}

/** T1. */
function keyCheck(home: string, off: boolean, env: Env): Check {
  const what = "keyring";
  const reach = off ? "is switched off" : desktop(env);
  if (!isInUse(home)) {
    const message =
      reach === undefined
        ? "The desktop keyring can store the key of local secrets."
        : `The desktop keyring ${reach}; the key of local secrets is in a file of the data directory.`;
    return passed(what, message);
  }
  if (existsSync(join(home, "secrets.key")))
    return passed(what, "The key of the local secrets is in the home, closed to others.");
  if (reach === undefined) return passed(what, "The desktop keyring stores the key of local secrets.");
  return finding("wrong", what, "secret-store-key-missing", [
    `There are local secrets, their key is not in the home, and the desktop keyring ${reach}.`,
    "Where the secrets were saved with a keyring, use them in a desktop session; or bring secrets.key back from a backup.",
  ]);
}

/** Why the keyring cannot be used, as far as the environment shows. */
function desktop(env: Env): string | undefined {
  if (process.platform !== "linux") return undefined;
  return (env.DBUS_SESSION_BUS_ADDRESS ?? "") !== "" || existsSync(`/run/user/${process.getuid?.()}/bus`)
    ? undefined
    : "can't be reached, because there is no session bus";
}
