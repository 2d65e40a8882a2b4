import { describe, expect, it } from 'vitest';
import { secrets } from '../../../../src/rules/checks/secrets.ts';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';
import { expectEffortBelow } from '../../../support/effort.ts';

/** A hundred lines of base64, as a private key in PEM has them. */
const BODY = Array.from({ length: 100 }, (_, at) => `${at}Zm9vYmFy`.padEnd(64, 'QUJDREVG')).join('\n');
const KEY = ['-----BEGIN RSA PRIVATE', `KEY-----\n${BODY}\n-----END RSA PRIVATE`, 'KEY-----'].join(' ');

describe('the look for secrets', () => {
  it.each([
    ['keys, one a line', '-----BEGIN PRIVATE KEY-----\n'],
    ['passwords, one a line', 'password = "hunter2fooBar99!"\n'],
    ['addresses with a password, all in one line', 'postgres://u:s3cr3tPass@h/db '],
  ])('takes four times as long for four times as many %s', (_, secret) => {
    const text = secret.repeat(200_000 / secret.length);
    expectEffortBelow(40, () => secrets('a.yaml', '', text));
  });

  it.each([49_000, 49_990, 50_000, 60_000])('finds the same key behind %i other characters', (at) => {
    const text = `${'x'.repeat(79)}
`.repeat(at / 80);
    const moved = findSecrets('key.txt', KEY).map((found) => ({
      ...found,
      start: found.start + text.length,
      end: found.end + text.length,
    }));
    expect(moved).toHaveLength(1);
    expect(findSecrets('key.txt', text + KEY)).toEqual(moved);
  });
});
