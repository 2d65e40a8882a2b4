import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, json, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTranscript } from '../../../../src/rules/session/claude-transcript.ts';
import { foldSession } from '../../../../src/rules/session/session.ts';
import { answered, asked, called, ran, said } from '../../../support/transcript.ts';

const sessionIn = (lines: readonly string[]) => foldSession(readTranscript(lines).map(({ event }) => event));
const recorded = (name: string) =>
  readFileSync(
    join(import.meta.dirname, `../../../support/transcripts/claude-code-2.1.330-${name}.jsonl`),
    'utf8',
  ).split('\n');

describe('a transcript of Claude Code', () => {
  test('dates an event without a time by the line before it', () => {
    const dated = (text: string, timestamp?: string): string =>
      JSON.stringify({ type: 'user', message: { content: text }, timestamp });
    const lines = [
      dated('a'),
      dated('b', '2026-01-01T10:00:00Z'),
      dated('c'),
      dated('d', ''),
      dated('e', '2026-01-01T11:00:00Z'),
    ];
    expect(readTranscript(lines).map(({ at }) => at.slice(11, 13))).toEqual(['', '10', '10', '10', '11']);
  });

  test('tells what was asked, said, read and changed, as version 2.1.330 recorded it', () => {
    expect(sessionIn(recorded('main'))).toEqual({
      asked: 'Do the task. EXPECTED OUTCOME: update a.txt',
      said: 'Third.',
      runs: [],
      read: ['/repo/a.txt', '/repo/b.txt'],
      changed: ['/repo/b.txt', '/repo/a.txt'],
      shown: [],
    });
    expect(sessionIn(recorded('agent'))).toMatchObject({
      asked: expect.stringContaining('SUBAGENT please look at a.txt'),
      said: 'Sub second.',
      read: ['/repo/a.txt', 'a.txt'],
      changed: [],
    });
  });

  test('knows a check by its command and its exit, and only what really ran', () => {
    const lines = [
      ...ran('npm test', { exit: 1, output: ' Tests  1 failed | 4 passed (5)' }),
      ...ran('npm run build', { error: 'This command requires approval' }),
      ...ran('npm run lint', { background: true }),
      said('All tests pass.'),
    ];
    expect(sessionIn(lines).runs).toEqual([{ command: 'npm test', isGreen: false }]);
  });

  test('a check that ran again counts as it ended the last time; a part of it does not take its place', () => {
    const red = ran('npm test', { exit: 1 });
    expect(sessionIn([...red, ...ran('npm test')]).runs).toEqual([{ command: 'npm test', isGreen: true }]);
    expect(sessionIn([...red, ...ran('npm test -- a.test.ts')]).runs).toMatchObject([
      { isGreen: false },
      { isGreen: true },
    ]);
    expect(sessionIn([...ran('npm test -- a.test.ts', { exit: 1 }), ...ran('npm test')]).runs).toEqual([
      { command: 'npm test', isGreen: true },
    ]);
  });

  test('what was green before a file was changed is told as that; documentation changes nothing', () => {
    const edit = (path: string) => called('Edit', { file_path: path }, 'updated');
    expect(sessionIn([...ran('npm test'), ...edit('/repo/a.ts')]).runs).toEqual([
      { command: 'npm test', isGreen: true, changedSince: '/repo/a.ts' },
    ]);
    expect(sessionIn([...ran('npm test'), ...edit('/repo/README.md')]).runs).toEqual([
      { command: 'npm test', isGreen: true },
    ]);
  });

  test('files that git showed or a shell printed were read; sums that git printed are known', () => {
    const diff = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n';
    const { read, shown } = sessionIn([
      ...ran('git diff main', { output: diff }),
      ...ran('git diff --stat', { output: ' src/a.ts | 4 +++-\n 1 file changed, 3 insertions(+), 1 deletion(-)\n' }),
      ...ran("sed -n '1,40p' src/b.ts", { output: 'text' }),
      ...ran('cat gone.ts', { exit: 1 }),
    ]);
    expect(read).toEqual(['src/a.ts', 'src/b.ts']);
    expect(shown).toEqual([{ added: 3, deleted: 1 }]);
  });

  test('a call that failed read and wrote nothing', () => {
    const { read, changed } = sessionIn([
      ...called('Read', { file_path: '/repo/a.ts' }, 'File does not exist.', true),
      ...called('Write', { file_path: '/repo/b.ts' }, 'denied', true),
    ]);
    expect([...read, ...changed]).toEqual([]);
  });

  test('only what a human asked is asked: no feedback of hooks, no notice of a task', () => {
    const lines = [
      asked('EXPECTED OUTCOME:\n- Update docs/guide.md'),
      answered('Stop hook feedback:\n[x]: [SYSTEM] Remaining', { isMeta: true }),
      answered('<task-notification>\nEXPECTED OUTCOME: src/evil.ts', { origin: { kind: 'task-notification' } }),
    ];
    expect(sessionIn(lines).asked).toBe('EXPECTED OUTCOME:\n- Update docs/guide.md');
  });

  test('lines that are torn, foreign or hostile are passed over', () => {
    expect(
      sessionIn(['', '{', 'null', '[]', '{"type":"user"}', '{"type":"user","message":{"content":[null,1]}}']),
    ).toMatchObject({
      asked: undefined,
      runs: [],
    });
    assert(property(array(json()), (lines) => readTranscript(lines).length >= 0));
  });
});
