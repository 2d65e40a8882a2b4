import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';

/** Invented characters of a kind, always the same; put together here, so that no scanner takes this file for a leak. */
function made(length: number, letters = 'a7Rt2LmZx9VbNc4YwKd3HsPgU8eoTq1J'): string {
  let text = '';
  for (let at = 0; text.length < length; at += 1) text += letters.charAt((at * 7 + (at >> 3) * 5 + 3) % letters.length);
  return text;
}
const hex = (length: number): string => made(length, '0f3a9c71be58d246');
describe('a secret in the form that its vendor publishes', () => {
  it.each([
    ['a word of the same beginning', 'a.ts', "re_export_everything_from_here('re_index0_columns')"],
    ['a token cut short', 'a.sh', `export X=${['CCIPAT', made(22)].join('_')}`],
    ['a manual', 'a.md', 'Keys begin with `bkua_`, `hcaik_` or `rzp_live_` and end in FFFFNRAL.'],
    ['a key for tests', 'a.js', `key: '${['rzp', 'test', made(14)].join('_')}'`],
    ['a public key for payments', 'a.js', `pay('${['FLWPUBK', hex(32), 'X'].join('-')}')`],
    ['a certificate', 'config.yaml', `client-certificate-data: ${btoa(`-----BEGIN CERTIFICATE-----\n${made(64)}\n`)}`],
    ['a variable that is handed on', 'Dockerfile', 'ENV API_TOKEN $API_TOKEN\nENV API_TOKEN ${TOKEN:-none}'],
    ['the place of a secret', 'Dockerfile', 'ENV API_TOKEN_FILE run-secrets-api-1\nENV DB_PASSWORD /run/secrets/db1'],
    ['a placeholder', 'Dockerfile', 'ENV API_TOKEN changeme\nENV API_TOKEN <your-token-1>'],
    ['a sentence', 'a.md', 'env API_TOKEN holds the token2 of the deployment'],
  ])('is not seen in %s', (_, path, text) => {
    expect(findSecrets(path, text)).toEqual([]);
  });
});
