import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../../../src/rules/secrets/mask-secrets.ts';
import { expectEffortBelow } from '../../../support/effort.ts';

const RANDOM = ['q7Rt2LmZ', 'x9VbNc4Yw', 'Kd3HsPgA8eUoT1'].join('');

/** A private key with this body. */
const key = (body: string): string =>
  ['BEGIN', 'END'].map((word) => `-----${word} PRIVATE KEY-----`).join(`\n${body}\n`);

interface SecretRow {
  readonly kind: 'tp' | 'fp';
  readonly parts: readonly string[];
}

describe('a text that is printed or kept', () => {
  it.each([
    ['Authorization: Bearer abc-def-001', 'abc-def-001'],
    ['"password": "pw-1"', 'pw-1'],
    ['password: "two words"', 'two words'],
    [`curl -u me:${RANDOM} https://example.org`, RANDOM],
    [`--token ${RANDOM}`, RANDOM],
    ['https://me:letmein@example.org/x', 'letmein'],
    [`MY_API_KEY=${RANDOM} npm start`, RANDOM],
    [key('AAAA'), 'AAAA'],
    [key('Proc-Type: 4,ENCRYPTED\n\nBB...CC'), 'BB'],
    [JSON.stringify(key('AAAA')), 'AAAA'],
    [`Set-Cookie: sid=${RANDOM}; Path=/; HttpOnly`, RANDOM],
    ['Cookie: sessionid=ab12', 'ab12'],
    ['비밀번호: pw-x-8', 'pw-x-8'],
    ['passphrase: our cat Tom 4', 'our cat'],
    ['"auth": "YTpiYw=="', 'YTpiYw'],
    ['Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    [`Authorization: Digest username="a", response="${'6629fae4'.repeat(4)}"`, '6629fae4'],
    ['tokenUrl=https://example.org/?token=ab-12-cd', 'ab-12-cd'],
  ])('hides what is or could be a secret: %s', (text, secret) => {
    expect(maskSecrets(text)).not.toContain(secret);
    expect(maskSecrets(text)).toContain('***');
  });

  it.each([
    'const a = 1;',
    'The token is read from the environment.',
    'const token = process.env.TOKEN;',
    'const key = await readKey(path);',
    'src/tokens.ts:12',
    'usage: {"completion_tokens": 71, "total_tokens": 903}',
    'Bearer token authentication is used, or basic authentication.',
    'password: required',
    'Set-Cookie: theme=dark; Path=/; Max-Age=31536000',
    '',
  ])('keeps what is none: %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it('stays the same when it is masked again', () => {
    for (const text of [key('AAAA'), `password: ${RANDOM}`, `token = "${RANDOM}"`, `Bearer ${RANDOM}`])
      expect(maskSecrets(maskSecrets(text))).toBe(maskSecrets(text));
  });

  it('hides every secret of the public set', () => {
    const rows = readFileSync(join(import.meta.dirname, '../../../corpora/outside/gitleaks-rule-tests.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SecretRow)
      .filter(({ kind }) => kind === 'tp');
    for (const { parts } of rows) expect(maskSecrets(parts.join(''))).toContain('***');
  });

  it('is masked in time that grows with the text and nothing else', () => {
    for (const shape of [
      '-----BEGIN PRIVATE KEY-----',
      'password',
      'token: ',
      'a.',
      'secret="',
      '//a:',
      'Bearer ',
      'Cookie: a1b=',
      'digest ',
      '<token>',
      '密码',
      'tokenUrl=',
    ])
      expectEffortBelow(40, () => maskSecrets(shape.repeat(Math.ceil(100_000 / shape.length))), shape);
  });
});
