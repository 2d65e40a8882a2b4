import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto';
import type { Notifier } from './notifier.ts';
import { postUntilTaken } from './post.ts';

/** What a browser gave for its notifications: the address of its push service, and keys that only it can decrypt for. */
export interface PushSubscription {
  readonly endpoint: string;
  /** Its public key and its shared secret, in base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

/** The keys of the sender (VAPID, RFC 8292): the public point, and the private key as PEM. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface PushPlan {
  readonly keys: PushKeys;
  /** Whom a push service may ask about the sender. */
  readonly contact: string;
  readonly subscriptions: () => readonly PushSubscription[];
  /** Forgets a subscription that its browser has ended. */
  readonly drop: (endpoint: string) => void;
}

/** A push service keeps a message for a browser that is away so long, and a signature is valid half of it. */
const KEPT_SECONDS = 24 * 3600;
/** The statuses of a subscription that is gone for good. */
const GONE: readonly (number | undefined)[] = [404, 410];

/** Sends title and page of an event to every browser that asked for it; encrypted, so its push service reads neither. */
export function createPushNotifier({ keys, contact, subscriptions, drop }: PushPlan): Notifier {
  return async (notification, signal) => {
    const { id, priority, title, phrase, task_id: task, page } = notification;
    const body = title === null || task === null ? phrase : `${phrase} · ${task}`;
    const payload = Buffer.from(JSON.stringify({ title: title ?? task ?? 'andon', body, page, tag: id }));
    const send = async (to: PushSubscription): Promise<string | undefined> => {
      const refused = await postUntilTaken(to.endpoint, signal, () => ({
        body: encryptForBrowser(payload, to),
        headers: {
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(KEPT_SECONDS),
          urgency: priority,
          topic: id.slice(0, 32),
          authorization: `vapid t=${signSender(keys, contact, to.endpoint)}, k=${keys.publicKey}`,
        },
      }));
      if (!GONE.includes(refused?.status)) return refused?.why;
      drop(to.endpoint);
      return undefined;
    };
    const failed = (await Promise.all(subscriptions().map(send))).filter((why) => why !== undefined);
    return failed.length === 0 ? undefined : failed.join('; ');
  };
}

export function makePushKeys(): PushKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return {
    publicKey: point.toString('base64url'),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** A token by which the push service knows the sender (RFC 8292). */
function signSender({ privateKey }: PushKeys, contact: string, endpoint: string): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + KEPT_SECONDS / 2;
  const text = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode({ aud: new URL(endpoint).origin, exp, sub: contact })}`;
  const key = createPrivateKey(privateKey);
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** The length of a record; a notification is one. */
const RECORD_BYTES = 4096;

/** Encrypts a message for one browser (RFC 8291: aes128gcm with a key pair of its own); salt and key are given in tests. */
export function encryptForBrowser(
  message: Buffer,
  { p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>,
  { salt = randomBytes(16), privateKey }: { readonly salt?: Buffer; readonly privateKey?: Buffer } = {},
): Buffer<ArrayBuffer> {
  const theirs = Buffer.from(p256dh, 'base64url');
  const own = createECDH('prime256v1');
  if (privateKey === undefined) own.generateKeys();
  else own.setPrivateKey(privateKey);
  const ours = own.getPublicKey();
  const derive = (secret: Buffer, salted: Buffer, info: readonly (string | Buffer)[], bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salted, Buffer.concat(info.map((part) => Buffer.from(part))), bytes));
  const secret = own.computeSecret(theirs);
  const key = derive(secret, Buffer.from(auth, 'base64url'), ['WebPush: info\0', theirs, ours], 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, salt, ['Content-Encoding: aes128gcm\0'], 16),
    derive(key, salt, ['Content-Encoding: nonce\0'], 12),
  );
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES);
  header.writeUInt8(ours.length, 4);
  const last = Buffer.from([2]); // ends the last record
  return Buffer.concat([
    salt,
    header,
    ours,
    cipher.update(message),
    cipher.update(last),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}
