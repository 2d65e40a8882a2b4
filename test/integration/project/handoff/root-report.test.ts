import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createHandoff } from '../../../../src/project/handoff/create-handoff.ts';
import { RootReport } from '../../../../src/line/steps/external-judge-worker.ts';
import type { Services } from '../../../../src/line/services/services.ts';
import { aRecord } from '../../../support/records.ts';

const JSON_NAME = 'JUDGE_REPORT.json';
const REPORT = '{"grade": "PASS"}';

let root = '';
let said: string[] = [];
let tracked: readonly string[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'andon-root-report-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  [said, tracked] = [[], []];
  mkdirSync(join(root, '_handoff/archive/DOC-001'), { recursive: true });
  writeFileSync(join(root, '_handoff/REVIEW_REQUEST.md'), 'request');
});

const reports = () =>
  new RootReport(
    {
      handoff: createHandoff(root),
      repository: { isTracked: (path: string) => Promise.resolve(tracked.includes(path)) },
      say: (news: { readonly text?: string }) => said.push(news.text ?? ''),
    } as unknown as Services,
    aRecord(),
  );
const claim = (): void =>
  renameSync(join(root, '_handoff/REVIEW_REQUEST.md'), join(root, '_handoff/REVIEW_IN_PROGRESS.md'));
const giveBack = (): void => rmSync(join(root, '_handoff/REVIEW_IN_PROGRESS.md'));
const write = (name: string, text = REPORT): void => writeFileSync(join(root, name), text);
const inside = (): string | undefined =>
  existsSync(join(root, '_handoff', JSON_NAME)) ? readFileSync(join(root, '_handoff', JSON_NAME), 'utf8') : undefined;
const litter = (): readonly string[] => readdirSync(root).filter((name) => name !== '_handoff');

describe("a judge's report in the root of the project", () => {
  it('is moved in with its page when the claim is given back', async () => {
    const seen = reports();
    claim();
    await seen.takeIn();
    write(JSON_NAME);
    write('JUDGE_REPORT.md', '# Mine\n');
    await seen.takeIn();
    expect(inside()).toBe(undefined); // he may still be writing
    giveBack();
    expect(await seen.takeIn()).toBe(undefined);
    expect(inside()).toBe(REPORT);
    expect(readFileSync(join(root, '_handoff/JUDGE_REPORT.md'), 'utf8')).toBe('# Mine\n');
    expect(litter()).toEqual([]);
  });

  it(
    'that is whole and has settled is moved in though the claim stands, one that is half written is not',
    { tags: 'thorough' },
    async () => {
      const seen = reports();
      claim();
      await seen.takeIn();
      const later = Date.now() / 1000 - 1;
      write(JSON_NAME, '{"grade": ');
      await seen.takeIn();
      expect(inside()).toBe(undefined);
      write(JSON_NAME);
      utimesSync(join(root, JSON_NAME), later, later); // before the claim: it does not count
      await seen.takeIn();
      expect(inside()).toBe(undefined);
      write(JSON_NAME);
      await expect.poll(async () => [await seen.takeIn(), inside()][1]).toBe(REPORT);
    },
  );

  it.each<[string, () => void]>([
    ['nobody has taken the request for', () => write(JSON_NAME)],
    [
      'that is older than the claim',
      () => {
        write(JSON_NAME);
        utimesSync(join(root, JSON_NAME), 1e9, 1e9);
        claim();
      },
    ],
    [
      'that belongs to the project',
      () => {
        claim();
        tracked = [JSON_NAME];
        write(JSON_NAME);
        giveBack();
      },
    ],
    [
      'that is a link',
      () => {
        claim();
        writeFileSync(join(root, '_handoff/elsewhere.json'), REPORT);
        symlinkSync(join(root, '_handoff/elsewhere.json'), join(root, JSON_NAME));
        giveBack();
      },
    ],
  ])('%s stays where it is', async (_, lay) => {
    const seen = reports();
    lay();
    expect(await seen.takeIn()).toBe(undefined);
    expect(inside()).toBe(undefined);
    expect(litter()).toEqual([JSON_NAME]);
  });

  it('that says something else than the one in _handoff counts as little as that; both are kept', async () => {
    const seen = reports();
    claim();
    write(JSON_NAME);
    writeFileSync(join(root, '_handoff', JSON_NAME), '{"grade": "FAIL"}');
    giveBack();
    expect(await seen.takeIn()).toContain('say different things');
    expect([inside(), litter()]).toEqual([undefined, []]);
    expect(readdirSync(join(root, '_handoff/archive/DOC-001'))).toHaveLength(2);
  });

  it('that says the same as the one in _handoff is only tidied away', async () => {
    const seen = reports();
    claim();
    write(JSON_NAME);
    writeFileSync(join(root, '_handoff', JSON_NAME), REPORT);
    giveBack();
    expect(await seen.takeIn()).toBe(undefined);
    expect([inside(), litter()]).toEqual([REPORT, []]);
  });
});
