// orphan-result: records the end of a command while no engine is connected (spec 3.4, 4.2).
//   U1. Output for a secret Variable is sealed as the engine seals it. None of it is in the record.
//   U2. A sealed file is complete or absent, and durable before the record that names it.

import { join } from "node:path";
import { keyFor } from "../../secrets/home-key.ts";
import { createSealer } from "../../secrets/sealed.ts";
import type { CommandEnd, Order } from "./orders.ts";
import { writeEnd } from "./runner-dir.ts";
import { writeFileWhole } from "./whole-file.ts";

/** Throws if it cannot be written, or if there is no key for sealing. */
export function writeOrphanResult({ folder, stem, run }: Order, end: CommandEnd, home: string): void {
  const { secret, ...rest } = end;
  if (secret?.printed === undefined) {
    writeEnd(folder, stem, end);
    return;
  }
  const name = `${stem}-out.sealed`;
  const key = keyFor("sealed-values", home);
  if (!key.ok) throw new Error(key.error.message);
  const sealed = createSealer(key.value, run).seal(name, secret.printed, "secret");
  writeFileWhole(join(folder, name), sealed);
  const { printed: _, ...told } = secret;
  writeEnd(folder, stem, { ...rest, secret: { ...told, sealed: name } });
}
