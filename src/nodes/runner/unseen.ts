// unseen: the end of a command that no engine saw, on disk for whoever goes on with its run (spec 3.4, 4.2).
//   U1. What a secret Variable was to take is sealed as the engine seals it; nothing of it stands in the record.
//   U2. A sealed file is whole or not there, as the engine's, and on disk for good before the end that names it.

import { join } from "node:path";
import { keyFor } from "../../secrets/home-key.ts";
import { createSealer } from "../../secrets/sealed.ts";
import { writeWhole } from "../whole-file.ts";
import type { KeptEnd, Order } from "./orders.ts";
import { writeEnd } from "./places.ts";

/** Throws when it cannot be written, or there is no key to seal with. */
export function writeUnseen({ folder, stem, run }: Order, end: KeptEnd, home: string): void {
  const { secret, ...rest } = end;
  if (secret?.printed === undefined) {
    writeEnd(folder, stem, end);
    return;
  }
  const name = `${stem}-out.sealed`;
  const key = keyFor("sealed-values", home);
  if (!key.ok) throw new Error(key.error.message);
  const sealed = createSealer(key.value, run).seal(name, secret.printed, "secret");
  writeWhole(join(folder, name), sealed);
  const { printed: _, ...told } = secret;
  writeEnd(folder, stem, { ...rest, secret: { ...told, sealed: name } });
}
