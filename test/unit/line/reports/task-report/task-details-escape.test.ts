import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { toTerminalLine } from '../../../../../src/base/plain-text.ts';
import type { JournalEntry } from '../../../../../src/line/record/journal-entry.ts';
import { viewTaskDetails } from '../../../../../src/line/reports/task-report/task-details.ts';
import { renderReportPage } from '../../../../../src/app/views/task-report-page.tsx';
import { foldJournal } from '../../../../../src/line/core/fold-journal.ts';
import {
  AT,
  COMMIT,
  aChange,
  aContract,
  aFile,
  aFinding,
  aGate,
  aGateRun,
  aHalt,
  aReport,
  aReview,
  admitted,
  called,
  moved,
  started,
} from '../../../../support/records.ts';
import { held } from '../../../../support/held.ts';
import { anyCharacter } from '../../../../support/any-character.ts';

const HOSTILE = [
  '</script><img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title></textarea><script>alert(1)</script>',
  '[click](javascript:alert(1)) ![x](http://evil)',
  '&lt;script&gt; &#60;script&#62;',
  '<!-- --> ]]> <![CDATA[',
  '\u001b[2J\u001b[31mred\u001b]0;title\u0007',
  '\u202eevil\u200b\u2066\ufeff\u00ad',
  '```\n# Heading\n~~~',
  '| a | b |\n|---|---|',
  '\ud800 lone',
];

const PLAIN_FILE = 'diff --git a/src/plain.ts b/src/plain.ts\n--- a/src/plain.ts\n+++ b/src/plain.ts\n';

/** As the board is built. */
const STYLE = ['page/static/app.css', 'app/views/views.css']
  .map((name) => readFileSync(join(import.meta.dirname, '../../../../../src', name), 'utf8'))
  .join('');

/** Everything that a model, a repository or a human can have written, saying the same. */
function told(text: string): string {
  const contract = aContract();
  const finding = aFinding({ description: text, file: `at/${text}`, category: text, fix: text, weight: 'nit' });
  const inDiff = { ...finding, file: 'src/plain.ts', line: 1, evidence: text };
  const path = { title: text, does: text, effect: { to: 'pending_implementer', say: text } } as const;
  const halt = aHalt({
    trip: { breaker: 'paradox', reason: text, sides: [{ who: text, says: text }] },
    also: [{ breaker: 'budget', reason: text, sides: [] }],
    paths: [path, path],
  });
  const report = aReport({
    verdict: 'FAIL',
    why: text,
    summary: text,
    blocking: [finding, inDiff],
    fixes: [text],
    suggestions: [text],
    securityFlags: [text],
    evidence: [{ file: text, line: 1, quote: text, found: false }],
  });
  const gates = aGateRun(aGate({ name: text, run: text, output: text, why: text, outcome: 'red', blocks: true }));
  const change = aChange({ notes: text, files: [aFile({ path: text })] });
  const saying = (entry: JournalEntry): JournalEntry => ({ ...entry, reason: text }) as JournalEntry;
  const entries: readonly JournalEntry[] = [
    admitted({
      notices: [text],
      contract: {
        ...contract,
        project: text,
        roles: { implementers: [text, text], localReviewer: text, judge: text, floorManager: text },
        constraints: { ...contract.constraints, allowedPaths: [text], forbiddenPaths: [text] },
        specification: { ...contract.specification, requirements: [text], acceptanceCriteria: [text] },
      },
    }),
    started({ agent: text, model: text }),
    called({ agent: text, model: text, ok: false, why: text, denials: [text] }),
    saying(
      moved('gate_red', 'pending_implementer', 'pending_implementer', {
        change,
        gates,
        takeover: { from: text, to: text, why: text },
      }),
    ),
    saying(moved('code_written', 'pending_implementer', 'pending_local_review', { gates })),
    saying(
      moved('local_pass', 'pending_local_review', 'pending_judge_review', { review: aReview({ findings: [finding] }) }),
    ),
    started({ station: 'judge', call: 2 }),
    held({ call: 2, agent: text, reason: text }),
    saying(moved('judge_complete', 'review_in_progress', 'erik_consultation', { report, halt })),
    saying(
      moved('resume', 'erik_consultation', 'pending_implementer', {
        choice: { halt: halt.id, path: 1, by: text, how: text, effect: { ...path.effect, paths: [text] } },
      }),
    ),
    { kind: 'remark', at: AT, text },
    { kind: 'undone', at: AT, commit: COMMIT, by: text },
  ];
  const record = foldJournal(entries);
  if (record === undefined) throw new Error('the journal opens a record');
  const oneLine = text.replaceAll('\n', ' ');
  const details = viewTaskDetails(record, entries, {
    now: '2026-01-16T13:00:00.000Z',
    refs: new Map([[COMMIT, `refs/andon/DOC-001/1`]]),
    isChainWhole: true,
  });
  const patch = `diff --git a/${oneLine} b/${oneLine}\n@@ -1 +1 @@ ${oneLine}\n+${oneLine}\n${PLAIN_FILE}@@ -1 +1 @@\n-one ${oneLine}\n+one ${oneLine} two\n`;
  return renderReportPage(details, patch, STYLE);
}

/** Tags and names of attributes in their order: what a browser builds. Text and values are left out. */
const skeleton = (page: string): string => page.replaceAll(/="[^"]*"/g, '=""').replaceAll(/>[^<]*(?=<)/g, '>');

const FORBIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/u;
/** Never empty: parts that say nothing are left out on purpose. */
const texts = fc
  .array(
    fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(...HOSTILE), fc.constantFrom('<', '>', '&', '"', "'")),
  )
  .map((parts) => `a${parts.join('')}`);

const PLAIN = skeleton(told('a'));

describe('a page with text from elsewhere', () => {
  it('has the same tags and attributes whatever the text is, and no hidden or reordering characters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const page = told(text);
        expect(skeleton(page)).toBe(PLAIN);
        expect(page).not.toMatch(FORBIDDEN);
        expect(page.replace(/<style>.*<\/style>/su, '')).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
      { numRuns: 60 },
    );
  });

  it.each(HOSTILE)('shows %j as text in every place', (text) => {
    const page = told(`a${text}`);
    expect(skeleton(page)).toBe(PLAIN);
    expect(page).not.toMatch(/<script|<img|<iframe|<svg onload|="javascript:|url\((?!#)/);
    for (const [, target] of page.matchAll(/ (?:href|src|action|style)="([^"]*)"/g))
      expect(target).toMatch(/^#[a-z]+$/);
  });

  it('loads nothing and may run nothing', () => {
    const page = told('a');
    expect(page).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    );
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    expect(page).not.toMatch(/<script|<link|<img|@import|https?:|\bon[a-z]+=|src=/);
    for (const [, target] of page.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^#[a-z]+$/);
  });
});

describe('a line of text', () => {
  it('is never cut between the two halves of a character', () => {
    for (let width = 2; width < 9; width += 1) expect(toTerminalLine('𐀀'.repeat(9), width)).not.toMatch(/\p{Cs}/u);
  });
});
