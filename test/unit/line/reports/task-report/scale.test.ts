import * as fc from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../../src/line/record/journal-entry.ts';
import { renderReportPage } from '../../../../../src/app/views/task-report-page.tsx';
import { NARROW_ROOM, computeTicks, timeScale } from '../../../../../src/line/reports/task-report/scale.ts';
import type { StationSpan } from '../../../../../src/line/reports/task-report/station-spans.ts';
import {
  aChange,
  aContract,
  aGateRun,
  aHalt,
  aReport,
  aReview,
  admitted,
  called,
  started,
} from '../../../../support/records.ts';
import { at, after, step, merge, choice, EVENTFUL, detailsOf, reportOf, until } from './task-report-sample.ts';

describe('many halts', () => {
  const night = (index: number): readonly JournalEntry[] => [
    step(40_000 + index * 20_000, 'fault', 'review_complete', 'erik_consultation', {
      halt: aHalt({ id: `h${index}` }),
    }),
    step(59_000 + index * 20_000, 'resume', 'erik_consultation', 'review_complete', {
      choice: { ...choice, by: `erik${'x'.repeat(500)}` },
    }),
  ];
  const report = reportOf([...until('pass'), ...[0, 1, 2, 3, 4].flatMap(night)], at(140_000));

  it('are counted in the sentence, and a name without end is cut', () => {
    expect(report.outcome).toMatch(
      / · halted 6 times · at last halted \(floor manager and judge disagree\), erikx{40,60}… chose path 1\.$/,
    );
  });

  it('leave more than half of the picture to the work', () => {
    const { stretches } = timeScale(report.timeline, report.from, report.to);
    const idle = stretches.filter(({ isCut }) => isCut).reduce((sum, { width }) => sum + width, 0);
    expect(idle).toBeLessThan(50);
  });
});

