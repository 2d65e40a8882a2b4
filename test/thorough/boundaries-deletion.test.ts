/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { finding } from '../../src/app/drills/scenario.ts';
import { judges, answerOnce, reviewFails, reviewPasses, writes } from '../support/scenario.ts';

const FILE = 'docs/guide.md';
const LAST = 'The last line stays.';
/** Files of the sample that hold no line here, so that a thousand lines are all there are. */
const EMPTY = { 'docs/auth_v1.md': '', 'docs/auth_v2.md': '', 'README.md': '', 'TODO.md': '', '.gitignore': '' };
const lines = (count: number, what: string): string =>
  Array.from({ length: count }, (_, at) => `${what} ${at}.\n`).join('');
const GUIDE = `${lines(299, 'Step')}${LAST}\n`;
const without = (count: number): string => GUIDE.split('\n').slice(count).join('\n');
const passes = (...quotes: readonly string[]) =>
  judges('PASS', { evidence: quotes.map((quote) => ({ file: '', line: null, quote })) });
/** What the changes below take away or add. */
const TOUCHED = ['Step 0.', 'One more.'];
const contract = (changes: object = {}) =>
  aContract({ 'specification.target_file': FILE, 'constraints.max_diff_size': 5000, ...changes });
const ALLOWED = { 'constraints.allow_deletes': true };

interface Work {
  readonly files: Readonly<Record<string, string>>;
  readonly answer: Readonly<Record<string, string | null>>;
  readonly judge?: ReturnType<typeof judges>;
}

async function run({ files, answer, judge = passes(...TOUCHED) }: Work, changes: object = {}): Promise<Factory> {
  const factory = await aFactory({ files, scenario: { implementer: [writes(answer)], judge: [judge] } });
  await factory.run(contract(changes));
  return factory;
}
const halt = (factory: Factory): string => (factory.paper('ERIK_HALT.md') ?? '').replaceAll('\\', '');

describe('a project of a thousand lines', () => {
  const files = { ...EMPTY, [FILE]: GUIDE, 'src/rest.txt': lines(700, 'Rest') };

  test('may lose more where a file grows as much as it loses: only the net shrink counts', async () => {
    const factory = await run({ files, answer: { [FILE]: `${lines(200, 'New step')}${without(200)}` } });
    expect(factory.isMerged()).toBe(true);
  });

  test('counts every line that it tracks, those of vendored files too, in what goes as in what there is', async () => {
    const vendored = { ...EMPTY, [FILE]: GUIDE, 'vendor/lib.js': lines(700, 'var a') };
    const small = await run({ files: vendored, answer: { [FILE]: without(51) } });
    expect(halt(small)).toContain('51 of 1000 lines');
    const gone = { ...EMPTY, 'docs/vendor/lib.js': lines(51, 'var a'), [FILE]: `${lines(948, 'Step')}${LAST}\n` };
    const factory = await run({ files: gone, answer: { 'docs/vendor/lib.js': null } }, ALLOWED);
    expect(halt(factory)).toContain('files shrink by 51 of 1000 lines in the project (5.1 %)');
  });
});

/** A review that asks for the small file. */
const NEEDED = {
  verdict: 'FAIL',
  critical_security_flaw: false,
  findings: [finding('the small file is needed', { file: 'docs/small.md' })],
};

describe('a file that goes', () => {
  test('in one attempt and is there again in the next is no deletion: a change is measured against the base', async () => {
    const files = { ...EMPTY, [FILE]: GUIDE, 'docs/small.md': lines(3, 'Small') };
    const deletes = writes({ 'docs/small.md': null });
    const restores = writes({ 'docs/small.md': lines(3, 'Small'), [FILE]: `${GUIDE}One more.\n` });
    const factory = await aFactory({
      files,
      scenario: {
        implementer: [answerOnce(deletes), restores],
        reviewer: [answerOnce(reviewFails('', { structured: NEEDED })), reviewPasses()],
        judge: [passes(...TOUCHED)],
      },
    });
    const { status } = await factory.run(contract(ALLOWED));
    expect([status, factory.breaker()]).toEqual(['merged', undefined]);
    expect(factory.git('diff', '--numstat', 'main^1', 'main', '--', 'docs/small.md')).toBe('');
  });

  test('and is binary has no lines to count, but still needs leave to be deleted', async () => {
    const files = { ...EMPTY, [FILE]: GUIDE, 'docs/logo.bin': `\0\x01${lines(900, 'binary')}` };
    const answer = { 'docs/logo.bin': null, [FILE]: `${GUIDE}One more.\n` };
    const forbidden = await run({ files, answer });
    expect([forbidden.isMerged(), forbidden.has('docs/logo.bin')]).toEqual([false, true]);
    const allowed = await run({ files, answer }, ALLOWED);
    expect([allowed.breaker(), allowed.isMerged(), allowed.has('docs/logo.bin')]).toEqual([undefined, true, false]);
  });
});
