import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL, judges, reviewPasses, writes } from '../support/scenario.ts';
import { PATH, resume } from '../support/versions.ts';

const MORE = { evidence: [{ file: 'docs/more.md', line: 1, quote: 'More' }] };
const SHELL_TESTS = { name: 'test', run: 'for f in t/*.sh; do sh "$f" || { echo "$f is red"; exit 1; }; done' };

describe('a gate that is red on the target', () => {
  test('and whose results file was not written halts with its name', async () => {
    const gate = { name: 'test', run: 'echo no pytest here; exit 1', results: 'junit.xml' };
    const factory = await aFactory({ projectConfig: { gates: [gate] } });
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('base_red');
    expect(factory.paper('ERIK_HALT.md')).toMatch(/because the gate did not write its \\?`results\\?`, junit\.xml\./);
  });

  test(
    'is asked before an agent costs anything, and hides no damage that a change does beside it',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({
        files: { 't/a.sh': 'exit 0\n', 't/z.sh': 'exit 1\n' },
        projectConfig: { gates: [SHELL_TESTS] },
        scenario: { implementer: [writes({ [PATH]: FINAL, 't/a.sh': 'exit 1\n' })] },
      });
      const contract = aContract({ 'constraints.allowed_paths': ['docs/', 't/a.sh'], 'limits.max_review_cycles': 0 });
      const { dog, status } = await factory.run(contract);
      expect(status).toBe('erik_consultation');
      expect(factory.breaker()).toBe('base_red');
      expect(factory.calls()).toEqual([]);
      expect(factory.paper('ERIK_HALT.md')).toContain('t/z.sh is red');
      await resume(factory, 1);
      await dog.until(() => factory.breaker() === 'review_cycle_limit');
      expect(factory.calls('judge')).toEqual([]);
      expect(factory.merges()).toEqual([]);
    },
  );

  test(
    'because what it runs is not installed halts once for each gate, and nothing is paid or merged',
    { tags: 'thorough' },
    async () => {
      const gates = ['types', 'lint', 'test'].map((name) => ({ name, run: `.venv/bin/python -m ${name}` }));
      const factory = await aFactory({
        files: { '.gitignore': '.venv\n' },
        projectConfig: { share: ['.venv'], gates },
      });
      factory.write('.venv/bin/python', '#!/bin/sh\necho "No module named $2"; exit 1\n');
      chmodSync(join(factory.repo, '.venv/bin/python'), 0o755);
      const { status } = await factory.run(aContract());
      expect(status).toBe('erik_consultation');
      expect(factory.breaker()).toBe('base_red');
      expect(factory.paper('ERIK_HALT.md')).toContain('No module named types');
      expect(factory.calls()).toEqual([]);
      expect(factory.merges()).toEqual([]);
    },
  );
});

describe('a gate that gives differing answers on the target', { tags: 'thorough' }, () => {
  test('is flaky: neither red nor green, and nothing begins', async () => {
    const run = 'test -e "$HOME/once" || { touch "$HOME/once"; exit 1; }';
    const factory = await aFactory({ projectConfig: { gates: [{ name: 'sometimes', run }] } });
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('base_red');
    expect(factory.paper('ERIK_HALT.md')).toContain('gate sometimes is flaky on main');
    expect(factory.calls()).toEqual([]);
  });
});

describe('what the base says', { tags: 'thorough' }, () => {
  const COUNTS = { name: 'counts', run: 'echo run >> "$HOME/runs"' };
  const runs = (factory: Factory): number => factory.read('../home/runs').trim().split('\n').length;

  test('is asked once for a tree, also over a restart; the next task asks only about what is new', async () => {
    const factory = await aFactory({ files: { 'TODO.md': 'nothing\n' }, projectConfig: { gates: [COUNTS] } });
    const first = await factory.run(aContract({ task_id: 'DOC-001' }));
    expect(first.status).toBe('merged');
    expect(runs(factory)).toBe(2); // on the base, and on the change
    await first.dog.stop();
    factory.script({ implementer: [writes({ 'docs/more.md': 'More\n' })], judge: [judges('PASS', MORE)] });
    await factory.run(aContract({ task_id: 'DOC-002', 'specification.target_file': 'docs/more.md' }));
    expect(factory.isMerged('DOC-002')).toBe(true);
    expect(runs(factory)).toBe(3); // the gate run on what was merged is the base run of the next task
  });
});

describe('a repository without any gate', { tags: 'thorough' }, () => {
  test('is told so at admission, in status and in the merge; with require_gates its contracts are refused', async () => {
    const factory = await aFactory({
      scenario: { reviewer: [reviewPasses({ does: [{ touch: 'at' }, { 'wait-for': 'go' }] })] },
    });
    const dog = await factory.begin(aContract(), 'at');
    expect((await factory.andon('status')).stdout).toContain('no gate: only the reviewers decide');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect((await factory.show('DOC-001')).story[0]?.text).toContain('there is no gate');
    await dog.stop();
    factory.write('.andon/config.yaml', 'require_gates: true\n');
    const next = await factory.watch();
    factory.drop(aContract({ task_id: 'DOC-002' }));
    await next.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('require_gates'));
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('"run": "npm test"');
    expect(factory.calls('implementer')).toHaveLength(1);
  });
});

describe('a gate of the contract', { tags: 'thorough' }, () => {
  test('that runs a test which the change brings must be green, though it could not be green before', async () => {
    const test = "import assert from 'node:assert';\nassert.equal(1, 2);\n";
    const factory = await aFactory({
      scenario: { implementer: [writes({ [PATH]: FINAL, 'docs/new.test.mjs': test })] },
    });
    const gates = [{ name: 'new', run: 'node docs/new.test.mjs' }];
    const { status } = await factory.run(aContract({ gates, 'limits.max_review_cycles': 0 }));
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('review_cycle_limit');
    expect(factory.merges()).toEqual([]);
  });
});

describe('a gate that a change breaks', { tags: 'thorough' }, () => {
  const TAP = `node -e "const n = require('node:fs').readFileSync('${PATH}', 'utf8').includes('15') ? '' : 'not '; console.log('TAP version 13\\n1..2\\nok 1 - starts\\n' + n + 'ok 2 - names the minutes\\n' + (n === '' ? '' : '  ---\\n  error: minutes are missing\\n  expected: 15\\n  actual: 5\\n  ...\\n')); process.exit(n === '' ? 0 : 1)"`;

  test('is explained by its failed tests, to the implementer, in the story and at the halt', async () => {
    const factory = await aFactory({
      projectConfig: { gates: [{ name: 'test', run: TAP }] },
      files: { [PATH]: FINAL },
      scenario: { implementer: [writes({ [PATH]: FINAL.replace('15', '5') })] },
    });
    const { status } = await factory.run(
      aContract({ 'limits.max_review_cycles': 1, 'constraints.allow_shrink': true }),
    );
    expect(status).toBe('erik_consultation');
    const explained = '- names the minutes\n    error: minutes are missing\n    expected: 15\n    actual: 5';
    expect(factory.calls('implementer').at(-1)?.prompt).toContain(explained);
    expect(factory.paper('ERIK_HALT.md')).toContain(explained);
    expect((await factory.andon('show', 'DOC-001')).stdout).toContain('red: test (1 failed: names the minutes)');
  });
});
