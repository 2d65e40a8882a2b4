import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { PushSubscription } from '../../src/line/notify/push-notifier.ts';

/** What a push service was sent, as it can see it, and as the browser decrypts it. */
interface PushedMessage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly text: string;
}

/** An imitation of a push service on this machine, and of the browsers that it serves: it checks each sender's signature. */
export async function aPushService(answer: (path: string) => number = () => 201) {
  const messages: PushedMessage[] = [];
  const browsers = new Map<string, { readonly own: ReturnType<typeof createECDH>; readonly auth: Buffer }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [path, headers, body] = [request.url ?? '', request.headers, Buffer.concat(chunks)];
      const browser = browsers.get(path);
      const isSigned = isFromSender(headers.authorization ?? '', url);
      const status = browser === undefined ? 404 : isSigned ? answer(path) : 403;
      if (status < 300 && browser !== undefined)
        messages.push({ path, headers: headers as PushedMessage['headers'], body, text: decrypt(body, browser) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    messages,
    /** A subscription of a new browser. */
    subscribe(name: string): PushSubscription {
      const own = createECDH('prime256v1');
      own.generateKeys();
      const auth = randomBytes(16);
      browsers.set(`/${name}`, { own, auth });
      return { endpoint: `${url}/${name}`, p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') };
    },
  };
}

/** RFC 8292: the token is signed by the key that is named beside it, for this service, and not yet over. */
function isFromSender(authorization: string, origin: string): boolean {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  if (x === undefined || y === undefined || point.length !== 65) return false;
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string | number>;
  const left = Number(exp) - Date.now() / 1000;
  return (
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    ) &&
    aud === origin &&
    left > 0 &&
    left <= 24 * 3600 &&
    /^(?:mailto:|https:)/.test(String(sub))
  );
}

/** RFC 8188 and 8291, read from the other side than the sender's code. */
function decrypt(body: Buffer, { own, auth }: { own: ReturnType<typeof createECDH>; auth: Buffer }): string {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const theirs = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = (text: string, ...more: Buffer[]): Buffer => Buffer.concat([Buffer.from(`${text}\0`), ...more]);
  const hkdf = (key: Buffer, salted: Buffer, what: Buffer, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', key, salted, what, length));
  const key = hkdf(own.computeSecret(theirs), auth, info('WebPush: info', own.getPublicKey(), theirs), 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    hkdf(key, salt, info('Content-Encoding: aes128gcm'), 16),
    hkdf(key, salt, info('Content-Encoding: nonce'), 12),
  );
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is not of zeros');
  return padded.subarray(0, end).toString();
}
