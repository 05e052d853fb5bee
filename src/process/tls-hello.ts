// tls-hello: reads the server name in the first message of a TLS connection (RFC 8446 4.1.2, RFC 6066 3). It trusts no
// length field.

export interface Hello {
  /** Undefined: the message names no server. */
  serverName: string | undefined;
}

/** `more`: the message is incomplete. `none`: this is not the start of TLS. */
export function helloOf(bytes: Buffer): Hello | "more" | "none" {
  const message: Buffer[] = [];
  let length = 0;
  let whole: number | undefined;
  for (let at = 0; ; ) {
    if (bytes.length > at && bytes[at] !== 22) return "none";
    if (bytes.length > at + 1 && bytes[at + 1] !== 3) return "none";
    if (bytes.length < at + 5) return "more";
    const record = bytes.readUInt16BE(at + 3);
    if (record === 0 || record > 16_640) return "none";
    message.push(bytes.subarray(at + 5, at + 5 + record));
    length += Math.min(record, bytes.length - at - 5);
    if (length > 0 && message.find((part) => part.length > 0)![0] !== 1) return "none";
    // Joined once for the length and once for the whole, however many records there are.
    if (length >= 4) whole ??= 4 + Buffer.concat(message).readUIntBE(1, 3);
    if (whole !== undefined && length >= whole) return named(Buffer.concat(message).subarray(4, whole));
    at += 5 + record;
    if (bytes.length < at) return "more";
  }
}

/** Fields: version 2, random 32, session, ciphers, compression, extensions. */
function named(hello: Buffer): Hello | "none" {
  try {
    let at = 34;
    at += 1 + hello.readUInt8(at);
    at += 2 + hello.readUInt16BE(at);
    at += 1 + hello.readUInt8(at);
    if (at === hello.length) return { serverName: undefined };
    const end = at + 2 + hello.readUInt16BE(at);
    if (end > hello.length) return "none";
    for (at += 2; at < end; ) {
      const [type, size] = [hello.readUInt16BE(at), hello.readUInt16BE(at + 2)];
      if (at + 4 + size > end) return "none";
      if (type === 0) return serverNameIn(hello.subarray(at + 4, at + 4 + size));
      at += 4 + size;
    }
    return { serverName: undefined };
  } catch {
    return "none";
  }
}

/** Accepts one name of the type "host name". With several, the server might use another one. */
function serverNameIn(list: Buffer): Hello | "none" {
  const size = list.readUInt16BE(3);
  if (list.readUInt8(2) !== 0 || list.length !== 5 + size) return "none";
  const serverName = list.toString("latin1", 5);
  return /^[\w.-]+$/.test(serverName) ? { serverName } : "none";
}
