import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { runLoop } from '../support/seed-loop.ts';
import { FINAL } from '../support/scenario.ts';

const STAND_IN = join(import.meta.dirname, '../../stand-ins/claude');

/** A report of the blueprint's own fields: it names no task. */
const REPORT = {
  grade: 'PASS',
  blocking_issues: [],
  required_fixes: [],
  evidence: ['Users log in with a passkey. A password is the fallback. See [tokens](#tokens).'],
};

describe("the blueprint's watcher loop, letter by letter", () => {
  test('judges: its report lies in the root of the project, is taken in, and the task is merged', async () => {
    const scenario = { judge: [{ reply: 'Done.', does: [{ 'report-file': REPORT }] }] };
    const factory = await aFactory({ projectConfig: { judge: 'external' }, scenario });
    runLoop(factory, STAND_IN, { ANDON_SCENARIO: join(factory.folder, 'agents/scenario.json') });
    expect((await factory.run(aContract())).status).toBe('merged');

    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
    expect(existsSync(join(factory.repo, 'JUDGE_REPORT.json'))).toBe(false);
    expect(factory.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    const [merge = ''] = factory.merges();
    expect(factory.git('show', '--no-patch', '--format=%B', merge)).toContain('Andon-Judge: external, quotes checked');

    // What the judge was given with his prompt is the whole request.
    const [call] = factory.calls('judge');
    const asked = call?.prompt ?? '';
    const shown = await factory.show('DOC-001');
    for (const part of [
      'Read _handoff/TASK_CONTRACT.json',
      `git diff --no-ext-diff ${shown.base} ${shown.commit ?? ''}`,
      '+Users log in with a passkey.',
      'Merge both documents into one',
      'No gates are configured',
      'artifacts:\n- docs/auth_final.md (added)',
      `"commit": "${shown.commit ?? ''}"`,
      '"contract_digest": "',
      'at least one line that the change adds or removes',
    ])
      expect(asked).toContain(part);
    const command = /`(git diff --no-ext-diff \w+ \w+)`/.exec(asked)?.[1] ?? '';
    expect(factory.git(...command.split(' ').slice(1))).toContain('+Users log in with a passkey.');
    const words = asked.replaceAll(/^(?:diff --git|---|\+\+\+) .*$/gm, ''); // git's own a/ and b/
    for (const [path] of words.matchAll(/\b[\w.-]+(?:\/[\w.-]+)+\.(?:json|md|ts)\b/g))
      expect(['docs/auth_final.md', '_handoff/JUDGE_REPORT.json', '_handoff/TASK_CONTRACT.json', ...SOURCES]).toContain(
        path,
      );
  });
});

/** The files of the sample project that its contract names. */
const SOURCES = ['docs/auth_v1.md', 'docs/auth_v2.md'];
