// crc: a sum over bytes that arrive in pieces: CRC-32, as zlib counts it. It finds bytes that changed by themselves; it proves nothing.

/** Below this a table is quicker than loading zlib, which a command that prints a line would else wait for. */
const SMALL_BYTES = 4_096;

let zlib: { crc32(bytes: Uint8Array, before: number): number } | undefined;
const table = new Uint32Array(256).map((_, n) => {
  let bits = n;
  for (let bit = 0; bit < 8; bit++) bits = bits & 1 ? (bits >>> 1) ^ 0xedb88320 : bits >>> 1;
  return bits;
});

/** `before`: of the bytes before these; 0 where there are none. */
export function crcOf(bytes: Uint8Array, before = 0): number {
  if (bytes.length >= SMALL_BYTES) {
    zlib ??= process.getBuiltinModule("node:zlib");
    return zlib.crc32(bytes, before);
  }
  let sum = ~before;
  for (const byte of bytes) sum = table[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return ~sum >>> 0;
}
