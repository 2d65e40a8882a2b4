import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';

/** Invented characters of a kind, always the same; put together here, so that no scanner takes this file for a leak. */
function made(length: number, letters = 'a7Rt2LmZx9VbNc4YwKd3HsPgU8eoTq1J'): string {
  let text = '';
  for (let at = 0; text.length < length; at += 1) text += letters.charAt((at * 7 + (at >> 3) * 5 + 3) % letters.length);
  return text;
}
const hex = (length: number): string => made(length, '0f3a9c71be58d246');
const small = (length: number): string => made(length, 'a7r2mzx9vb4ywkd3hs8e');
const NRAL = ['FFFF', 'NRAL'].join('');
const base64 = (head: string): string => btoa(`-----BEGIN ${head}PRIVATE KEY-----\n${made(64)}\n`);

const PUBLISHED: readonly (readonly [string, string, string])[] = [
  ['an Azure DevOps token', 'a.yml', `pat: ${made(76)}AZDO${made(4)}`],
  ['a CircleCI token', 'a.sh', `export X=${['CCIPAT', made(22), hex(40)].join('_')}`],
  ['a Buildkite token', 'a.sh', `bk configure --token ${['bkua', hex(40)].join('_')}`],
  ['a Honeycomb key', 'a.env', `HEADERS=x-honeycomb-team=${['hcaik', small(58)].join('_')}`],
  ['a New Relic license key', 'a.yml', `license_key: ${hex(32)}${NRAL}`],
  ['a New Relic license key', 'a.js', `license_key: 'eu01xx${hex(26)}${NRAL}'`],
  ['an AWS Bedrock key', 'a.sh', `K=ABSK${made(128)}==`],
  ['a Flutterwave key', 'a.php', `$x = '${['FLWSECK', hex(32), 'X'].join('-')}';`],
  ['a Razorpay key id', 'a.js', `key: '${['rzp', 'live', made(14)].join('_')}'`],
  ['a Resend key', 'a.ts', `new Resend('${['re', made(8), made(24)].join('_')}')`],
  ['a private key, encoded', 'config.yaml', `    client-key-data: ${base64('RSA ')}`],
  ['a private key, encoded', 'config.yaml', `    client-key-data: ${base64('')}`],
  ['a private key, encoded', 'config.yaml', `    client-key-data: ${base64('EC ')}`],
  ['a private key, encoded', 'a.env', `DEPLOY="${base64('OPENSSH ')}"`],
  ['a value of a variable that says secret', 'Dockerfile', `FROM node:24\nENV API_TOKEN ${made(24)}\n`],
  ['a value of a variable that says secret', 'Dockerfile', `ENV DB_PASSWORD "hunter2-${made(6)}"`],
];

describe('a secret in the form that its vendor publishes', () => {
  it.each(PUBLISHED)('is %s: %s', (what, path, text) => {
    expect(findSecrets(path, text).map((one) => one.what)).toEqual([what]);
  });

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
