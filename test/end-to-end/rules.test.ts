import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory, type Factory } from '../support/factory.ts';
import { expectRefusal } from '../support/places.ts';

async function aProject(files: Readonly<Record<string, string>> = {}): Promise<Factory> {
  const factory = await aFactory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(factory.repo, name)), { recursive: true });
    writeFileSync(join(factory.repo, name), text);
  }
  return factory;
}

const RULES = `schema: andon.rules/v1
extends: [secrets]
rules:
  - id: style.no-todo
    severity: MEDIUM
    title: No TODO
    match: { pattern: '\\bTODO\\b', keywords: [todo] }
    tests: { violates: ['// TODO: x'], passes: ['const todos = []'] }
`;

describe('andon rules', () => {
  test('list names every rule, what it does and where it comes from', async () => {
    const { andon } = await aProject({ '.andon/rules/project.yaml': RULES });
    const { code, stdout } = await andon('rules', 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^security\.no-hardcoded-secrets +P0 MUST +TERMINATE .* andon\/secrets:3$/m);
    expect(stdout).toMatch(/^style\.no-todo +P2 SHOULD +LOG_ONLY +No TODO +\.andon\/rules\/project\.yaml:4$/m);
    const facts = JSON.parse((await andon('rules', 'list', '--json')).stdout) as { rules: { id: string }[] };
    expect(facts.rules.map(({ id }) => id)).toEqual(['security.no-hardcoded-secrets', 'style.no-todo']);
  });

  test('show prints one rule with every default, and where it came from', async () => {
    const { andon } = await aProject({ '.andon/rules/project.yaml': RULES });
    const { code, stdout } = await andon('rules', 'show', 'style.no-todo');
    expect(code).toBe(0);
    expect(stdout).toContain('# from .andon/rules/project.yaml:4');
    expect(stdout).toContain('priority: P2');
    expect(stdout).toContain('handler: LOG_ONLY');
    expectRefusal(await andon('rules', 'show', 'none'), 'Unknown rule: none');
  });

  test('import copies a sound file of another tool, never over another one, and refuses one with faults', async () => {
    const sound = '# Tests\n- Write a test for every bug\n';
    const factory = await aProject({ 'AGENTS.md': sound, 'own.toml': "[[rules]]\nid = 'tok'\nregex = '('\n" });
    expect(await factory.andon('rules', 'import', 'AGENTS.md')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Wrote 1 rule to .andon/rules/AGENTS.md.') as string,
    });
    expect(factory.read('.andon/rules/AGENTS.md')).toBe(sound);
    expect((await factory.andon('rules', 'list')).stdout).toContain('Write a test for every bug');
    expectRefusal(await factory.andon('rules', 'import', 'AGENTS.md'), 'is there already');
    const faulty = await factory.andon('rules', 'import', 'own.toml');
    expect(faulty).toMatchObject({ code: 2, stdout: expect.stringContaining('own.toml has faults') as string });
    expect(factory.has('.andon/rules/own.toml')).toBe(false);
    expectRefusal(await factory.andon('rules', 'import', 'nowhere.toml'), 'There is no file nowhere.toml.');
    expectRefusal(await factory.andon('rules', 'import'), 'Missing argument: file.');
  });

  test('lint names file, line, path, what is wrong and what to do, and ends with 2', async () => {
    const { andon } = await aProject({
      '.andon/rules/bad.yaml': 'rules:\n  - id: A\n    severty: HIGH\n    severity: LOW\n',
    });
    const { code, stdout } = await andon('rules', 'lint');
    expect(code).toBe(2);
    expect(stdout).toBe(
      'bad .andon/rules/bad.yaml:3  $.rules[0].severty\n    the key "severty" is not known\n    the nearest known key is `severity`\n',
    );
    expect((await andon('rules', 'list')).code).toBe(2);
    const facts = JSON.parse((await andon('rules', 'lint', '--json')).stdout) as object;
    expect(facts).toMatchObject({
      rules: 0,
      faults: [{ file: '.andon/rules/bad.yaml', line: 3, path: '$.rules[0].severty' }],
    });
  });

  test('lint looks over single files as well, and never shows what could steer a terminal', async () => {
    const { andon } = await aProject({
      'good.yaml': RULES,
      'bad.yaml': 'rule: { id: A, severity: "\\e[31mRED\\e[0m" }\n',
    });
    expect(await andon('rules', 'lint', 'good.yaml')).toMatchObject({ code: 0, stdout: 'ok  2 rules\n' });
    const bad = await andon('rules', 'lint', 'bad.yaml');
    expect(bad.code).toBe(2);
    expect(bad.stdout).not.toContain('\u001b[31m');
    expectRefusal(await andon('rules', 'lint', 'none.yaml'), 'There is no file none.yaml.');
  });

  test('test tries the examples, and ends with 1 when one comes out otherwise', { tags: 'thorough' }, async () => {
    const factory = await aProject({ '.andon/rules/project.yaml': RULES });
    expect((await factory.andon('rules', 'test')).code).toBe(0);
    const one = await factory.andon('rules', 'test', 'style.no-todo');
    expect(one.stdout).toContain('2 of 2 examples');
    const two = await factory.andon('rules', 'test', 'style.no-todo', 'security.no-hardcoded-secrets');
    expect(two.stdout.match(/of \d+ examples/g)).toHaveLength(2);
    expectRefusal(await factory.andon('rules', 'test', 'style.no-todo', 'none', 'nor'), 'faulty rule: none, nor.');
    writeFileSync(join(factory.repo, '.andon/rules/project.yaml'), RULES.replace('// TODO: x', '// later'));
    const bad = await factory.andon('rules', 'test', 'style.no-todo');
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('bad violates');
    expect((await factory.andon('rules', 'lint')).code).toBe(2);
    expectRefusal(await factory.andon('rules', 'test', 'none'), 'none');
  });

  test('new writes a rule that is sound as it stands, and never overwrites one', { tags: 'thorough' }, async () => {
    const factory = await aProject();
    const made = await factory.andon('rules', 'new', 'style.todo');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('.andon/rules/style.todo.yaml') as string });
    expect(await factory.andon('rules', 'lint')).toMatchObject({ code: 0, stdout: 'ok  1 rule\n' });
    factory.write('a.js', '// TODO: later\n');
    expect((await factory.andon('check', '--file', 'a.js')).stdout).toContain('a.js:1:4: MEDIUM style.todo');
    expect((await factory.andon('rules', 'test')).stdout).toContain('4 of 4 examples');
    expectRefusal(await factory.andon('rules', 'new', 'style.todo'), 'is there already');
    expectRefusal(await factory.andon('rules', 'new', '../evil'), 'no id of a rule');
  });

  test('stats counts what was written down per rule, and what was marked false', { tags: 'thorough' }, async () => {
    const factory = await aProject({ '.andon/rules/project.yaml': RULES });
    expect(await factory.andon('rules', 'stats')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing is recorded yet') as string,
    });
    factory.write('src/a.ts', 'const a = 1; // TODO\n// TODO andon-allow style.no-todo: it is a name\n');
    await Promise.all([factory.andon('check', '--file', 'src/a.ts'), factory.andon('check', '--file', 'src/a.ts')]);
    await factory.andon('feedback', 'style.no-todo', 'src/a.ts:1', '--false', 'it is a name');
    const repositories = join(factory.folder, 'state/andon/repositories');
    const file = join(repositories, readdirSync(repositories)[0] ?? '', 'audit/rule_violations.jsonl');
    const ids = readFileSync(file, 'utf8').match(/RULE-\d{8}-\d{3}/g);
    expect(new Set(ids).size).toBe(4);
    appendFileSync(file, '{"torn": \n');
    const facts = JSON.parse((await factory.andon('rules', 'stats', '--json')).stdout) as object;
    expect(facts).toMatchObject({
      rules: [{ rule: 'style.no-todo', violations: 2, waived: 0, allowedInline: 2, markedFalse: 1 }],
      unreadable: 1,
    });
  });

  test('that are asked for something else say what there is', async () => {
    const { andon } = await aProject();
    expectRefusal(await andon('rules', 'frobnicate'), 'Known: list, show, lint, test, new, import, stats');
    expectRefusal(await andon('rules', 'show'), 'Missing argument: rule id');
  });
});
