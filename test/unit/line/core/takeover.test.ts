import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../src/line/record/facts.ts';
import { getCurrentImplementer, getNextImplementer } from '../../../../src/line/record/implementers.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import type { StepEvent } from '../../../../src/line/record/step-event.ts';
import { checkBreakers } from '../../../../src/line/breakers/index.ts';
import { explain, createMoveEntry, takeStep } from '../../../../src/line/core/step.ts';
import { foldEntry, foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { formatEntry } from '../../../../src/line/words/list-story.ts';
import { decideTakeover, takeOverByChoice } from '../../../../src/line/core/takeover.ts';
import { haltPaths } from '../../../support/tripped.ts';
import { viewTask } from '../../../../src/line/words/view-task.ts';
import {
  AT,
  aChange,
  aContract,
  aGate,
  aGateRun,
  aHalt,
  aRecord,
  aReport,
  aStep,
  admitted,
} from '../../../support/records.ts';

/** What a station found out: the event, and the facts. */
type Step = readonly [event: StepEvent, facts: Facts];

/** A task with these implementers, at which nothing has happened yet. */
const withList = (...implementers: readonly string[]): TaskRecord => {
  const contract = aContract();
  return aRecord({ contract: { ...contract, roles: { ...contract.roles, implementers } } });
};

/** The record after one more step of the line, as the machine takes it in. */
const after = (record: TaskRecord, [event, facts]: Step): TaskRecord =>
  takeStep({ ...record, status: 'pending_implementer' }, aStep(event, facts), 'pending_implementer');
const all = (record: TaskRecord, ...steps: readonly Step[]): TaskRecord => steps.reduce(after, record);

const strike = (kind: NonNullable<Facts['strike']>['kind'], station: 'implementer' | 'judge' = 'implementer'): Step => [
  kind === 'refused' ? 'answer_refused' : 'strike',
  { strike: { station, kind, why: `${kind}!\nand more` } },
];
let attempt = 0;
const change = () => aChange({ attempt: (attempt += 1), tree: String(attempt).padStart(40, '0') });
const red = (): Step => [
  'gate_red',
  {
    change: change(),
    gates: aGateRun(aGate({ outcome: 'red', blocks: true, exit: 1 })),
    feedback: [{ from: 'gates', text: 'red' }],
  },
];
const green = (): Step => ['code_written', { change: change(), gates: aGateRun() }];
const judged = (verdict: 'FAIL' | 'CONDITIONAL' | 'PASS'): Step => ['judge_complete', { report: aReport({ verdict }) }];
const back: Step = ['fail_agree', { feedback: [{ from: 'judge', text: 'fix it' }] }];
const rebut: Step = ['fail_disagree', { rebuttal: [{ why: 'it is there' }] }];

describe('the next implementer takes over', () => {
  it.each([
    ['a crash', [strike('crash')], 'crash: crash!'],
    ['an empty answer', [strike('empty')], 'empty: empty!'],
    ['an unreadable answer', [strike('unreadable')], 'unreadable: unreadable!'],
    ['a stall', [strike('stall')], 'stall: stall!'],
    ['a prompt that does not fit', [strike('too-long')], 'too-long: too-long!'],
    ['a red gate twice in a row', [red(), red()], 'gates red 2 times in a row, at last tests'],
    ['a red gate twice, and a crash of a reviewer between', [red(), strike('crash', 'judge'), red()], 'gates red 2'],
    ['a FAIL twice in a row', [green(), judged('FAIL'), back, green(), judged('FAIL'), back], 'judged FAIL 2 times'],
    [
      'a FAIL twice with a red gate between',
      [green(), judged('FAIL'), back, red(), green(), judged('FAIL'), back],
      'judged FAIL 2 times in a row',
    ],
    ['more refused answers than are forgiven', [1, 2, 3, 4].map(() => strike('refused')), '4 answers were refused'],
  ])('after %s', (_what, steps, why) => {
    const record = all(withList('small', 'large'), ...steps);
    expect(record.takeovers).toEqual([{ from: 'small', to: 'large', why: expect.stringContaining(why), at: AT }]);
    expect(getCurrentImplementer(record)).toBe('large');
    expect(checkBreakers(record).map(({ breaker }) => breaker)).toEqual([]);
    expect(record).toMatchObject({ strikes: [], stalls: 0, refusedAnswers: 0, inARow: { red: 0, fail: 0 } });
  });

  it.each([
    ['a first red gate', [red()]],
    ['two red gates with a green one between', [red(), green(), judged('FAIL'), back, red()]],
    ['gates that were red again only because the target moved', [red(), ['gate_red', { gates: red()[1].gates }]]],
    ['a first FAIL', [green(), judged('FAIL'), back]],
    [
      'two FAILs about one change, of which the first was rebutted',
      [green(), judged('FAIL'), rebut, judged('FAIL'), back],
    ],
    [
      'two FAILs with a CONDITIONAL between',
      [green(), judged('FAIL'), back, green(), judged('CONDITIONAL'), back, green(), judged('FAIL'), back],
    ],
    ['two that were CONDITIONAL', [green(), judged('CONDITIONAL'), back, green(), judged('CONDITIONAL'), back]],
    ['strikes of the judge', [strike('crash', 'judge')]],
    ['three refused answers', [1, 2, 3].map(() => strike('refused'))],
  ] satisfies readonly [string, readonly Step[]][])('but not after %s', (_what, steps) => {
    expect(all(withList('small', 'large'), ...steps).takeovers).toEqual([]);
  });

  it('and begins anew: what the one before did is not held against him', () => {
    const refused = [1, 2, 3].map(() => strike('refused'));
    const feedback: Facts['feedback'] = [
      { from: 'answer', text: 'your last answer' },
      { from: 'judge', text: 'a link is dead' },
    ];
    const record = all(withList('a', 'b'), ...refused, ['fail_disagree', { feedback }], strike('crash'), ...refused);
    expect(record.takeovers).toHaveLength(1);
    expect(record.feedback).toEqual([{ from: 'judge', text: 'a link is dead' }]);
    expect(checkBreakers(record)).toEqual([]);
  });

  it('while the stalls of other stations stay counted', () => {
    const record = all(withList('a', 'b'), strike('stall', 'judge'), green(), strike('stall'));
    expect(record).toMatchObject({ stalls: 1, takeovers: [{ to: 'b' }] });
  });

  it('in the same entry of the journal that says why, and the story tells it', () => {
    const entry = createMoveEntry(withList('small', 'large'), aStep(...strike('crash')), 'pending_implementer');
    expect(entry.facts.takeover).toEqual({ from: 'small', to: 'large', why: 'crash: crash!' });
    expect(formatEntry(entry)).toContain('implementer: large takes over from small (crash: crash!)');
  });

  it('also where the same step halts the line for another reason', () => {
    const limits = { ...aContract().limits, maxReviewCycles: 1 };
    const { contract } = withList('small', 'large');
    const record = all({ ...withList(), contract: { ...contract, limits } }, red());
    const entry = createMoveEntry(record, aStep(...red()), 'erik_consultation');
    expect(entry.facts).toMatchObject({ takeover: { to: 'large' }, halt: { trip: { breaker: 'review_cycle_limit' } } });
  });
});

describe('at the end of the list', () => {
  it.each([
    ['with one name', ['only'], 0],
    ['with three', ['a', 'b', 'c'], 2],
  ])('the breakers say what happens, as they do without any list: %s', (_what, names, moves) => {
    const last = all(withList(...names), ...names.slice(1).map(() => strike('crash')));
    expect(last.takeovers).toHaveLength(moves);
    expect(getCurrentImplementer(last)).toBe(names.at(-1));
    const first = after(last, strike('crash'));
    expect(checkBreakers(first)).toEqual([]);
    expect(checkBreakers(after(first, strike('crash'))).map(({ breaker }) => breaker)).toEqual(['stalled']);
    expect(after(first, strike('crash')).takeovers).toHaveLength(moves);
  });
});

describe('a human at a halt', () => {
  const choice = (record: TaskRecord) => ({
    halt: 'DOC-001-1',
    path: 1 as const,
    by: 'erik',
    how: 'test',
    effect: haltPaths('hallucination_loop', record)[0].effect,
  });

  it('who wants a fresh start gets it with the next of the list', () => {
    const record = withList('small', 'large');
    expect(haltPaths('hallucination_loop', record)[0]).toMatchObject({ title: 'Start afresh with large' });
    expect(takeOverByChoice(record, choice(record))).toEqual({ from: 'small', to: 'large', why: 'erik chose path 1' });
  });

  it('gets it with the same one at the end of the list', () => {
    const record = withList('only');
    expect(haltPaths('hallucination_loop', record)[0]).toMatchObject({ title: 'Start afresh' });
    expect(takeOverByChoice(record, choice(record))).toBeUndefined();
  });

  it('may let the next one work while an implementer is out of reach', () => {
    const lastFacts = { unavailable: { station: 'implementer' as const, reason: 'the server is down' } };
    expect(haltPaths('unavailable', { ...withList('small', 'large'), lastFacts })[1]).toMatchObject({
      title: 'Let large take over',
      effect: { to: 'pending_implementer', nextImplementer: true },
    });
    expect(haltPaths('unavailable', { ...withList('small'), lastFacts })[1].effect.to).toBe('abandoned');
  });
});

describe('what is shown of a takeover', () => {
  it('is who works now, and every change of hands with its reason', () => {
    const view = viewTask(all(withList('a', 'b', 'c'), strike('crash'), strike('empty')));
    expect(view.implementer).toBe('c');
    expect(view.takeovers.map(({ from, to, why }) => [from, to, why])).toEqual([
      ['a', 'b', 'crash: crash!'],
      ['b', 'c', 'empty: empty!'],
    ]);
  });
});

describe('whatever happens', () => {
  const steps = fc.array(
    fc.constantFrom<(() => Step)[]>(
      red,
      green,
      () => back,
      () => rebut,
      () => judged('FAIL'),
      () => judged('CONDITIONAL'),
      () => strike('crash'),
      () => strike('stall'),
      () => strike('refused'),
      () => strike('crash', 'judge'),
      () => ['resume', { choice: { ...freshStart, path: 1 } }],
    ),
    { maxLength: 40 },
  );
  const freshStart = {
    halt: aHalt().id,
    by: 'erik',
    how: 'test',
    effect: { to: 'pending_implementer' as const, fresh: true, nextImplementer: true },
  };
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 5 });

  it('the work goes down the list one by one, never back, never past its end, and a restart knows who is next', () => {
    fc.assert(
      fc.property(names, steps, (list, made) => {
        const contract = aContract();
        const opening = admitted({ contract: { ...contract, roles: { ...contract.roles, implementers: list } } });
        const entries: JournalEntry[] = [opening];
        let record = foldJournal(entries) ?? aRecord();
        const seen = [getCurrentImplementer(record)];
        for (const make of made) {
          const [event, facts] = make();
          const { choice } = facts;
          const takeover = choice === undefined ? undefined : takeOverByChoice(record, choice);
          const step = aStep(event, takeover === undefined ? facts : { ...facts, takeover });
          const entry = createMoveEntry({ ...record, status: 'pending_implementer' }, step, 'pending_implementer');
          entries.push(entry);
          record = foldEntry(record, entry) ?? record;
          if (seen.at(-1) !== getCurrentImplementer(record)) seen.push(getCurrentImplementer(record));
        }
        expect(seen).toEqual(list.slice(0, seen.length));
        expect(getNextImplementer(record)).toBe(list[seen.length]);
        expect(decideTakeover(record)).toBeUndefined(); // whoever shall be taken over has been
        expect(getCurrentImplementer(foldJournal(entries) ?? aRecord())).toBe(seen.at(-1));
        expect(explain(entries).filter(({ recorded }) => recorded.length > 0)).toEqual([]);
      }),
    );
  });
});
