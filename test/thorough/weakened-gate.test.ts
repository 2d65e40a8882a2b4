/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, judges, answerTimes, writes } from '../support/scenario.ts';
import { PATH, resume } from '../support/versions.ts';

const CHECK = `set -e\ngrep -q Authentication docs/auth_v1.md\ngrep -q passkey docs/auth_v2.md\n`;
const WEAKER = `set -e\ngrep -q Authentication docs/auth_v1.md\n`;
const scripts = (test: string): string => `${JSON.stringify({ name: 'a', scripts: { test } }, null, 2)}\n`;
const files = { 'package.json': scripts('sh t/auth.sh'), 't/auth.sh': CHECK };
const projectConfig = { gates: [{ name: 'test', run: 'node --run test' }] };
/** A product that breaks what the gate looks for, and the gate's script made to pass. */
const BENT = { [PATH]: FINAL, 'docs/auth_v2.md': 'Nothing yet.\n', 't/auth.sh': WEAKER };
const everywhere = { 'constraints.allowed_paths': ['**'], 'breaker.max_delete_ratio': 1 };

describe('the gate is not bent', () => {
  test('a script that a gate runs is not emptied under a wide scope: it goes back with the facts, then a human decides', async () => {
    const factory = await aFactory({
      files,
      projectConfig,
      scenario: { implementer: [writes({ [PATH]: FINAL, 'package.json': scripts('exit 0') })] },
    });
    const { dog, status } = await factory.run(aContract(everywhere));
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('weakened_gate');
    expect(factory.git('show', 'main:package.json')).toBe(files['package.json'].trimEnd());
    const fact = 'script "test": "sh t/auth.sh" -> "exit 0"';
    expect(factory.calls('implementer')[1]?.prompt).toContain(fact);
    expect(factory.calls('reviewer')).toEqual([]);
    expect(factory.paper('ERIK_HALT.md')).toContain('exit 0');
    expect((await factory.andon('explain', 'DOC-001')).stdout).toContain('weakened_gate');

    factory.script({ implementer: [writes({ [PATH]: FINAL })] });
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read('package.json')).toBe(files['package.json']);
    expect(factory.git('log', '-1', '--format=%B', 'main^{/Merge}')).not.toContain('Andon-Weakened-Gate');
  });

  test.each([
    ['is not added beside them', ['**'], 'erik_consultation'],
    ['is added where the contract names it', ['docs/', 'packages/money/vitest.config.js'], 'merged'],
  ])('where no results show that all tests still run, what decides which ones run %s', async (_, allowed, end) => {
    const config = 'packages/money/vitest.config.js';
    const factory = await aFactory({
      files: { ...files, 'packages/money/test/add.test.js': 'test();\n' },
      projectConfig,
      scenario: {
        implementer: [writes({ [PATH]: FINAL, [config]: "export default { test: { include: ['test/one.js'] } };\n" })],
      },
    });
    expect((await factory.run(aContract({ ...everywhere, 'constraints.allowed_paths': allowed }))).status).toBe(end);
    if (end === 'merged') return;
    expect(factory.breaker()).toBe('weakened_gate');
    expect(factory.calls('implementer')[1]?.prompt).toContain(`${config}: added; it decides which tests run`);
  });

  test('product code that ends the runner before a test ran makes no green gate', async () => {
    const suite =
      "const { test } = require('node:test');\nconst { one } = require('../src/one.cjs');\ntest('is one', () => require('node:assert').equal(one(), 1));\n";
    const factory = await aFactory({
      files: { 'src/one.cjs': 'exports.one = () => 1;\n', 'test/one.test.cjs': suite },
      projectConfig: { gates: [{ name: 'test', run: 'node --test --test-reporter=tap' }] },
      scenario: {
        implementer: [writes({ [PATH]: FINAL, 'src/one.cjs': 'process.exit(0);\nexports.one = () => 2;\n' })],
      },
    });
    expect((await factory.run(aContract(everywhere))).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('weakened_gate');
    const fact = /gate test runs fewer tests than before: by .+, 1 passed on the base, 0 with the change/;
    expect(factory.calls('implementer')[1]?.prompt).toMatch(fact);
    expect(factory.calls('reviewer')).toEqual([]);
  });

  test('a change that ends the runner only beside tests that came to the target meanwhile is not merged', async () => {
    const suite = (name: string): string =>
      `const { test } = require('node:test');\nconst { one } = require('../src/one.cjs');\ntest('${name}', () => require('node:assert').equal(one(), 1));\n`;
    const sly = `if (require('node:fs').existsSync('test/two.test.cjs')) process.exit(0);\nexports.one = () => 1;\n`;
    const factory = await aFactory({
      files: { 'src/one.cjs': 'exports.one = () => 1;\n', 'test/one.test.cjs': suite('is one') },
      projectConfig: { gates: [{ name: 'test', run: 'node --test --test-reporter=tap' }] },
      scenario: {
        implementer: [writes({ [PATH]: FINAL, 'src/one.cjs': sly })],
        judge: [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })],
      },
    });
    const dog = await factory.begin(aContract(everywhere), 'judging');
    factory.write('test/two.test.cjs', suite('is still one'));
    factory.git('add', '-A');
    factory.git('commit', '-qm', 'another test');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('weakened_gate');
    expect(factory.merges()).toEqual([]);
    expect(dog.output()).toContain('main moved, and on the merge result gate test runs fewer tests than before');
  });

  test('what a human allows is exactly that, and the merge says so', async () => {
    const factory = await aFactory({
      files,
      projectConfig,
      scenario: { implementer: [writes(BENT)] },
    });
    const { dog } = await factory.run(aContract({ ...everywhere, 'constraints.allowed_paths': ['docs/', 't/'] }));
    expect(factory.breaker()).toBe('weakened_gate');
    await resume(factory, 2);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read('t/auth.sh')).toBe(WEAKER);
    const merge = factory.git('log', '--format=%B', 'main');
    expect(merge).toContain('Andon-Weakened-Gate: tests_broken: gate test is red with the tests of the base');
    expect(merge).toContain('allowed by the human in charge');
    expect(factory.calls('reviewer')[0]?.prompt).toContain('tests_broken');
    expect((await factory.andon('report', 'DOC-001')).stdout).toContain('red with the tests of the base');
  });

  test('a contract may allow that tests go; reviewer and judge are told which are gone', async () => {
    const factory = await aFactory({
      files: { ...files, 't/test_more.py': 'def test_one(): pass\n\ndef test_two(): pass\n' },
      projectConfig,
      scenario: { implementer: [writes({ ...BENT, 't/test_more.py': 'def test_one(): pass\n' })] },
    });
    expect((await factory.run(aContract({ ...everywhere, 'constraints.allow_test_loss': true }))).status).toBe(
      'merged',
    );
    expect(factory.calls('reviewer')[0]?.prompt).toContain('tests 2 -> 1; gone: "test_two" (t/test_more.py)');
  });

  test('an exact entry of allowed_paths opens the definition of a gate, a folder does not', async () => {
    const factory = await aFactory({
      files,
      projectConfig,
      scenario: { implementer: [writes({ [PATH]: FINAL, 'package.json': scripts('sh -e t/auth.sh') })] },
    });
    const named = aContract({ ...everywhere, 'constraints.allowed_paths': ['docs/', 'package.json'] });
    expect((await factory.run(named)).status).toBe('merged');
    expect(factory.calls('reviewer')[0]?.prompt).toContain('gate_changed');
  });

  test('what a human committed on the branch is a fact for the judge, and his own word', async () => {
    const factory = await aFactory({
      files,
      projectConfig,
      scenario: { implementer: [answerTimes(2, writes(BENT))] },
    });
    const { dog } = await factory.run(aContract(everywhere));
    expect(factory.breaker()).toBe('weakened_gate');
    factory.git('switch', '--quiet', 'task/DOC-001');
    factory.write('t/auth.sh', `set -e\ntest -f ${PATH}\n`);
    factory.git('commit', '--quiet', '--all', '--message=By hand');
    factory.git('switch', '--quiet', 'main');
    await resume(factory, 2);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.git('show', 'main:t/auth.sh')).toContain(`test -f ${PATH}`);
  });
});
