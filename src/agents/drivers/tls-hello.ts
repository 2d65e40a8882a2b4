const CIPHER_CHANGE = 20;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const HEADER = 5;
/** The largest TLS record, including the overhead of encryption. */
const MOST_OF_RECORD = 16_384 + 2048;
/** A greeting has some hundred bytes; with post-quantum keys, some thousand. */
const MOST_OF_HELLO = 64 * 1024;

/**
 * Checks what a program sends through a tunnel: TLS with `host`, and nothing else. Bytes are held until the whole greeting
 * has arrived, in any number of records and pieces, and names exactly this host in the clear. A second greeting, on the server's request, is checked too and must fit one
 * record: a longer message there is the encrypted end of a TLS 1.2 handshake.
 */
export function createHelloGuard(host: string) {
  let unread = Buffer.alloc(0);
  let held: Buffer[] = [];
  let hello = Buffer.alloc(0);
  let isGreeted = false;
  /** A TLS 1.2 server has answered: the program's handshake is encrypted from here on. */
  let isUnwatched = false;
  /** The program announced encryption. TLS 1.3 also does so before a second greeting in the clear. */
  let hasChangedCipher = false;
  /** A possible beginning of a greeting passed as encrypted: no clear handshake may follow. */
  let isEncrypted = false;
  let refused: string | undefined;

  /** Takes one whole record; returns what may go on. */
  const take = (record: Buffer): Buffer => {
    const body = record.subarray(HEADER);
    if (record[0] === HANDSHAKE && isEncrypted) throw new Error('it sends a greeting in pieces');
    const isHello = record[0] === HANDSHAKE && (hello.length > 0 || body[0] === CLIENT_HELLO);
    if (!isHello) {
      if (!isGreeted || hello.length > 0) throw new Error('it does not begin with the greeting of TLS');
      isUnwatched = record[0] === HANDSHAKE;
      hasChangedCipher ||= record[0] === CIPHER_CHANGE;
      return record;
    }
    if (hasChangedCipher && !isWhole(body)) {
      isEncrypted = true;
      return record;
    }
    hello = Buffer.concat([hello, body]);
    held.push(record);
    if (hello.length > MOST_OF_HELLO) throw new Error('its greeting is too long');
    if (!isWhole(hello)) return Buffer.alloc(0);
    const name = serverNameIn(hello);
    if (name.toLowerCase() !== host) throw new Error(`it asks for ${JSON.stringify(name.slice(0, 100))}`);
    const whole = Buffer.concat(held);
    [isGreeted, hello, held] = [true, Buffer.alloc(0), []];
    return whole;
  };

  return {
    /** The bytes that may go on to the host; undefined: something else was asked, and nothing may. */
    pass(chunk: Buffer): Buffer | undefined {
      if (refused !== undefined) return undefined;
      unread = Buffer.concat([unread, chunk]);
      const ready: Buffer[] = [];
      try {
        for (;;) {
          if (isUnwatched || unread.length === 0) break;
          if (!isGreeted && unread[0] !== HANDSHAKE) throw new Error('it does not speak TLS');
          if (unread.length < HEADER) break;
          const length = unread.readUInt16BE(3);
          if (unread[1] !== 3 || length === 0 || length > MOST_OF_RECORD) throw new Error('it does not speak TLS');
          if (unread.length < HEADER + length) break;
          ready.push(take(unread.subarray(0, HEADER + length)));
          unread = unread.subarray(HEADER + length);
        }
        if (isUnwatched) [ready[ready.length], unread] = [unread, Buffer.alloc(0)];
      } catch (error) {
        refused = error instanceof RangeError ? 'its greeting cannot be read' : (error as Error).message;
        return undefined;
      }
      return Buffer.concat(ready);
    },
    /** Why nothing may go on. */
    why: () => refused,
    /** A greeting for the right host has passed. */
    isGreeted: () => isGreeted,
  };
}

/** Whether a message is complete, by its length prefix. */
const isWhole = (message: Buffer): boolean => message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3);

const SERVER_NAME = 0;
/** Encrypted Client Hello, its drafts, and encrypted names: with these the clear name is not the real one. */
const ENCRYPTED = new Set([0xfe_0d, 0xfe_08, 0xfe_09, 0xfe_0a, 0xfe_0b, 0xfe_0c, 0xff_02, 0xff_03, 0xff_ce, 0xfd_00]);

/** The server name in a ClientHello. Throws where it is missing, ambiguous or unreadable. */
function serverNameIn(hello: Buffer): string {
  const whole = reader(hello);
  whole.skip(1);
  const message = whole.part(3);
  whole.mustEnd();
  message.skip(2 + 32); // version, random
  message.part(1); // session
  message.part(2); // ciphers
  message.part(1); // compression
  const extensions = message.part(2);
  message.mustEnd();
  let name: string | undefined;
  while (extensions.left() > 0) {
    const type = extensions.number(2);
    const extension = extensions.part(2);
    if (ENCRYPTED.has(type)) throw new Error('it hides the host that it asks for (ECH)');
    if (type !== SERVER_NAME) continue;
    const names = extension.part(2);
    extension.mustEnd();
    if (name !== undefined || names.number(1) !== 0) throw new Error('it names its host in an unknown way');
    name = names.part(2).rest().toString('latin1');
    names.mustEnd();
  }
  if (name === undefined) throw new Error('it names no host in its greeting (SNI)');
  return name;
}

interface Reader {
  number(size: number): number;
  skip(count: number): void;
  /** A part that is preceded by its length, in this many bytes. */
  part(size: number): Reader;
  left(): number;
  rest(): Buffer;
  mustEnd(): void;
}

/** Reads length-prefixed fields in order. Throws a RangeError where one exceeds the data. */
function reader(bytes: Buffer): Reader {
  let at = 0;
  const advance = (count: number): number => {
    if (at + count > bytes.length) throw new RangeError('too short');
    at += count;
    return at - count;
  };
  const number = (size: number): number => bytes.readUIntBE(advance(size), size);
  return {
    number,
    skip: (count) => void advance(count),
    part(size) {
      const length = number(size);
      const from = advance(length);
      return reader(bytes.subarray(from, from + length));
    },
    left: () => bytes.length - at,
    rest: () => {
      const from = at;
      at = bytes.length;
      return bytes.subarray(from);
    },
    mustEnd() {
      if (at !== bytes.length) throw new RangeError('too long');
    },
  };
}
