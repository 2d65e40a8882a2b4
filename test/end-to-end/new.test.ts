import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../support/contract.ts';
import { AUTH_V1, aFactory } from '../support/factory.ts';
import { HAS_TERMINAL, KEYS, inTerminal } from '../support/terminal.ts';

const FLAGS = ['--id', 'DOC-001', '--allow', 'docs/', '--require', 'Merge both documents'];

/** Whatever else can be said about a task. */
const EVERY_FLAG = {
  '--title': 'One document',
  '--criterion': 'Links resolve',
  '--forbid': '*.png',
  '--target-file': 'docs/auth_final.md',
  '--source': 'docs/auth_v1.md',
  '--complexity': 'major',
  '--must-fail-before': 'links',
  '--gate-timeout': '3',
  '--holdout-gate': 'h=true',
  '--holdout-criterion': 'No jokes',
  '--budget-usd': '1.5',
  '--budget-tokens': '9',
  '--budget-minutes': '30',
  '--max-rebuttals': '1',
  '--max-review-cycles': '3',
  '--timeout': '7',
  '--max-diff-size': '90',
  '--max-delete-ratio': '0.5',
  '--priority': '4',
  '--branch': 'develop',
  '--implementer': 'm1',
  '--reviewer': 'm2',
  '--judge': 'm3',
  '--floor-manager': 'human',
  '--name': 'P',
};

describe('andon new with flags', () => {
  test('reads paths relative to the folder it is typed in, and names those that match nothing', async () => {
    const factory = await aFactory();
    const words = [
      'new',
      '--id',
      'DOC-001',
      '--allow',
      'auth_v1.md',
      '--allow',
      'no-such/',
      '--require',
      'x',
      '--print',
    ];
    const { code, stdout, stderr } = await factory.andonIn(join(factory.repo, 'docs'), ...words);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      constraints: { allowed_paths: ['docs/auth_v1.md', 'docs/no-such/'] },
    });
    expect(stderr).toContain('"docs/no-such/" matches no file of the repository');
  });

  test('names what will be in the way of the merge before an agent is paid, and drops the contract all the same', async () => {
    const factory = await aFactory();
    writeFileSync(join(factory.repo, 'docs/auth_v1.md'), 'mine\n');
    const { code, stderr, stdout } = await factory.andon('new', ...FLAGS);
    expect({ code, queued: stdout.startsWith('Submitted') }).toEqual({ code: 0, queued: true });
    expect(stderr).toContain('note: uncommitted edits in ');
  });

  test(
    'writes a contract with every part, which the line then takes up as it stands',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      factory.git('branch', 'develop');
      const { code, stdout } = await factory.andon(
        'new',
        ...FLAGS,
        ...Object.entries(EVERY_FLAG).flat(),
        '--gate',
        'links=true',
        '--gate',
        'size=true',
        '--allow-deletes',
        '--allow-shrink',
      );
      expect({ code, stdout: stdout.split('.')[0] }).toEqual({ code: 0, stdout: 'Submitted: _handoff/TASK_CONTRACT' });
      expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toEqual({
        schema_version: '1.0',
        task_id: 'DOC-001',
        project: 'P',
        complexity: 'major',
        priority: 4,
        status: 'pending_implementer',
        git: { base_branch: 'develop' },
        roles: { implementer: 'm1', local_reviewer: 'm2', judge: 'm3', floor_manager: 'human' },
        limits: {
          max_rebuttals: 1,
          max_review_cycles: 3,
          timeout_minutes: 7,
          budget: { usd: 1.5, tokens: 9, minutes: 30 },
        },
        constraints: {
          allowed_paths: ['docs/'],
          forbidden_paths: ['*.png'],
          allow_deletes: true,
          allow_shrink: true,
          max_diff_size: 90,
        },
        breaker: { max_delete_ratio: 0.5 },
        specification: {
          source_files: [{ path: 'docs/auth_v1.md', hash: hashOf(AUTH_V1) }],
          target_file: 'docs/auth_final.md',
          requirements: ['Merge both documents'],
          acceptance_criteria: ['Links resolve'],
        },
        gates: [
          { name: 'links', run: 'true', timeout_minutes: 3, must_fail_before: true },
          { name: 'size', run: 'true', timeout_minutes: 3 },
        ],
        holdout: { gates: [{ name: 'h', run: 'true' }], criteria: ['No jokes'] },
        title: 'One document',
      });
      expect((await factory.andon('contract', 'lint', '_handoff/TASK_CONTRACT.json')).code).toBe(0);
    },
  );

  test(
    'a busy line gets it into the queue, and an id that waits already is refused',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      expect((await factory.andon('new', ...FLAGS)).stdout).toContain('Submitted: _handoff/TASK_CONTRACT.json');
      const second = await factory.andon('new', ...FLAGS.with(1, 'DOC-002'));
      expect(second.stdout).toContain('Submitted: _handoff/queue/DOC-002.json. It waits its turn');
      for (const id of ['DOC-001', 'doc-002']) {
        const again = await factory.andon('new', ...FLAGS.with(1, id));
        expect(again).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining('an id that no other task has'),
        });
      }
    },
  );

  test('refuses wrong flags in the words of admission and writes nothing', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    for (const [flags, about] of [
      [[], 'Missing options: --require, --allow'],
      [['Menus look nice'], 'No tracked file, or too many, fit the words'],
      [['Auth explains passkeys'], "or take these: andon new 'Auth explains passkeys' --yes"],
      [['Colours are calm', '--yes'], "andon new 'Colours are calm' --allow FILE"],
      [['--id', 'A'], 'Missing options: --require, --allow'],
      [FLAGS.with(1, 'con'), '--id ($.task_id)'],
      [[...FLAGS, '--allow', '../x'], '--allow ($.constraints.allowed_paths'],
      [[...FLAGS, '--target-file', 'src/x.ts'], '--target-file ($.specification.target_file)'],
      [[...FLAGS, '--source', 'docs/none.md'], '--source ($.specification.source_files'],
      [[...FLAGS, '--priority', 'high'], '--priority high. Expected a number.'],
      [[...FLAGS, '--budget-usd', '-1'], '--budget-usd ($.limits.budget.usd)'],
      [[...FLAGS, '--complexity', 'huge'], '--complexity: huge'],
      [[...FLAGS, '--must-fail-before', 'x'], 'Expected a gate of this task'],
      [[...FLAGS, '--gate', 'x'], 'name=command'],
      [[...FLAGS, '--branch', 'nowhere'], '--branch ($.git'],
      [[...FLAGS, '--forbid', 'docs/auth_final.md', '--target-file', 'docs/auth_final.md'], 'forbidden_paths'],
    ] as const) {
      const { code, stdout, stderr } = await factory.andon('new', ...flags);
      expect({ code, stdout }, about).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(about);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(factory.has('_handoff')).toBe(false);
    }
  });

  test('a source file that is not the one of the target branch is refused, with both hashes', async () => {
    const factory = await aFactory();
    factory.write('docs/auth_v1.md', 'changed\n');
    const { code, stderr } = await factory.andon('new', ...FLAGS, '--source', 'docs/auth_v1.md');
    expect(code).toBe(2);
    expect(stderr).toContain(hashOf('changed\n'));
    expect(stderr).toContain(hashOf(AUTH_V1));
  });

  test('saves elsewhere without dropping, and never over a file', async () => {
    const factory = await aFactory();
    expect((await factory.andon('new', ...FLAGS, '--save', '../later/c.json')).code).toBe(0);
    expect(existsSync(join(factory.folder, 'later/c.json'))).toBe(true);
    expect(factory.has('_handoff')).toBe(false);
    const again = await factory.andon('new', ...FLAGS, '--save', '../later/c.json');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') });
  });
});

