import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory, type Ended, type Factory } from '../support/factory.ts';
import { EVIL, asked, ruled } from '../support/ruled.ts';

/** One sentence, what to do, and exit code 2. */
function expectRefusal({ code, stderr }: Ended, words: string): void {
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/bug in andon|\n\s+at /);
  expect(code).toBe(2);
}

describe('what cannot be written', () => {
  const inTheWay = (factory: Factory, path: string): void => {
    rmSync(join(factory.repo, path), { recursive: true, force: true });
    factory.write(path, 'in the way\n');
  };

  test('is one sentence where a rule is made', async () => {
    const factory = await ruled();
    inTheWay(factory, '.andon/rules');
    expectRefusal(await factory.andon('rules', 'new', 'a.b'), '.andon/rules is a plain file, not a folder');
  });

  test('is one sentence where the mode is set', async () => {
    const factory = await ruled();
    rmSync(join(factory.repo, '.andon'), { recursive: true });
    inTheWay(factory, '.andon');
    expectRefusal(await factory.andon('enforce', '--mode', 'strict'), '.andon is a plain file, not a folder');
  });

  test('is one sentence where a baseline is taken', async () => {
    const factory = await ruled({ files: { 'a.ts': EVIL } });
    mkdirSync(join(factory.repo, '.andon/baseline.json'));
    const ended = await factory.andon('check', '--file', 'a.ts', '--update-baseline');
    expect(ended.code).toBe(2);
    expect(ended.stderr).not.toContain('bug in andon');
  });
});

describe('the hook is not put', () => {
  test('where hooks are switched off', async () => {
    const factory = await ruled();
    factory.git('config', 'core.hooksPath', '/dev/null');
    expectRefusal(await factory.andon('hook', 'install'), 'git config --unset core.hooksPath');
  });

  test('into a folder outside the repository, which others could share', async () => {
    const factory = await ruled();
    const shared = join(factory.folder, 'shared-hooks');
    factory.git('config', 'core.hooksPath', shared);
    expectRefusal(await factory.andon('hook', 'install'), 'is not of this repository alone');
    expect(existsSync(shared)).toBe(false);
    mkdirSync(shared);
    symlinkSync(shared, join(factory.repo, 'hooks'));
    factory.git('config', 'core.hooksPath', 'hooks');
    expectRefusal(await factory.andon('hook', 'install'), 'is not of this repository alone');
    expect(existsSync(join(shared, 'pre-commit'))).toBe(false);
  });

  test('below a file', async () => {
    const factory = await ruled();
    factory.write('plain', '');
    factory.git('config', 'core.hooksPath', 'plain/hooks');
    expectRefusal(await factory.andon('hook', 'install'), 'cannot be written');
  });
});

test('andon rules feedback about a rule that is not there is refused', async () => {
  const factory = await ruled();
  expectRefusal(await factory.andon('feedback', 'dynamic', 'a.ts:1', '--false', 'no'), 'there is no rule dynamic');
});

describe('what is asked and written wrongly', () => {
  test('rules stats keeps waivers, the baseline and comments apart', async () => {
    const factory = await ruled({
      files: { 'a.ts': EVIL, 'b.ts': `// andon-allow dynamic-code: fine\n${EVIL}`, 'c.ts': EVIL },
    });
    factory.write(
      '.andon/waivers.yaml',
      '- { rule: dynamic-code, reason: r, owner: o, expires: 2999-01-01, path: c.ts }\n',
    );
    await factory.andon('check', '--file', 'a.ts', '--update-baseline');
    await factory.andon('check', '--file', 'a.ts', 'b.ts', 'c.ts');
    expect(JSON.parse((await factory.andon('rules', 'stats', '--json')).stdout)).toMatchObject({
      rules: [{ rule: 'dynamic-code', waived: 1, baselined: 2, allowedInline: 1 }],
    });
    expect((await factory.andon('rules', 'stats')).stdout).toContain('2 in the baseline');
  });
});

describe('words that nothing is done with', () => {
  test.each([
    [['rules', 'list', 'extra'], 'Unexpected argument: extra'],
    [['contract', 'schema', 'extra'], 'Unexpected argument: extra'],
  ])('%j are refused', async (args, words) => {
    expectRefusal(await (await ruled()).andon(...args), words);
  });
});

describe('a project without rules', () => {
  test('is said to have none, also where a change brings only its mode', async () => {
    const factory = await aFactory({ files: { '.andon/config.yaml': 'enforcement: { mode: advisory }\n' } });
    factory.write('.andon/config.yaml', 'enforcement: { mode: strict }\n');
    factory.git('add', '--all');
    const { warnings } = await asked(factory, 'check', '--staged');
    expect(warnings.join()).toContain(
      'both versions count: the version of HEAD passes it with no finding, the version that is staged passes it with no finding',
    );
    expect(warnings.join()).toContain('this project has no rules');
    expect((await factory.andon('rules', 'test')).stdout).toContain('nothing was tried');
  });

  test('is told of names that are nearly those andon reads', { tags: 'thorough' }, async () => {
    const factory = await aFactory({
      files: {
        '.andon/rule/app.yaml': 'x\n',
        '.andon/rules/no-todo.txt': 'x\n',
        '.andon/config.yml': 'x\n',
        '.rulebound/waivers.yaml': 'x\n',
        'a.ts': 'x\n',
      },
    });
    const { warnings } = await asked(factory, 'check', '--file', 'a.ts');
    expect(warnings).toContain('.andon/rule is not read; andon reads .andon/rules');
    expect(warnings).toContain(
      '.andon/rules/no-todo.txt is not read; rules are written in .yaml, .json, .md, .mdc or .toml',
    );
    expect(warnings).toContain('.andon/config.yml is not read; andon reads .andon/config.yaml');
    expect(warnings).toContain('.rulebound/waivers.yaml is not read; andon reads .andon/waivers.yaml');
    expect((await factory.andon('doctor')).stdout).toContain('.andon/rule is not read');
  });
});
