import { describe, expect, test } from 'vitest';
import { checkRule } from '../../../../src/rules/run-rules.ts';
import { forbidsSecretsInCode } from '../../../../src/rules/checks/secrets.ts';
import { CONTEXT, aFile, aRule, aSubject } from '../../../support/rules.ts';

const KEY = ['sk_li', 've_51H8xQ2bVtYzR4mNpLkJ7aGd'].join('');
const rule = (title: string, content = title) => aRule({ title, content, match: undefined, checks: [] });

describe('a rule in prose about secrets in code', () => {
  test.each([
    ['No Hardcoded Secrets', 'Use environment variables.'],
    ['Configuration', 'Never hardcode API keys, passwords or tokens.'],
    ['Credentials', 'Do not commit credentials to the repository.'],
    ['Keys', 'Private keys must not be in source code.'],
    ['비밀번호', '비밀번호를 하드코딩하지 마세요.'],
    ['密钥', '不要硬编码密钥。'],
  ])('is seen as one: %s', (title, content) => {
    expect(forbidsSecretsInCode(rule(title, content))).toBe(true);
  });

  test.each([
    ['Token lifetime', 'Tokens are valid for 15 minutes.'],
    ['Rotation', 'Rotate passwords every year.'],
    ['Source files', 'Do not put more than one class into a source file.'],
    ['Secrets', 'Read secrets from environment variables.'],
    ['Repository', 'Every repository has a README.'],
  ])('is not seen in another: %s', (title, content) => {
    expect(forbidsSecretsInCode(rule(title, content))).toBe(false);
  });

  test('is held against the lines that a change adds', async () => {
    const held = (text: string) =>
      checkRule(rule('No Hardcoded Secrets'), aSubject([aFile('src/a.ts', text)]), { context: CONTEXT });
    const [found] = await held(`const a = 1;\nconst k = '${KEY}';\n`);
    expect(found).toMatchObject({ status: 'VIOLATED', places: [{ file: 'src/a.ts', line: 2 }] });
    expect(await held('const k = process.env.KEY;\n')).toMatchObject([{ status: 'PASS' }]);
  });

  test('still is held against plans, and one with a check of its own stays as it is written', async () => {
    const plan = await checkRule(
      rule('No Hardcoded Secrets', 'Never hardcode API keys.'),
      { ...aSubject([]), plan: 'We hardcode the API key.' },
      { context: CONTEXT },
    );
    expect(plan.map(({ status }) => status)).toContain('VIOLATED');
    const own = aRule({
      title: 'No Hardcoded Secrets',
      content: 'x',
      match: { on: 'added_lines', mode: 'forbid', pattern: 'zzz' },
    });
    expect(await checkRule(own, aSubject([aFile('a.ts', `k = '${KEY}'\n`)]), { context: CONTEXT })).toMatchObject([
      { status: 'PASS' },
    ]);
  });
});
