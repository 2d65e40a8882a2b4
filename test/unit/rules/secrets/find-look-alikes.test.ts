import { describe, expect, it } from 'vitest';
import { findLookAlikes } from '../../../../src/rules/secrets/find-look-alikes.ts';

/** Put together, so that no scanner takes this file for a leak. */
const FIRST = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
const OPENSSH = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----'].join(' ');
const BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
const whatIn = (text: string): readonly string[] => findLookAlikes(text).map(({ what }) => what);

describe('the first line of a private key', () => {
  it.each([
    `if (typeof pkcs8 !== 'string' || pkcs8.indexOf("${FIRST}") !== 0)\n  throw new TypeError('must be PKCS#8');`,
    `_SK_START = b"${OPENSSH}"\n_SK_END = b"-----END"`,
  ])('is no key where code only names it: %s', (text) => {
    expect(whatIn(text)).toEqual([]);
  });

  it.each([
    `${FIRST}\n${BODY}\n`,
    FIRST,
    `const key = "${FIRST}\\n${BODY}";`,
    `const key =\n  '${FIRST}' +\n  '${BODY}' +\n`,
    `KEY="${FIRST}\n${BODY}\n`,
  ])('is one in front of a key, however it is written: %s', (text) => {
    expect(whatIn(text)).toEqual(['a private key']);
  });
});

describe('what stands in public code', () => {
  it.each([
    'syn keyword sshconfigPref sk-ecdsa-sha2-nistp256-cert-v01@openssh.com sk-ssh-ed25519-cert-v01@openssh.com',
    '{"password":"[REDACTED]","secret":"[Redacted]"}',
    'const { access_token: token } = await response.json();',
    "password = await promptFor('password');",
    'auth_token=args.token',
    'password: string;',
    'export AUTH_TOKEN=$(cat token)',
  ])('is nothing that looks like a secret: %s', (text) => {
    expect(whatIn(text)).toEqual([]);
  });

  it.each([
    ["const key = 'sk-" + 'a1B2'.repeat(6) + "';", 'an API key (sk-…)'],
    ["const token = 'ghp_" + 'a1B2'.repeat(9) + "';", 'a GitHub token'],
    ["password = 'tiger1'", 'a literal password or key'],
    ["password = '[x]tiger12345'", 'a literal password or key'],
    ['DB_PASSWORD=correct4horse', 'a literal password or key'],
  ])('and what is one is one: %s', (text, what) => {
    expect(whatIn(text)).toEqual([what]);
  });
});
