/** What the first bytes of a connection say: the name that a TLS hello asks for, that more is needed, or that it is none. */
export type HelloName = { readonly name: string } | 'more' | 'none';

/** A hello of a browser has 2 KB, with post-quantum keys; more is none. */
const LONGEST_HELLO = 16 * 1024;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ENCRYPTED_HELLO = 0xfe0d;

/**
 * Reads the server name of a TLS ClientHello (RFC 8446, RFC 6066), over as many records as it has. A hello whose real name
 * is encrypted says nothing that counts, and neither does one without a name or with two.
 */
export function readHelloName(bytes: Buffer): HelloName {
  const parts: Buffer[] = [];
  let [length, at] = [0, 0];
  let wanted: number | undefined;
  while (wanted === undefined || length < wanted) {
    if (bytes.length > 0 && bytes[at] !== undefined && bytes[at] !== HANDSHAKE) return 'none';
    if (bytes.length < at + 5) return bytes.length > LONGEST_HELLO ? 'none' : 'more';
    const size = bytes.readUInt16BE(at + 3);
    if (size === 0 || at + size > LONGEST_HELLO) return 'none';
    if (bytes.length < at + 5 + size) return 'more';
    parts.push(bytes.subarray(at + 5, at + 5 + size));
    length += size;
    at += 5 + size;
    const start = Buffer.concat(parts);
    if (start[0] !== CLIENT_HELLO) return 'none';
    if (start.length >= 4) wanted = 4 + start.readUIntBE(1, 3);
    if (wanted !== undefined && wanted > LONGEST_HELLO) return 'none';
  }
  try {
    return nameIn(Buffer.concat(parts).subarray(4, wanted));
  } catch (error) {
    if (error instanceof RangeError) return 'none'; // a length that leads out of the hello
    throw error;
  }
}

/** Passes over version, random, session, ciphers and compressions to the extensions. */
function nameIn(hello: Buffer): HelloName {
  let at = 34;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const end = at + 2 + hello.readUInt16BE(at);
  if (end !== hello.length) return 'none';
  const names: string[] = [];
  for (at += 2; at < end;) {
    const kind = hello.readUInt16BE(at);
    const size = hello.readUInt16BE(at + 2);
    const body = hello.subarray(at + 4, at + 4 + size);
    if (body.length < size) return 'none';
    if (kind === ENCRYPTED_HELLO) return 'none';
    if (kind === SERVER_NAME) {
      const length = body.readUInt16BE(3);
      if (body.readUInt16BE(0) !== body.length - 2 || body.readUInt8(2) !== 0 || length !== body.length - 5)
        return 'none';
      names.push(body.toString('latin1', 5, 5 + length).toLowerCase());
    }
    at += 4 + size;
  }
  const [name] = names;
  return names.length === 1 && name !== undefined && name !== '' ? { name } : 'none';
}
