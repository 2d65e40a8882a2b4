/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, judges, writes } from '../support/scenario.ts';
import { PATH, resume } from '../support/versions.ts';

const MORE = { evidence: [{ file: 'docs/more.md', line: 1, quote: 'More' }] };
/** A runner that prints TAP: one test per line of `tests.txt`, which says how it comes out. */
const TAP = {
  name: 'tap',
  run: 'node -e \'const rows = require("fs").readFileSync("docs/tests.txt", "utf8").trim().split("\\n"); console.log("TAP version 13"); rows.forEach((row, at) => console.log(`${row.startsWith("ok") ? "ok" : "not ok"} ${at + 1} - ${row.split(" ")[1]}`)); console.log(`1..${rows.length}`); process.exit(rows.every((row) => row.startsWith("ok")) ? 0 : 1)\'',
};

describe('a gate that is red on the target and whose results can be read', () => {
  const aLine = (after: string) =>
    aFactory({
      files: { 'docs/tests.txt': 'ok one\nbad two\nok three\n' },
      projectConfig: { gates: [TAP] },
      scenario: { implementer: [writes({ [PATH]: FINAL, 'docs/tests.txt': after })] },
    });

  test('is compared test by test, if a human wants that: it stays red, nothing green is lost, and the merge says so', async () => {
    const factory = await aLine('ok one\nbad two\nok three\nbad four\n');
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect(factory.paper('ERIK_HALT.md')).toContain('Compare it test by test');
    expect(factory.calls()).toEqual([]);
    await resume(factory, 2);
    await dog.until(() => factory.isMerged());
    const [merge = ''] = factory.merges();
    expect(factory.git('log', '-1', '--format=%(trailers:key=Andon-Gate-Consent,valueonly)', merge)).toContain(
      'tap; not green on the base, compared test by test; halt DOC-001-1',
    );
    expect((await factory.andon('show', 'DOC-001')).stdout).toContain('gate tap: red (on the base: red)');

    // The next task builds on what was merged under that word; it is not asked again.
    factory.script({ implementer: [writes({ 'docs/more.md': 'More\n' })], judge: [judges('PASS', MORE)] });
    factory.drop(aContract({ task_id: 'DOC-002', 'specification.target_file': 'docs/more.md' }));
    await dog.until(() => factory.isMerged('DOC-002') || factory.isHalted());
    expect(factory.archivedAs('DOC-002')).toBe('merged');
  });

  test('blocks the merge when one test that was green is red or missing', async () => {
    const factory = await aLine('bad one\nok two\n');
    const { dog } = await factory.run(aContract({ 'limits.max_review_cycles': 0 }));
    await resume(factory, 2);
    await dog.until(() => factory.breaker() === 'review_cycle_limit');
    expect(factory.calls('implementer')).toHaveLength(1);
    expect(factory.calls('judge')).toEqual([]);
    expect(factory.merges()).toEqual([]);
    const told = (await factory.show('DOC-001')).status_reason;
    expect(told).toContain('review_cycle_limit');
  });
});

describe('a gate that is red on the target and that a task shall make green', () => {
  test('is asked about once: when that task is given up, the next one on the same tree shall make it green', async () => {
    const factory = await aFactory({
      files: { 'docs/state.txt': 'broken\n' },
      projectConfig: { gates: [{ name: 'state', run: 'grep -q mended docs/state.txt' }] },
      scenario: { implementer: [writes({ [PATH]: FINAL })] },
    });
    const { dog } = await factory.run(aContract({ 'limits.max_review_cycles': 0 }));
    expect(factory.breaker()).toBe('base_red');
    await resume(factory, 1);
    await dog.until(() => factory.breaker() === 'review_cycle_limit');
    await factory.andon('abandon', 'DOC-001');
    await dog.until(() => factory.archivedAs('DOC-001') === 'abandoned');

    factory.script({
      implementer: [writes({ 'docs/more.md': 'More\n', 'docs/state.txt': 'mended\n' })],
      judge: [judges('PASS', MORE)],
    });
    factory.drop(aContract({ task_id: 'DOC-002', 'specification.target_file': 'docs/more.md' }));
    await dog.until(() => factory.isMerged('DOC-002') || factory.isHalted());
    expect(factory.archivedAs('DOC-002')).toBe('merged');
    expect(factory.calls('implementer').at(-1)?.prompt).toContain('Make it green as well');
    expect(factory.git('log', '--format=%B', 'main')).toContain(
      'state; not green on the base, made green; halt DOC-001-1',
    );
  });
});

describe('a gate whose results lie in a file', () => {
  test('is compared by what it wrote, never by a file that a change brings along', async () => {
    const junit = (rows: string): string => `<testsuites><testsuite name="s">${rows}</testsuite></testsuites>`;
    const rows =
      '<testcase classname="s" name="one"/><testcase classname="s" name="two"><failure>no</failure></testcase>';
    const forged = `${junit(rows)}\n`;
    const run = 'node docs/run.mjs';
    const runner = `import { writeFileSync } from 'node:fs';\nwriteFileSync('docs/junit.xml', \`${junit(rows)}\`);\nprocess.exit(1);\n`;
    const factory = await aFactory({
      files: {
        'docs/run.mjs': runner,
      },
      projectConfig: { gates: [{ name: 'junit', run, results: 'docs/junit.xml' }] },
      scenario: {
        implementer: [writes({ [PATH]: FINAL, 'docs/run.mjs': 'process.exit(1);\n', 'docs/junit.xml': forged })],
      },
    });
    const { dog } = await factory.run(aContract({ 'limits.max_review_cycles': 0, 'breaker.max_delete_ratio': 1 }));
    expect(factory.paper('ERIK_HALT.md')).toContain('1 passed, 1 failed');
    await resume(factory, 2);
    await dog.until(() => factory.breaker() === 'review_cycle_limit');
    expect(factory.merges()).toEqual([]);
  });
});

describe('andon that is killed while it asks the base', () => {
  test('asks again, and nothing was spent or counted', async () => {
    const run = 'test -f docs/auth_final.md && exit 0; touch "$HOME/at"; until test -f "$HOME/go"; do sleep 0.05; done';
    const factory = await aFactory({ apart: true, projectConfig: { gates: [{ name: 'waits', run }] } });
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.has('../home/at'));
    await dog.kill9();
    expect(factory.calls()).toEqual([]);
    factory.write('../home/go', '');
    const next = await factory.watch();
    expect(await factory.end(next)).toBe('merged');
    expect(factory.calls('implementer')).toHaveLength(1);
    expect(await factory.show('DOC-001')).toMatchObject({ attempt: 1, review_cycles: 0 });
  });
});

describe('a target that turns red while a task is on the line', () => {
  test('halts the task before its change is merged into it', async () => {
    const factory = await aFactory({
      projectConfig: { gates: [{ name: 'calm', run: '! test -f broken' }] },
      scenario: { judge: [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })] },
    });
    const dog = await factory.begin(aContract(), 'judging');
    factory.write('broken', '');
    factory.git('add', 'broken');
    factory.git('commit', '--quiet', '--message=Broken by hand');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('base_red');
    expect(factory.merges()).toEqual([]);
    // Path 2 asks the mended target again, without another attempt.
    factory.git('rm', '--quiet', 'broken');
    factory.git('commit', '--quiet', '--message=Mended by hand');
    await resume(factory, 2);
    await dog.until(() => factory.isMerged());
    expect(factory.calls('implementer')).toHaveLength(1);
  });
});
