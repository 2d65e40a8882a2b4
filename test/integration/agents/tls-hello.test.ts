import { beforeAll, describe, expect, test } from 'vitest';
import { createHelloGuard } from '../../../src/agents/drivers/tls-hello.ts';
import { helloFor, inRecordsOf, withExtension } from '../../support/tls-hello.ts';
import * as fc from '../../support/properties.ts';

const HOST = 'login.example.org';
let right: Buffer = Buffer.alloc(0);
let wrong: Buffer = Buffer.alloc(0);
beforeAll(async () => {
  [right, wrong] = [await helloFor(HOST), await helloFor('attacker.example')];
});

/** A record of this type. */
const record = (type: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type, 3, 3, body.length >> 8, body.length & 255]), body]);
const CIPHER_CHANGE = record(20, Buffer.from([1]));
const ENCRYPTED = record(23, Buffer.alloc(40, 7));
const KEY_EXCHANGE = record(22, Buffer.from([16, 0, 0, 1, 0]));

describe('the greeting of a connection in the tunnel', () => {
  test('passes when it names the host, and what follows passes too', () => {
    const guard = createHelloGuard(HOST);
    expect(guard.pass(right)).toEqual(right);
    expect(guard.pass(Buffer.concat([CIPHER_CHANGE, ENCRYPTED]))).toEqual(Buffer.concat([CIPHER_CHANGE, ENCRYPTED]));
  });

  test('is held until it is whole, however it is cut into records and pieces', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 700 }), (size, piece) => {
        const records = inRecordsOf(size, right);
        const guard = createHelloGuard(HOST);
        for (let at = 0; at < records.length; at += piece) {
          const isLast = at + piece >= records.length;
          expect(guard.pass(records.subarray(at, at + piece))).toEqual(isLast ? records : Buffer.alloc(0));
        }
        const other = createHelloGuard(HOST);
        const sent = inRecordsOf(size, wrong);
        let passed: Buffer | undefined = Buffer.alloc(0);
        for (let at = 0; at < sent.length; at += piece) passed = other.pass(sent.subarray(at, at + piece));
        expect(passed).toBeUndefined();
      }),
    );
  });

  test('passes in capital letters, for names know no case', async () => {
    const capital = await helloFor(HOST.toUpperCase());
    expect(createHelloGuard(HOST).pass(capital)).toEqual(capital);
  });

  test.each([
    ['another host', () => wrong, 'attacker.example'],
    ['a host below it', () => helloFor(`x.${HOST}`), `x.${HOST}`],
    ['no host', () => helloFor(undefined), 'names no host'],
    ['a host twice', () => withExtension(right, 0, Buffer.from([0, 4, 0, 0, 1, 0x61])), 'unknown way'],
    ['a hidden host (ECH)', () => withExtension(right, 0xfe_0d, Buffer.alloc(20)), 'hides the host'],
    ['a hidden host (a draft of it)', () => withExtension(right, 0xff_ce, Buffer.alloc(20)), 'hides the host'],
    ['what is cut short inside', () => withoutEnd(right), 'cannot be read'],
    ['plain HTTP', () => Buffer.from('GET / HTTP/1.1\r\nhost: login.example.org\r\n\r\n'), 'does not speak TLS'],
    ['SSH', () => Buffer.from('SSH-2.0-x\r\n'), 'does not speak TLS'],
    ['the greeting of SSL 2', () => Buffer.from([0x80, 46, 1, 3, 1]), 'does not speak TLS'],
    ['another record', () => ENCRYPTED, 'does not speak TLS'],
    ['another message', () => KEY_EXCHANGE, 'does not begin with the greeting'],
    ['a greeting and more behind it in one message', () => withTail(right), 'cannot be read'],
    [
      'a greeting without an end',
      () => record(22, Buffer.concat([Buffer.from([1, 255, 255, 255]), Buffer.alloc(9)])),
      '',
    ],
  ] as const)('does not pass with %s', async (_, hello, why) => {
    const guard = createHelloGuard(HOST);
    const passed = guard.pass(await hello());
    expect(passed === undefined || passed.length === 0).toBe(true);
    expect(guard.why() ?? '').toContain(why);
    expect(guard.isGreeted()).toBe(false);
    if (why === '') for (let more = 0; more < 8; more += 1) guard.pass(record(22, Buffer.alloc(16_000)));
    expect(guard.pass(right)).toBeUndefined();
  });

  test('is held to the same name when a server asks for a second one', () => {
    const same = createHelloGuard(HOST);
    same.pass(right);
    expect(same.pass(Buffer.concat([CIPHER_CHANGE, right, ENCRYPTED]))?.length).toBeGreaterThan(right.length);
    const early = createHelloGuard(HOST);
    early.pass(Buffer.concat([right, CIPHER_CHANGE, ENCRYPTED]));
    expect(early.pass(wrong)).toBeUndefined();
  });

  test('is not seen in what TLS 1.2 encrypts right away, as when it takes up a session', () => {
    for (const size of [3, 40]) {
      const guard = createHelloGuard(HOST);
      const finished = record(22, Buffer.alloc(size, 1)); // of 257 * 257 bytes and more, were it a greeting
      expect(guard.pass(Buffer.concat([right, CIPHER_CHANGE, finished]))?.length).toBe(
        right.length + CIPHER_CHANGE.length + finished.length,
      );
      expect(guard.pass(ENCRYPTED)).toEqual(ENCRYPTED);
    }
    for (const size of [3, 100, 400]) {
      const cut = createHelloGuard(HOST);
      cut.pass(Buffer.concat([right, CIPHER_CHANGE]));
      expect(cut.pass(inRecordsOf(size, wrong)), 'a greeting in pieces is none').toBeUndefined();
      expect(cut.why()).toContain('in pieces');
    }
  });

  test('is looked for no more once TLS 1.2 encrypts', () => {
    const guard = createHelloGuard(HOST);
    guard.pass(Buffer.concat([right, KEY_EXCHANGE, CIPHER_CHANGE]));
    const finished = record(22, Buffer.alloc(40, 1));
    expect(guard.pass(finished)).toEqual(finished);
  });
});

/** The greeting with bytes behind it that belong to no greeting. */
function withTail(hello: Buffer): Buffer {
  const longer = Buffer.concat([hello, Buffer.alloc(3)]);
  longer.writeUInt16BE(longer.readUInt16BE(3) + 3, 3);
  return longer;
}

/** A greeting whose last field is longer than what is there. */
function withoutEnd(hello: Buffer): Buffer {
  const shorter = Buffer.from(hello.subarray(0, -1));
  shorter.writeUInt16BE(shorter.readUInt16BE(3) - 1, 3);
  shorter.writeUIntBE(shorter.readUIntBE(6, 3) - 1, 6, 3);
  return shorter;
}
