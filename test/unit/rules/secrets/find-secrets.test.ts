import { describe, expect, it } from 'vitest';
import { secrets } from '../../../../src/rules/checks/secrets.ts';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';
import { checkRule } from '../../../../src/rules/run-rules.ts';
import { expectEffortBelow } from '../../../support/effort.ts';
import { CONTEXT, aFile, aRuleWith, aSubject } from '../../../support/rules.ts';

/** Invented values, put together so that no scanner takes this file for a leak. */
const KEY = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const RANDOM = ['q7Rt2LmZ', 'x9VbNc4Yw', 'Kd3HsPgA8eUoT1'].join('');

describe('a secret', () => {
  it.each([
    ['in an address', 'a.md', `postgres://app:${RANDOM}@db.internal:5432/app`],
    ['in a header', 'a.ts', `headers: { Authorization: 'Bearer ${RANDOM}' }`],
    [
      'in a command over several lines',
      'a.sh',
      `curl -X POST \\\n  -H "X-Api-Key: ${RANDOM}" \\\n  https://example.org`,
    ],
    ['in markup', 'a.xml', `<apiKey>\n  ${RANDOM}\n</apiKey>`],
    ['of a vendor', 'a.py', `key = "${KEY}"`],
  ])('is found %s', (_, path, text) => {
    const found = findSecrets(path, text);
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toContain(RANDOM.slice(0, 10));
  });

  it.each([
    ['a.ts', 'const token = process.env.GITHUB_TOKEN;'],
    ['a.ts', "import { tokens } from '../../governance/secrets/formats/tokens.ts';"],
    ['a.json', `"integrity": "sha512-${btoa(RANDOM.repeat(2))}"`],
    ['a.ts', "password: 'password', secret: 'changeme', apiKey: 'YOUR_API_KEY'"],
    ['a.c', "char *api_key = 'x7Rt2LmZx9Vb';"],
  ])('is not seen where none is: %s %s', (path, text) => {
    expect(findSecrets(path, text)).toEqual([]);
  });

  it('is found with its line, and only when it is new', async () => {
    const text = `const a = 1;\nconst token = '${KEY}';\n`;
    expect(secrets('a.ts', '', text)).toMatchObject([{ line: 2, severity: 'critical', source: 'secrets' }]);
    expect(secrets('a.ts', text, `// moved\n${text}`)).toEqual([]);
    expect(JSON.stringify(secrets('a.ts', '', text))).not.toContain(KEY.slice(4, 12));
  });

  it.each([
    ["const password = 'changeme-please';", 'a literal password'],
    [`const id = '${['AKIA', 'IOSFODNN7EXAMPLE'].join('')}';`, 'an AWS access key id'],
    [`see ${['gh', 'p_'].join('')}${'a'.repeat(36)}`, 'a GitHub token'],
    [`see ${['gl', 'pat-'].join('')}${'a'.repeat(20)}`, 'a GitLab token'],
    [`see ${['sk', '_live_'].join('')}${'a'.repeat(24)}`, 'a Stripe key'],
    ["SECRET='abc'", 'a literal password'],
    ['password: hunter2example', 'a literal password'],
    ['  export DB_PASSWORD=hunter2example', 'a literal password'],
  ])('stops a change of the line by its mere looks, also where it is made up: %s', async (text, what) => {
    expect(findSecrets('a.ts', text)).toEqual([]);
    expect(secrets('a.ts', '', text)).toMatchObject([{ line: 1, description: expect.stringContaining(what) }]);
    expect(secrets('a.ts', text, text)).toEqual([]);
  });

  it.each([
    "secret: 'abc'",
    "const password = 'test';",
    'password: a sentence with 2 words',
    'password: process.env.PASSWORD1',
    'return { password: hash256Of(text) };',
    'password = user2.password',
  ])('is not what is short, a placeholder or no text by itself: %s', async (text) => {
    expect(secrets('a.ts', '', text)).toEqual([]);
  });

  it('violates a rule that asks for it, in added lines only', async () => {
    const file = aFile('src/a.ts', `const old = '${KEY}';\nconst fresh = 1;\n`, { added: [2] });
    const rule = aRuleWith({ type: 'secrets', pack: 'gitleaks' });
    const ask = async (subject: Parameters<typeof checkRule>[1]) =>
      (await checkRule(rule, subject, { context: CONTEXT })).map(({ status }) => status);
    expect(await ask(aSubject([file]))).toEqual(['PASS']);
    expect(await ask(aSubject([{ ...file, added: aFile('a', file.content ?? '').added }]))).toEqual(['VIOLATED']);
    expect(await ask(aSubject([], { plan: KEY }))).toEqual([]);
    expect(await ask(aSubject([aFile('big.txt', 'a '.repeat(600_000))]))).toEqual(['ERROR']);
  });

  it('is said of each place by its own kind', async () => {
    const text = `const token = '${KEY}';\nconst url = 'postgres://ann:k3Jd8sWq0Zx@db.example.org/x';\n`;
    const found = await checkRule(aRuleWith({ type: 'secrets' }), aSubject([aFile('a.ts', text)]), {
      context: CONTEXT,
    });
    expect(found.map(({ places }) => places.map(({ line }) => line))).toEqual([[1], [2]]);
    expect(new Set(found.map(({ reason }) => reason)).size).toBe(2);
  });

  it('is looked for in time that grows with the text and nothing else', () => {
    const shapes =
      String.raw`password=|curl -u a:b -H "x" |-----BEGIN PRIVATE KEY-----\nX: y\n|eyJ|https://a:|token"|00aA`
        .concat(
          String.raw`|kind: Secret\ndata:\n|api_key = '|ENV API_TOKEN |LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt |t.pass('`,
        )
        .replaceAll('\\n', '\n')
        .split('|');
    for (const shape of shapes) {
      const text = shape.repeat(Math.ceil(100_000 / shape.length));
      expectEffortBelow(30, () => findSecrets('a.txt', text), shape);
    }
  });
});
