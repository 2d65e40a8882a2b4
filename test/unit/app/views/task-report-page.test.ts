import { describe, expect, it } from 'vitest';
import { formatDollars, formatDuration, formatList } from '../../../../src/line/reports/task-report/format-figures.ts';
import { renderReportPage } from '../../../../src/app/views/task-report-page.tsx';
import { aFinding, aHalt, admitted, called, moved, started } from '../../../support/records.ts';
import {
  at,
  after,
  step,
  undone,
  merge,
  choice,
  EVENTFUL,
  detailsOf,
  reportOf,
  until,
} from '../../line/reports/task-report/task-report-sample.ts';

/** What a page says, without its markup. */
const textOf = (page: string): string =>
  page
    .replaceAll(/<(?!\/?mark>)[^>]*>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');

describe('the outcome in one sentence', () => {
  it('says what happened, how long, for what, and who decided what', () => {
    expect(reportOf(EVENTFUL).outcome).toBe(
      'DOC-001 was merged into main 8 h 38 min after it was submitted, for $1.00 and 3 min of agents’ time: 2 attempts; sent back once by gates; halted (floor manager and judge disagree), erik chose path 1; judged FAIL in round 2 and merged on erik’s word.',
    );
  });

  it('says that a halt waits for you, that a task is under way, given up, or undone', () => {
    const halted = detailsOf(until('resume'), at(2000));
    expect([halted.report.outcome, halted.word]).toEqual([
      expect.stringMatching(
        /^DOC-001 is halted \(floor manager and judge disagree\) and waits for you, now 33 min 20 s after .* 2 attempts; sent back once by gates\.$/,
      ),
      'waits for you',
    ]);
    expect(reportOf([admitted()], at(5)).outcome).toBe('Being written · submitted 5.0 s ago · $0.00.');
    const abandoned = {
      ...moved('abandon', 'erik_consultation', 'abandoned'),
      at: at(5000),
      reason: 'abandoned by erik',
    };
    expect(reportOf([...until('resume'), abandoned]).outcome).toMatch(
      /was given up .*halted \(floor manager and judge disagree\), abandoned by erik/,
    );
    const taken = detailsOf([...EVENTFUL, undone]);
    expect([taken.report.outcome, taken.word]).toEqual([
      expect.stringMatching(/^DOC-001 was merged into main, later undone by erik, 8 h 38 min after/),
      'merged, then undone',
    ]);
  });
});

describe('findings by round', () => {
  const [local, first, second] = reportOf(EVENTFUL).rounds;

  it('says verdict and what it led to', () => {
    expect([local, first, second]).toMatchObject([
      { by: 'local-reviewer', number: 1, attempt: 2, verdict: 'PASS', led_to: { event: 'local_pass' } },
      { by: 'judge', number: 1, verdict: 'FAIL', led_to: { event: 'fail_disagree' } },
      { by: 'judge', number: 2, verdict: 'FAIL', led_to: { event: 'resume' } },
    ]);
  });

  it('names weights, and what the next round of the same reviewer does not name again', () => {
    const text = textOf(renderReportPage(detailsOf(EVENTFUL), '', ''));
    expect(text).toMatch(/Judge 1: FAIL attempt 2, .* UTC , led to: because of fail_disagree \(fail_disagree\)/);
    expect(text).toMatch(/substantive, gone in the next round .* nit, still there in the next round/);
    expect(text).toMatch(/Local reviewer 1: PASS attempt 2, .* No finding\./);
  });
});

describe('attempts', () => {
  it('say what became of each, with the gates that ran on it', () => {
    expect(reportOf(EVENTFUL).attempts).toMatchObject([
      { number: 1, fate: 'because of gate_red', gates: [{ outcome: 'red' }] },
      { number: 2, fate: 'because of pass', gates: [{ outcome: 'green' }] },
    ]);
  });

  it.each([
    ['gate_weakened', '2 attempts; sent back once by gates; halted'],
    ['rule_red', '2 attempts; sent back once by rules; halted'],
    ['quick_fix', '2 attempts; sent back once by rules; halted'],
    ['rule_violated', '2 attempts; halted'],
  ] as const)('say that %s sent a change back', (event, sentence) => {
    const report = reportOf(
      EVENTFUL.map((entry) => (entry.kind === 'moved' && entry.event === 'gate_red' ? { ...entry, event } : entry)),
    );
    expect(report.attempts[0]).toMatchObject({ number: 1, fate: 'because of gate_red' });
    expect(report.outcome).toContain(sentence);
  });

  it('went back with the comments that answered a halt', () => {
    const comments = [{ file: 'src/a.ts', line: 3, text: 'one line is enough' }];
    const answer = { halt: 'DOC-001-1', by: 'erik', how: 'andon web', effect: choice.effect, comments };
    const reason = 'erik: sent back with 1 comment';
    const back = { ...moved('resume', 'erik_consultation', 'pending_implementer', { choice: answer }), reason };
    expect(reportOf([...until('resume'), { ...back, at: at(2000) }]).attempts.at(-1)).toMatchObject({
      number: 2,
      fate: reason,
    });
  });

  it('keep their fate when the line stops for another reason, and are told when no change came of them', () => {
    const refused = [
      ...EVENTFUL.slice(0, 5),
      after(80, called({ call: 2 })),
      step(81, 'answer_refused', 'pending_implementer', 'pending_implementer'),
      step(82, 'budget_refused', 'pending_implementer', 'erik_consultation', { halt: aHalt() }),
    ];
    expect(reportOf(refused).attempts).toMatchObject([
      { number: 1, fate: 'because of gate_red' },
      { number: 2, commit: null, fate: 'because of answer_refused' },
    ]);
  });
});

describe('the page', () => {
  it('tell a task to which nothing has happened yet', () => {
    const report = detailsOf([admitted()], at(5));
    expect(renderReportPage(report, '', '')).toContain('The implementer has not answered yet.');
  });

  it('say when the commits of a change are gone', () => {
    expect(renderReportPage(detailsOf(EVENTFUL), undefined, '')).toContain(
      'The commits of DOC-001 are not in this repository any more',
    );
  });

  it('has the same bytes for the same journal', () => {
    const [one, other] = [0, 1].map(() => renderReportPage(detailsOf(EVENTFUL), '', ''));
    expect(one).toBe(other);
  });

  it('draws the cost of each role as bars, in dollars and in time, with the longest for the largest', () => {
    const details = detailsOf(EVENTFUL);
    const bars = [
      ...renderReportPage(details, '', '').matchAll(/<svg class="cost-bar".*?<rect class="work" width="(\d+)"/g),
    ];
    const widths = bars.map(([, width]) => Number(width));
    expect(widths).toHaveLength(2 * reportOf(EVENTFUL).cost_by_role.length);
    expect(Math.max(...widths)).toBe(100);
  });

  it('describe the picture for those who do not see it', () => {
    const page = renderReportPage(detailsOf(EVENTFUL), '', '');
    const pictures = page.match(/<svg class="picture"[^>]*>/g) ?? [];
    expect(pictures).toHaveLength(1);
    for (const picture of pictures) {
      const ids = /aria-labelledby="([^"]+)"/.exec(picture)?.[1]?.split(' ') ?? [];
      expect(ids).toHaveLength(2);
      for (const id of ids) expect(page.split(`id="${id}"`)).toHaveLength(2);
    }
  });

  it('show both paths of a halt, and who chose which, when and how', () => {
    const page = renderReportPage(detailsOf(EVENTFUL), '', '');
    expect(page).toContain('Path 1: Side with the floor manager');
    expect(page).toContain('Path 2: Side with the judge');
    expect(page.match(/class="card taken"/g)).toHaveLength(1);
    expect(page).toMatch(
      /erik chose path 1, <time[^>]*>2026-01-16 20:37:44 UTC<\/time>, 8 h 20 min after the halt, by andon resume/,
    );
  });

  it('name the ids by which git and the journal confirm them', () => {
    const page = renderReportPage(detailsOf(EVENTFUL), '', '');
    for (const id of [merge.commit, '2'.repeat(40), 'd'.repeat(40), 'e'.repeat(64)]) expect(page).toContain(id);
    const broken = detailsOf(EVENTFUL, at(40_000), false);
    expect(renderReportPage(broken, '', '')).toContain('BROKEN: do not trust this report');
  });

  it('say of a re-admitted task only what happened since', () => {
    const again = reportOf(
      [...until('resume'), admitted({ at: at(50_000) }), after(50_001, started({ call: 7 }))],
      at(50_010),
    );
    expect(again.halts).toEqual([]);
    expect(again.timeline).toMatchObject([{ number: 3 }]);
  });
});