describe('andon new with a sentence', () => {
  test('infers the whole contract from a sentence that names a file', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const { code, stdout, stderr } = await factory.andon('new', 'Check the links of auth_v1.md');
    expect({ code, queued: stdout.startsWith('Submitted: _handoff/TASK_CONTRACT.json.') }).toEqual({
      code: 0,
      queued: true,
    });
    expect(stdout).toContain('Its change will be merged into main, the target now.');
    expect(stderr).toContain('scope: docs/auth_v1.md (named in the sentence)');
    expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toMatchObject({
      task_id: 'CHECK-THE-LINKS-OF-AUTH-V1-MD',
      title: 'Check the links of auth_v1.md',
      constraints: { allowed_paths: ['docs/auth_v1.md'] },
      specification: { requirements: ['Check the links of auth_v1.md'] },
    });
    const again = await factory.andon('new', 'Check the links of auth_v1.md');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('an id that no other task has') });
  });

  test('takes words without quotes, and flags win over what it infers', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const flags = ['--id', 'A-1', '--title', 'Links', '--allow', 'docs/', '--complexity', 'trivial', '--print'];
    const { stdout } = await factory.andon('new', 'Keep', 'the', 'links', ...flags);
    expect(JSON.parse(stdout)).toMatchObject({
      task_id: 'A-1',
      title: 'Links',
      complexity: 'trivial',
      constraints: { allowed_paths: ['docs/'] },
      specification: { requirements: ['Keep the links'] },
    });
  });

  test('names the sentence that --allow took for a path', async () => {
    const factory = await aFactory();
    const { code, stderr } = await factory.andon('new', '--allow', 'docs/', 'Keep the links', '--yes');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`andon new 'Keep the links' --allow FILE`) as unknown,
    });
  });

  test('leaves out a file that the sentence names without wanting it changed, and says so', async () => {
    const factory = await aFactory({ files: { 'package.json': '{}\n' } });
    const kept = 'Shorten auth_v1.md, keep package.json unchanged';
    const { code, stdout, stderr } = await factory.andon('new', kept, '--print');
    expect({ code, said: stderr.includes('package.json: named, but not clearly') }).toEqual({ code: 0, said: true });
    expect(JSON.parse(stdout)).toMatchObject({ constraints: { allowed_paths: ['docs/auth_v1.md'] } });
    const refused = await factory.andon('new', 'Shorten auth_v1.md, package.json is not ours', '--yes');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('docs/auth_v1.md, package.json: named, but not clearly as what may change'),
    });
  });

  test('takes a sentence of several lines, which is no title', async () => {
    const factory = await aFactory();
    const { code, stdout } = await factory.andon('new', 'Ändere die Größe\nin auth_v1.md', '--print', '--yes');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      task_id: 'ANDERE-DIE-GROSSE-IN-AUTH-V1-MD',
      specification: { requirements: ['Ändere die Größe\nin auth_v1.md'] },
    });
    expect(JSON.parse(stdout)).not.toHaveProperty('title');
  });

  test('never infers a protected file as the scope', async () => {
    const factory = await aFactory({ files: { 'AGENTS.md': 'Rules\n' } });
    const { code, stderr } = await factory.andon('new', 'Shorten AGENTS.md', '--yes');
    expect({ code, missing: stderr.includes('--allow') }).toEqual({ code: 2, missing: true });
  });
});

