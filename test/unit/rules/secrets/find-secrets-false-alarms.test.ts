import { describe, expect, it } from 'vitest';
import { secrets } from '../../../../src/rules/checks/secrets.ts';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';

/** Invented, and put together so that no scanner takes this file for a leak. */
const [VALUE, WORDS] = [['k3Jd', '8sWq0Zx'].join(''), ['correct horse', 'battery staple'].join(' ')];
const MAIL = ['qzvn', 'hbwk', 'tyrd', 'mfxo'].join(' ');

describe('ordinary code of a test', () => {
  it.each([
    "t.pass('ready emitted');",
    "assert.pass('server started')",
    "t.pass('it works')",
    't.pass(`all of it, at last`)',
    "t.pass('ok-2024-b7')",
    "pass('the stream ended, 3 events')",
    "assert?.pass('closed twice')",
    "userPass('went well again')",
    "setPassword('a sentence of several words')",
    "const said = { pass: 'went well again', fail: 'went badly' };",
    'define(linkedInstance, toStringMethod, { value: 1 })',
    "prefixed('an AWS Bedrock key', 'bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t')",
  ])('is no secret, to the rule or to the scan before the review: %s', (text) => {
    expect(findSecrets('a.test.js', text)).toEqual([]);
    expect(secrets('a.test.js', '', text)).toEqual([]);
  });

  it.each([
    [`setPassword('${VALUE}')`],
    [`const pass = '${VALUE}';`],
    [`smtp({ user: 'ann', pass: '${VALUE}' })`],
    [`smtp({ user: 'ann', pass: '${MAIL}' })`],
    [`const passphrase = '${WORDS}';`],
  ])('does not hide what is one: %s', (text) => {
    expect(findSecrets('a.test.js', text)).toHaveLength(1);
    expect(secrets('a.test.js', '', text)).toHaveLength(1);
  });
});