describe('the timeline', () => {
  const { timeline: spans } = reportOf(EVENTFUL);
  const of = (lane: StationSpan['lane']): readonly string[] =>
    spans
      .filter((span) => span.lane === lane)
      .map(({ kind, from, to, sent_back: isBad, number }) => {
        const seconds = (moment: string): number => (Date.parse(moment) - Date.parse(at(0))) / 1000;
        return `${seconds(from)}-${seconds(to)} ${kind}${isBad ? ' bad' : ''} ${number ?? ''}`.trim();
      });

  it('has every call, with the attempt or round it belongs to', () => {
    expect(of('implementer')).toEqual(['1-61 work 1', '71-100 work 2']);
    expect(of('local-reviewer')).toEqual([]);
  });

  it('marks red gates and the judge that sends back, not those before them', () => {
    expect(of('gates')).toEqual(['61-70 work bad 1', '100-110 work 2', '31064-31070 work']);
  });

  it('marks a judge without proof, and green gates that the change weakened', () => {
    const outcomes = [
      ...EVENTFUL.slice(0, 3),
      step(70, 'gate_weakened', 'pending_implementer', 'pending_implementer', { change: aChange(), gates: aGateRun() }),
      after(80, started({ call: 2, station: 'judge' })),
      after(90, called({ call: 2, station: 'judge' })),
      step(91, 'report_unproven', 'review_in_progress', 'pending_judge_review', { judgeUnreadable: 'no quote' }),
    ];
    const { timeline } = reportOf(outcomes);
    expect(timeline.map(({ lane, sent_back: isBad }) => [lane, isBad])).toEqual([
      ['implementer', false],
      ['gates', true],
      ['judge', true],
    ]);
  });

  it('draws a usage limit as one wait, however often it was tried', () => {
    expect(of('judge')).toEqual(['131-1000 wait', '1000-1030 work bad 1', '1033-1063 work bad 2']);
    expect(reportOf(EVENTFUL)).toMatchObject({ waited_for_human_ms: 30_000_000, waited_for_agents_ms: 869_000 });
  });

  it('shows a call under way up to now, and one that a crash interrupted as failed', () => {
    const open = reportOf([admitted(), after(1, started())], at(31)).timeline;
    expect(open).toMatchObject([{ lane: 'implementer', from: at(1), to: at(31), sent_back: false }]);
    const interrupted = { kind: 'interrupted', at: at(9), station: 'implementer', call: 1, usd: null } as const;
    const cut = reportOf([admitted(), after(1, started()), interrupted], at(31));
    expect(cut.timeline).toMatchObject([{ lane: 'implementer', to: at(9), sent_back: true }]);
    expect(cut.attempts).toMatchObject([
      { number: 1, commit: null, fate: expect.stringContaining('interrupted') as string },
    ]);
  });

  it('shows a judge outside, from the request on, and a human floor manager', () => {
    const contract = aContract({ roles: { ...aContract().roles, floorManager: 'human' } });
    const outside = detailsOf([
      admitted({ contract }),
      step(5, 'local_pass', 'pending_local_review', 'pending_judge_review', { review: aReview() }),
      step(65, 'review_started', 'pending_judge_review', 'review_in_progress'),
      step(125, 'judge_complete', 'review_in_progress', 'review_complete', { report: aReport() }),
      step(185, 'pass', 'review_complete', 'merged', { merge }),
    ]);
    expect(outside.report.timeline).toMatchObject([
      { lane: 'judge', kind: 'wait', from: at(5), to: at(65), sent_back: false },
      { lane: 'judge', kind: 'work', from: at(65), to: at(125), number: 1, sent_back: false },
      { lane: 'human', kind: 'work', from: at(125), to: at(185) },
    ]);
    expect(outside.report.outcome).toContain('judged PASS in round 1 and merged on a human’s decision');
    expect(renderReportPage(outside, '', '')).toContain('<li>Human</li>');
  });

  it('draws a night at a halt shorter, and says so, without squeezing the work', () => {
    const { stretches, at: x } = timeScale(spans, at(0), at(31_070));
    const night = stretches.find(({ from }) => from === Date.parse(at(1063)));
    expect(night).toMatchObject({ isCut: true });
    expect(night?.width).toBeLessThan(20);
    expect(x(at(61)) - x(at(1))).toBeGreaterThan(15);
    expect(renderReportPage(detailsOf(EVENTFUL), '', '')).toContain('without work, drawn shorter');
  });

  it('keeps order and frame for every story', () => {
    const span = fc.record({
      from: fc.integer({ min: -10, max: 900_000 }),
      length: fc.integer({ min: 0, max: 90_000 }),
      kind: fc.constantFrom('work' as const, 'wait' as const),
    });
    const moments = fc.array(fc.integer({ min: -10, max: 1_000_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 20 }), moments, (drawn, asked) => {
        const many = drawn.map(({ from, length, kind }): StationSpan => ({
          lane: 'judge',
          kind,
          from: at(from),
          to: at(from + length),
          sent_back: false,
          number: 1,
          text: '',
        }));
        const scale = timeScale(many, at(0), at(900_000));
        const places = asked.toSorted((one, two) => one - two).map((moment) => scale.at(at(moment)));
        expect(places).toEqual(places.toSorted((one, two) => one - two));
        for (const place of places) expect(place >= -0.001 && place <= 100.001).toBe(true);
        const ticks = computeTicks(scale, Date.parse(at(0)));
        expect(ticks.length).toBeLessThan(20);
        for (const [index, { x }] of ticks.entries()) expect(x).toBeGreaterThanOrEqual(ticks[index - 1]?.x ?? 0);
        const narrow = ticks.filter(({ isSpare, anchor }) => !isSpare && anchor === 'middle').map(({ x }) => x);
        for (const [index, x] of narrow.entries())
          expect(x - (narrow[index - 1] ?? 0)).toBeGreaterThanOrEqual(NARROW_ROOM);
      }),
    );
  });
});
