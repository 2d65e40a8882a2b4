import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { measureWidth } from '../../../../src/base/text-width.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { gatherDigest } from '../../../../src/line/digest/gather-digest.ts';
import { renderDigestPage } from '../../../../src/app/views/digest-page.tsx';
import { renderText } from '../../../../src/line/digest/render-digest-text.ts';
import type { Digest } from '../../../../src/line/digest/digest.ts';
import { A_LINE, FROM, ORDER, ROOT, TO, aNight, journal, task } from '../../../support/nights.ts';
import {
  AT,
  aChange,
  aFinding,
  aGate,
  aGateRun,
  aHalt,
  aReport,
  called,
  moved,
  started,
} from '../../../support/records.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const MERGE = { commit: '9'.repeat(40), tip: '9'.repeat(40), target: 'refs/heads/main' };

/** A night in which everything that comes from outside says this. */
function saying(text: string, root = ROOT): Digest {
  const says = (entry: JournalEntry): JournalEntry => ({ ...entry, reason: text }) as JournalEntry;
  const path = { title: text, does: text, effect: { to: 'abandoned' } } as const;
  const trip = { breaker: 'budget' as const, reason: text, sides: [{ who: text, says: text }] };
  const halt = aHalt({ id: 'A-1-1', trip, paths: [path, path] });
  const finding = aFinding({ description: text, file: text });
  const gates = aGateRun(aGate({ name: text, outcome: 'red', blocks: true, output: text }));
  const admitted = task('A-1').map((one) => {
    const entry = one.entry as Extract<JournalEntry, { kind: 'admitted' }>;
    const specification = { ...entry.contract.specification, requirements: [text] };
    return { ...one, entry: { ...entry, contract: { ...entry.contract, specification } } };
  });
  const told = journal(
    [
      ...admitted,
      ...[
        started({ model: text }),
        called({ usd: null, why: text }),
        says(moved('gate_red', 'pending_implementer', 'pending_implementer', { change: aChange(), gates })),
        says(moved('strike', 'pending_implementer', 'pending_implementer')),
        moved('judge_complete', 'review_in_progress', 'review_complete', {
          report: aReport({ verdict: 'FAIL', blocking: [finding] }),
        }),
        says(moved('fail_agree', 'review_complete', 'pending_implementer')),
        says(moved('judge_complete', 'review_in_progress', 'erik_consultation', { halt })),
      ].map((entry) => ({ seq: 0, taskId: 'A-1', entry })),
    ],
    task('B-2', moved('pass', 'review_complete', 'merged', { merge: { ...MERGE, target: `refs/heads/${text}` } })),
    task('C-3', says(moved('abandon', 'erik_consultation', 'abandoned'))),
    task('D-4', { kind: 'unreadable', at: AT, seq: 1, why: text }),
  );
  const line = {
    ...A_LINE,
    blocked: text,
    waiting: [text],
    queue: [{ ...ORDER, file: text, task_id: null, title: text, why: text }],
    refusals: [{ file: text, faults: 1, first: text, at: AT }],
    journal_lost: text,
  };
  return gatherDigest(
    [aNight(told, { line, root, name: text }), aNight([], { root: '/home/me/other', name: 'other' })],
    {
      from: FROM,
      to: TO,
    },
  );
}

const HOSTILE = [
  '</script><img src=x onerror=alert(1)>',
  '"><svg onload=alert(2)>',
  '[x](javascript:alert(3))',
  '```\n# forged\n```',
  '\u001b]0;t\u0007\u001b[31m\u202eevil',
  '\n## Merged (9)\n',
  '| a | b |\n|---|---|',
  'wide 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字',
  `${'some words '.repeat(5)}::error::forged ${'some words '.repeat(5)}##[error]forged`,
  `${'long'.repeat(60)} 👩‍👩‍👧‍👦`,
];
const FORBIDDEN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/u;
const texts = fc
  .array(fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(...HOSTILE), fc.constantFrom('<', '&', '"', '`')))
  .map((parts) => `a${parts.join('')}`);
const MANNER = { here: undefined };
const shown = (digest: Digest, width?: number): readonly string[] =>
  renderText(digest, MANNER, width).map(({ text }) => text);

/** Lines that are wider than that; a name of a file that a command needs is never broken. */
const tooWide = (lines: readonly string[], width = 80): readonly string[] =>
  lines.filter((line) => measureWidth(line) > width && !/^ +(?:andon contract lint|cd) /.test(line));