describe('a diff', () => {
  const patch = [
    'diff --git a/src/a.ts b/src/a.ts',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -1,2 +1,2 @@',
    ' kept',
    '-gone',
    '+new',
    'diff --git a/b.txt b/b.txt',
    'Binary files differ',
  ].join('\n');

  it('is shown file by file, with changed words marked and each finding at its line', () => {
    const details = detailsOf(EVENTFUL);
    const [round, ...rounds] = details.report.rounds;
    const blocking = [{ ...aFinding({ file: 'src/a.ts', line: 2, description: 'not so' }), gone_in_next_round: null }];
    const found = round === undefined ? [] : [{ ...round, blocking }, ...rounds];
    const shown = patch.replace('-gone', '-it is old').replace('+new', '+it is new');
    const page = renderReportPage({ ...details, report: { ...details.report, rounds: found } }, shown, '');
    expect(textOf(page)).toContain('src/a.ts +1 −1 1 finding @@ -1,2 +1,2 @@ kept - it is old + it is new');
    expect(page).toContain('<i>-</i>it is <mark>old</mark>');
    expect(page).toContain(
      '<span class="a" data-line="2"><i>+</i>it is <mark>new</mark></span><span class="f">local-reviewer',
    );
    expect(textOf(page)).toContain('b.txt binary');
  });

  it('is cut at a limit, and says how much is left; every file has its numbers', () => {
    const big = [
      'diff --git a/big.md b/big.md',
      '--- a/big.md',
      '+++ b/big.md',
      '@@ -0,0 +1,3000 @@',
      '+x\n'.repeat(3000),
    ];
    const page = renderReportPage(detailsOf(EVENTFUL), `${big.join('\n')}${patch}`, '');
    expect(page).toContain('1807 more lines not shown here: <code>andon show DOC-001 --diff</code>');
    const text = textOf(page);
    for (const head of ['big.md +3000 −0', 'src/a.ts +1 −1', 'b.txt binary']) expect(text).toContain(head);
  });
});

describe('the words', () => {
  it.each([
    [0, '0.0 s'],
    [400, '0.4 s'],
    [9960, '10 s'],
    [59_600, '1 min'],
    [724_000, '12 min 4 s'],
    [3_600_000, '1 h'],
    [3_599_900, '1 h'],
    [11_100_000, '3 h 5 min'],
    [187_200_000, '2 d 4 h'],
  ])('%i ms are %s', (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });

  it('are those of people', () => {
    expect([formatList([]), formatList(['a']), formatList(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
    expect([0, 0.0042, 0.02, 12.3].map(formatDollars)).toEqual(['$0.00', '$0.0042', '$0.02', '$12.30']);
  });
});
