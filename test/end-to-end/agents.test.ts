import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addAgent } from '../support/edit-drivers.ts';
import { aFactory } from '../support/factory.ts';
import { forbids, ruleFile } from '../support/rule-files.ts';
import { EVIL, ruled } from '../support/ruled.ts';

const RULES = ruleFile(forbids('security.no-eval', 'eval', { category: 'security' }), forbids('style.no-todo', 'TODO'));
const AGENTS = `{
    "agents": {
        "claude-admin": { "roles": ["reviewer", "security"], "rules": ["security/*"], "enforcement": "strict" },
        "stylist": { "rules": ["style/*", "naming/*"] }
    }
}
`;
const world = () => ruled({ files: { 'src/bad.ts': EVIL, '.rulebound/agents.json': AGENTS } }, 'advisory', RULES);

describe('andon agents', () => {
  test('lists every profile with the rules it is held to, and patterns that name none', async () => {
    const factory = await world();
    const { stdout, code } = await factory.andon('agents', 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/claude-admin\s+strict\s+1 of 2 rules\s+security, reviewer/);
    expect(stdout).toMatch(/stylist\s+as the project\s+1 of 2 rules\s+no role/);
    expect(stdout).toContain('no rule is named by naming/*');
    const { agents } = JSON.parse((await factory.andon('agents', 'list', '--json')).stdout) as {
      readonly agents: readonly object[];
    };
    expect(agents).toMatchObject([
      { name: 'claude-admin', held_to: ['security.no-eval'], idle: [] },
      { name: 'stylist', held_to: ['style.no-todo'], idle: ['naming/*'] },
    ]);
  });

  test('says nothing of rules in a project without rules', { tags: 'thorough' }, async () => {
    const factory = await ruled({}, 'advisory', 'schema: andon.rules/v1\nrules: []\n');
    await factory.andon('agents', 'add', 'writer', '--driver', 'claude', '--rule', 'security/*');
    const listed = await factory.andon('agents', 'list');
    expect(listed.stdout).toMatch(/^writer {2}as the project +no role {2}by claude {2}\.andon\/agents\/writer\.yaml$/m);
    const shown = await factory.andon('agents', 'show', 'writer');
    expect(shown.stdout).toMatch(/^driver +claude$/m);
    expect(`${listed.stdout}${shown.stdout}`).not.toMatch(/\brules?\b/);
  });

  test('run applies the rules of one profile, as hard as it says', { tags: 'thorough' }, async () => {
    const factory = await world();
    const file = ['--file', 'src/bad.ts'];
    expect(await factory.andon('check', ...file)).toMatchObject({ code: 0 });
    const strict = await factory.andon('agents', 'run', 'claude-admin', ...file);
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain('security.no-eval');
    expect(await factory.andon('agents', 'run', 'stylist', ...file)).toMatchObject({ code: 0 });
  });

  test('run looks at what the branch changed where nothing else is named', { tags: 'thorough' }, async () => {
    const factory = await world();
    factory.git('switch', '-q', '-c', 'feature');
    factory.write('src/new.ts', EVIL);
    factory.git('add', '--all');
    factory.git('commit', '-qm', 'more of it');
    const { code, stdout } = await factory.andon('agents', 'run', 'claude-admin', '--base', 'main');
    expect(code).toBe(1);
    expect(stdout).toContain('src/new.ts:1');
    expect(stdout).not.toContain('src/bad.ts');
  });

  test('a profile that no rule answers to passes nothing', async () => {
    const factory = await world();
    factory.write('.andon/agents/lost.yaml', 'rules: [sekurity/*]\n');
    const { code, stderr } = await factory.andon('agents', 'run', 'lost', '--file', 'src/bad.ts');
    expect(code).toBe(2);
    expect(stderr).toContain('held to no rule');
    expect(stderr).toContain('.andon/agents/lost.yaml');
  });

  test('a profile in a project without rules is told how to write a first one', async () => {
    const factory = await ruled({}, 'advisory', 'schema: andon.rules/v1\nrules: []\n');
    await factory.andon('agents', 'add', 'qa');
    const { code, stderr } = await factory.andon('agents', 'run', 'qa', '--file', 'README.md');
    expect(code).toBe(2);
    expect(stderr).toContain('andon rules new');
  });

  test('a name that is not there is answered with those that are', async () => {
    const factory = await world();
    const { code, stderr } = await factory.andon('agents', 'run', 'claude-admim', '--file', 'src/bad.ts');
    expect(code).toBe(2);
    expect(stderr).toContain('The nearest is claude-admin.');
    expect(stderr).toContain('available agents: claude-admin, stylist');
  });

  test('add writes a file of its own beside that of another tool', async () => {
    const factory = await world();
    const added = await factory.andon('agents', 'add', 'claude-qa', '--role', 'qa', '--enforcement', 'moderate');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(factory.read('.rulebound/agents.json')).toBe(AGENTS);
    expect((await factory.andon('agents', 'show', 'claude-qa')).stdout).toContain('rules        all: 2 of 2');
    expect(await factory.andon('agents', 'add', 'claude-qa')).toMatchObject({ code: 2 });
  });

  test('add writes a file of its own where no other tool has one', async () => {
    const factory = await ruled({}, 'advisory', RULES);
    await factory.andon('agents', 'add', 'claude-qa', '--role', 'qa', '--rule', 'security/*');
    expect(factory.read('.andon/agents/claude-qa.yaml')).toContain('roles:\n  - qa\nrules:\n  - security/*\n');
    expect((await factory.andon('agents', 'list')).stdout).toMatch(/claude-qa\s+as the project\s+1 of 2 rules\s+qa/);
  });

  test('wrong words end with 2 and write nothing', async () => {
    const factory = await world();
    for (const [what, args] of [
      ['a role that nobody has', ['add', 'x', '--role', 'boss']],
      ['a mode that is none', ['add', 'x', '--enforcement', 'fierce']],
      ['a name that is none', ['add', '../x']],
      ['no name', ['run']],
      ['a name too many', ['list', 'x']],
      ['another word', ['remove', 'x']],
    ] as const) {
      expect((await factory.andon('agents', ...args)).code, what).toBe(2);
      expect(factory.read('.rulebound/agents.json')).toBe(AGENTS);
      expect(factory.has('.andon/agents')).toBe(false);
    }
  });

  test('profiles with a fault in them are named with their line, and nobody runs', async () => {
    const factory = await ruled(
      { files: { '.rulebound/agents.json': AGENTS.replace('"strict"', '"STRICT"') } },
      'advisory',
      RULES,
    );
    const listed = await factory.andon('agents', 'list');
    expect(listed.code).toBe(2);
    expect(listed.stdout).toContain('.rulebound/agents.json:3');
    expect(await factory.andon('agents', 'run', 'stylist', '--file', 'README.md')).toMatchObject({ code: 2 });
    expect(await factory.andon('agents', 'add', 'x')).toMatchObject({ code: 2 });
  });
});

/** A factory whose user has a driver with one kind of call. */
async function withCall(name: string, kind: 'edit' | 'review') {
  const factory = await aFactory();
  const program = join(factory.folder, `${name}.sh`);
  writeFileSync(program, '#!/bin/sh\necho VERDICT: PASS\n', { mode: 0o755 });
  addAgent(factory, name, { program, calls: { [kind]: { args: [] } }, output: { format: 'text' } });
  return factory;
}

test('`agents test` tries an agent that only reviews at nothing else', async () => {
  const { stdout } = await (await withCall('reads', 'review')).andon('agents', 'test', 'reads');
  expect(stdout).toContain('review call');
  expect(stdout).not.toContain('edit call');
});

test('`agents add --edits` names the fault of a driver, not that it cannot edit', async () => {
  const factory = await withCall('edits', 'edit');
  const { code, stderr } = await factory.andon('agents', 'add', 'writer', '--driver', 'edits', '--edits');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('agents.edits: door.to: expected') });
});