describe.skipIf(!HAS_TERMINAL)('andon new at a terminal (needs `script` of util-linux)', () => {
  test('shows the whole proposal, asks once and submits it', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const talk = inTerminal(factory, ['new', 'Check the links of auth_v1.md']);
    await talk.answer('Submit it?', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(talk.shown()).toMatch(/allowed paths +docs\/auth_v1\.md \(named in the sentence\)/);
    expect(talk.shown()).toMatch(/merged into +main/);
    expect(factory.has('_handoff/TASK_CONTRACT.json')).toBe(true);
  });

  test('asks for the sentence and the scope where they are missing', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const talk = inTerminal(factory, ['new']);
    await talk.answer('What must hold afterwards?', 'Menus look nice', KEYS.enter);
    await talk.answer('Which files may change?', 'docs/ x', KEYS.enter);
    await talk.see('expected the path alone');
    talk.type(KEYS.erase, 'docs/, menu.md', KEYS.enter);
    await talk.answer('Submit it?', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toMatchObject({
      task_id: 'MENUS-LOOK-NICE',
      constraints: { allowed_paths: ['docs/', 'menu.md'] },
    });
  });

  test('does not offer to submit a contract with a fault', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const VISUAL = 'sed -i s/CHECK-THE-LINKS-OF-AUTH-V1-MD/con/';
    const talk = inTerminal(factory, ['new', 'Check the links of auth_v1.md'], { VISUAL });
    await talk.answer('Submit it?', KEYS.down, KEYS.enter);
    await talk.answer('It would be refused. Edit it?', KEYS.down, KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(1);
    expect(factory.paper('TASK_CONTRACT.json')).toBeUndefined();
  });

  test('opens the contract in $EDITOR, and keeps it when the editor fails', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const VISUAL = 'sed -i s/CHECK-THE-LINKS-OF-AUTH-V1-MD/DOC-8/';
    const talk = inTerminal(factory, ['new', 'Check the links of auth_v1.md'], { VISUAL });
    await talk.answer('Submit it?', KEYS.down, KEYS.enter);
    await talk.answer('Submit it?', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toMatchObject({ task_id: 'DOC-8' });
    const second = inTerminal(factory, ['new', 'Check the links of auth_v1.md'], { VISUAL: 'false' });
    await second.answer('Submit it?', KEYS.down, KEYS.enter);
    await second.see('the contract is unchanged');
    await second.answer('Submit it?', KEYS.down, KEYS.down, KEYS.enter);
    expect(await second.ended, second.shown()).toBe(1);
  });

  test.each([
    ['Cancel', [KEYS.down, KEYS.down, KEYS.enter], 'Cancelled. Nothing was written.'],
    ['Ctrl-C', [KEYS.ctrlC], 'You left; nothing was written.'],
  ])('%s writes nothing', { tags: 'thorough' }, async (_, keys, words) => {
    const factory = await aFactory();
    const talk = inTerminal(factory, ['new', 'Check the links of auth_v1.md']);
    await talk.answer('Submit it?', ...keys);
    expect(await talk.ended, talk.shown()).toBe(1);
    expect(talk.shown()).toContain(words);
    expect(factory.has('_handoff')).toBe(false);
  });
});
