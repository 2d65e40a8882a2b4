/** @module-tag thorough */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { report } from '../support/outside-report.ts';
import { aSlowDisk } from '../support/slow-disk.ts';

const OUTSIDE = { projectConfig: { judge: 'external' } };
const claim = ({ handoff }: Factory): void =>
  renameSync(join(handoff, 'REVIEW_REQUEST.md'), join(handoff, 'REVIEW_IN_PROGRESS.md'));

const archived = ({ handoff, paper }: Factory, part: string): readonly (string | undefined)[] => {
  const folder = join(handoff, 'archive/DOC-001');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.includes(part)) : [];
  return names.map((name) => paper(`archive/DOC-001/${name}`));
};

describe('what a judge outside writes', () => {
  test('while andon is down, and takes his claim back, does not count, and is kept', async () => {
    const factory = await aFactory(OUTSIDE);
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.has('_handoff/REVIEW_REQUEST.md'));
    await dog.stop();
    claim(factory);
    factory.drop(report(), 'JUDGE_REPORT.json');
    rmSync(join(factory.handoff, 'REVIEW_IN_PROGRESS.md'));
    const again = await factory.watch();
    await again.until('a JUDGE_REPORT.json that is older than the request does not count; it is kept as');
    expect(archived(factory, 'unasked')).toEqual([report()]);
    await again.until(() => factory.has('_handoff/REVIEW_REQUEST.md'));
    expect(factory.merges()).toEqual([]);
  });

  test.each(['file.take.before-rename', 'file.take.after-rename'])(
    'while his refused report is set aside is not taken for it (%s)',
    async (failpoint) => {
      const { factory, watches, reach, letGo } = await aSlowDisk(failpoint, OUTSIDE);
      await watches();
      factory.drop(aContract());
      await letGo(() => factory.has('_handoff/REVIEW_REQUEST.md'), 'the review is asked for');
      claim(factory);
      factory.drop(report({ evidence: [] }), 'JUDGE_REPORT.json');
      await reach(() => archived(factory, 'refused').length === 1);
      factory.drop(report(), 'JUDGE_REPORT.json');
      await letGo(() => factory.has('_handoff/REVIEW_REQUEST.md'), 'the review is asked for again');
      expect(archived(factory, 'refused')).toEqual([report({ evidence: [] })]);
      expect(archived(factory, 'unasked')).toEqual([report()]);
    },
  );

  test('as a page beside his report, a moment after it, is not written over', async () => {
    const { factory, watches, reach, letGo } = await aSlowDisk('file.replace.before-rename', OUTSIDE);
    await watches();
    factory.drop(aContract());
    await letGo(() => factory.has('_handoff/REVIEW_REQUEST.md'), 'the review is asked for');
    claim(factory);
    factory.drop(report(), 'JUDGE_REPORT.json');
    await reach((pid) => factory.paper(`.JUDGE_REPORT.md.${pid}.tmp`) !== undefined);
    factory.drop('# My own words\n', 'JUDGE_REPORT.md');
    await letGo(() => factory.isMerged(), 'the task is merged');
    expect(factory.paper('archive/DOC-001/JUDGE_REPORT.md')).toContain('My own words');
  });
});