describe('the text of a digest', () => {
  it('is in the order in which it is wanted in the morning', () => {
    const lines = shown(saying('a'));
    const heads = lines.filter((line) => /^[A-Z][a-z ]+(?: \(\d+\)|: nothing\.|)$/.test(line));
    expect(heads).toEqual([
      'Needs you (3)',
      'Merged (1)',
      'Sent back by the line (1)',
      'Given up (1)',
      'Spent',
      'Waits (2)',
      'Missing data (4)',
    ]);
  });

  it('fits 80 columns, whatever is said, and holds nothing that could move a terminal or forge a line', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = shown(saying(text));
        expect(tooWide(lines)).toEqual([]);
        expect(lines.join('\n')).not.toMatch(FORBIDDEN);
        expect(lines.filter((line) => line.startsWith('Merged'))).toEqual(['Merged (1)']);
        expect(lines.filter((line) => /^\s*::|##\[/.test(line))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(HOSTILE)('shows %j as text', (text) => {
    const lines = shown(saying(text));
    expect(tooWide(lines)).toEqual([]);
    expect(lines.join('\n')).not.toMatch(FORBIDDEN);
    expect(lines.filter((line) => /^\s*::|##\[/.test(line))).toEqual([]);
  });

  it('fits narrower terminals too', () => {
    for (const width of [40, 60]) expect(tooWide(shown(saying('some words '.repeat(9)), width), width)).toEqual([]);
  });

  it('has commands that can be pasted as they stand, in the folder that they are for', () => {
    const root = "/home/me/it's mine/$(reboot)";
    const pasted = shown(saying('a', root))
      .join('\n')
      .replaceAll(/ \\\n +/g, ' ');
    expect(pasted).toContain(
      "      cd '/home/me/it'\\''s mine/$(reboot)' &&\n        andon resume A-1 --path 1 --halt A-1-1\n",
    );
    expect(pasted).toContain('andon undo B-2');
  });

  it('needs no cd where you stand in the folder, and gives no cd that no terminal could show', () => {
    const here = renderText(saying('a'), { here: ROOT }).map(({ text }) => text);
    expect(here.join('\n')).not.toContain(`cd ${ROOT}`);
    const lines = shown(saying('a', '/home/me/\u001b[2Jshop')).join('\n');
    expect(lines).toContain(String.raw`Type it in /home/me/\u{1b}[2Jshop:`);
    expect(lines).not.toMatch(/cd .*shop/);
  });

  it('calls only the night that goes on this night', () => {
    const spent = saying('a').spent;
    const use = { ceiling: 'of this night', period: 'this night', account: null, of: 'usd', from: FROM } as const;
    const used = { ...use, used: 1, at_least: 1, set_aside: 0, limit: 2 };
    const ceilings = ['2026-01-17T01:00:00.000Z', '2026-01-17T09:00:00.000Z'].map((until) => ({ ...used, until }));
    const lines = shown({ ...saying('a'), spent: { ...spent, ceilings } }, 200);
    expect(lines.filter((line) => line.includes('ceiling of')).map((line) => line.split(' (')[0])).toEqual([
      '  all repositories, ceiling of the night: $1.00 of $2.00',
      '  all repositories, ceiling of this night: $1.00 of $2.00',
    ]);
  });

  it('breaks a long command before its options', () => {
    const id = 'T'.repeat(64);
    const halt = aHalt({ id: `${id}-1` });
    const told = journal(task(id, moved('judge_complete', 'review_in_progress', 'erik_consultation', { halt })));
    const lines = shown(gatherDigest([aNight(told)], { from: FROM, to: TO }));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join('\n').replaceAll(/ \\\n +/g, ' ')).toContain(`andon resume ${id} --path 2 --halt ${id}-1\n`);
  });

  it('says unknown of what has no price', () => {
    expect(shown(saying('a')).join('\n')).toContain('1 call of unknown price');
  });
});

describe('the page of a digest', () => {
  const skeleton = (page: string): string => page.replaceAll(/="[^"]*"/g, '=""').replaceAll(/>[^<]*(?=<)/g, '>');

  it('has the same tags for any text, and loads and runs nothing', () => {
    const plain = skeleton(renderDigestPage(saying('a'), MANNER, ''));
    fc.assert(
      fc.property(texts, (text) => {
        const page = renderDigestPage(saying(text), MANNER, '');
        expect(skeleton(page)).toBe(plain);
        expect(page).not.toMatch(FORBIDDEN);
      }),
      { numRuns: 60 },
    );
    const page = renderDigestPage(saying(HOSTILE.join(' ')), MANNER, '');
    expect(page).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    );
    expect(page).not.toMatch(/<script|<link|<img|@import|https?:\/\/|<[^>]*\bon[a-z]+=|src="/);
  });
});
