/** @module-tag thorough */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { decide, nonceTold } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory, type Watchdog } from '../support/factory.ts';
import { issue, judges } from '../support/scenario.ts';

const merging = (dog: Watchdog): object => ({ task_id: 'DOC-001', decision: 'merge', nonce: nonceTold(dog) });
/** Longer than the daemon takes to look at the folder again. */
const LOOKS = 2500;

const edit = (factory: Factory, name: string, change: (text: string) => string): string => {
  const file = join(factory.handoff, name);
  const changed = change(readFileSync(file, 'utf8'));
  writeFileSync(file, changed);
  return changed;
};

/** The judge has spoken, and the human in the floor manager's place has not. */
const judged = async (scenario = {}) => {
  const factory = await aFactory({ scenario });
  const dog = await factory.begin(aContract({ 'roles.floor_manager': 'human' }));
  await dog.until('waits for your _handoff/DECISION.json');
  return { factory, dog };
};

describe("the judge's report, edited before it was decided on", () => {
  test('counts for nothing: the verdict that andon read stands, and the line goes on', async () => {
    const { factory, dog } = await judged({
      judge: [judges('FAIL', { blocking_issues: [issue('The link is missing')] })],
    });
    edit(factory, 'JUDGE_REPORT.json', (text) => text.replaceAll('FAIL', 'PASS'));
    edit(factory, 'JUDGE_REPORT.md', () => '# All is well\n');
    decide(factory, merging(dog));
    await dog.until('only a PASS can be merged; the judge said FAIL');
    expect([factory.isHalted(), factory.merges()]).toEqual([false, []]);
    expect(await factory.story()).toContain('FAIL');
  });

  test('or removed, does not stop a merge, which names the report as andon read it', async () => {
    const { factory, dog } = await judged();
    const ours = factory.paper('JUDGE_REPORT.json') ?? '';
    edit(factory, 'JUDGE_REPORT.json', (text) => text.replace('"suggestions": []', '"suggestions": ["mine"]'));
    rmSync(join(factory.handoff, 'JUDGE_REPORT.md'));
    decide(factory, merging(dog));
    await dog.until(() => factory.isMerged());
    const digest = createHash('sha256').update(ours).digest('hex');
    expect(factory.git('log', '-1', '--format=%B', factory.merges()[0] ?? '')).toContain(`sha256-${digest}`);
  });
});

describe('the report of a judge outside', () => {
  const outside = async () => {
    const factory = await aFactory({ projectConfig: { judge: 'external' } });
    const dog = await factory.begin(aContract({ 'roles.floor_manager': 'human' }));
    await dog.until(() => factory.paper('REVIEW_REQUEST.md'));
    const commit = /commit: `(\w+)`/.exec(factory.paper('REVIEW_REQUEST.md') ?? '')?.[1];
    const quote = 'A token is valid for 15 minutes and can be renewed once.';
    const report = {
      task_id: 'DOC-001',
      commit,
      contract_digest: /digest: `(\w+)`/.exec(factory.paper('REVIEW_REQUEST.md') ?? '')?.[1],
      verdict: 'PASS',
      summary: 'Fine.',
      blocking_issues: [],
      required_fixes: [],
      evidence: [{ file: 'docs/auth_final.md', line: 9, quote }],
    };
    factory.drop(`${JSON.stringify(report)}\n`, 'JUDGE_REPORT.json');
    await dog.until('waits for your _handoff/DECISION.json');
    return { factory, dog };
  };

  test('may have its page written after it', async () => {
    const { factory, dog } = await outside();
    factory.drop('# All is well\n', 'JUDGE_REPORT.md');
    await sleep(LOOKS);
    decide(factory, merging(dog));
    await dog.until(() => factory.isMerged());
    expect(factory.paper('archive/DOC-001/JUDGE_REPORT.md')).toBe('# All is well\n');
  });

  test('counts as it was read, whatever it says afterwards', async () => {
    const { factory, dog } = await outside();
    edit(factory, 'JUDGE_REPORT.json', (text) => text.replace('PASS', 'FAIL'));
    decide(factory, merging(dog));
    await dog.until(() => factory.isMerged());
  });
});
