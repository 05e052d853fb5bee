// age: encrypts the files with secrets, and reads them again (spec 3.6, 4.2). The library is loaded when it is needed.

import type { StoreKey } from "./store-key.ts";

export async function encrypted(text: string, { identity }: StoreKey): Promise<Uint8Array> {
  const { Encrypter, identityToRecipient } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  return encrypter.encrypt(text);
}

/** The JSON value in it. Throws if the key does not fit, or the file is damaged. */
export async function decrypted(bytes: Uint8Array, { identity }: StoreKey) {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return JSON.parse(await decrypter.decrypt(bytes, "text"));
}
