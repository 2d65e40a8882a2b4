import { Duplex } from 'node:stream';
import { connect, type ConnectionOptions } from 'node:tls';

/** The greeting that Node.js itself sends to a host of this name; undefined: it names none. */
export function helloFor(servername: string | undefined, options: ConnectionOptions = {}): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = new Duplex({
      read: () => {},
      write(chunk: Buffer, _, done) {
        resolve(chunk);
        done();
      },
    });
    const client = connect({ ...options, socket, ...(servername === undefined ? {} : { servername }) });
    client.on('error', () => {});
  });
}

/** The same greeting in several records, each with so many bytes of it. */
export function inRecordsOf(size: number, hello: Buffer): Buffer {
  const body = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

/** The same greeting with one more extension at its end. */
export function withExtension(hello: Buffer, type: number, content = Buffer.alloc(0)): Buffer {
  const more = Buffer.alloc(4 + content.length);
  more.writeUInt16BE(type, 0);
  more.writeUInt16BE(content.length, 2);
  content.copy(more, 4);
  const longer = Buffer.concat([hello, more]);
  longer.writeUInt16BE(longer.readUInt16BE(3) + more.length, 3); // the record
  longer.writeUIntBE(longer.readUIntBE(6, 3) + more.length, 6, 3); // the message
  let at = 9 + 2 + 32;
  at += 1 + longer.readUInt8(at); // session
  at += 2 + longer.readUInt16BE(at); // ciphers
  at += 1 + longer.readUInt8(at); // compression
  longer.writeUInt16BE(longer.readUInt16BE(at) + more.length, at);
  return longer;
}
