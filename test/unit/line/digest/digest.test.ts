import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import type { Facts } from '../../../../src/line/record/facts.ts';
import { digestHeadline, formatSentBack, outlineDigest } from '../../../../src/line/digest/outline-digest.ts';
import { UNMEASURED } from '../../../../src/rules/model/weakening.ts';
import { gatherDigest } from '../../../../src/line/digest/gather-digest.ts';
import { SILENT } from '../../../../src/line/words/list-obstacles.ts';
import { A_LINE, FROM, ORDER, ROOT, TO, aNight, digest, journal, task } from '../../../support/nights.ts';
import {
  AT,
  COMMIT,
  aChange,
  aChoice,
  aFinding,
  aGate,
  aGateRun,
  aHalt,
  aReport,
  aReview,
  called,
  moved,
  started,
  withLimits,
  admitted,
} from '../../../support/records.ts';
import { held } from '../../../support/held.ts';

const MERGE = { commit: '9'.repeat(40), tip: '9'.repeat(40), target: 'refs/heads/main' };
const halted = (id: string, changes: Parameters<typeof aHalt>[0] = {}): JournalEntry =>
  moved('judge_complete', 'review_in_progress', 'erik_consultation', { halt: aHalt({ id, ...changes }) });
const checked = moved('code_written', 'pending_implementer', 'pending_local_review', {
  change: aChange(),
  gates: aGateRun(),
});
const merged = (facts: Facts = {}): readonly JournalEntry[] => [
  checked,
  moved('judge_complete', 'review_in_progress', 'review_complete', { report: aReport() }),
  moved('pass', 'review_complete', 'merged', { merge: MERGE, ...facts }),
];
const red = (...names: readonly string[]): JournalEntry =>
  moved('gate_red', 'pending_implementer', 'pending_implementer', {
    change: aChange(),
    gates: aGateRun(...names.map((name) => aGate({ name, outcome: 'red', blocks: true, exit: 1 }))),
  });
const SILENT_DOG = { pid: 7, doing: 'watch', waits: null, silent: true } as const;
const judged = (verdict: 'FAIL' | 'PASS', summary = ''): JournalEntry =>
  moved('judge_complete', 'review_in_progress', 'review_complete', {
    report: aReport({ verdict, summary, blocking: verdict === 'FAIL' ? [aFinding()] : [] }),
  });
const strike = (station: NonNullable<Facts['strike']>['station']): Facts => ({
  strike: { station, kind: 'stall', why: 'silent' },
});
const sentBack = moved('fail_agree', 'review_complete', 'pending_implementer');

describe('what needs you', () => {
  it('is every halt that stands, however many tasks are open, each with its question and both paths to paste', () => {
    const { needs_you: needs } = digest(
      aNight(journal(task('A-1', halted('A-1-1')), task('B-2', halted('B-2-3')), task('C-3', started()))),
    );
    expect(needs.map(({ task_id, halt_id }) => [task_id, halt_id])).toEqual([
      ['A-1', 'A-1-1'],
      ['B-2', 'B-2-3'],
    ]);
    expect(needs[1]).toMatchObject({
      kind: 'halt',
      what: 'Floor manager and judge disagree',
      question: expect.stringMatching(/\?$/) as unknown,
      why: '3 rebuttals, more than the 2 allowed',
      since: AT,
      repository: ROOT,
    });
    expect(needs[1]?.ways.map(({ command }) => command)).toEqual([
      'andon resume B-2 --path 1 --halt B-2-3',
      'andon resume B-2 --path 2 --halt B-2-3',
      'andon show B-2 --report --out ../B-2.html',
    ]);
  });

  it('names the suggested path of a halt, and why', () => {
    const [need] = digest(aNight(journal(task('A-1', halted('A-1-1'))))).needs_you;
    expect(need?.ways.map(({ does }) => does)).toEqual([
      'Merges.',
      'Fixes. andon suggests this path: nothing is merged that the judge objected to.',
      '',
    ]);
  });

  it('has commands with all that a path asks for', () => {
    const [one, two] = aHalt().paths;
    const paths = [
      { ...one, typed: true as const },
      { ...two, reasoned: true as const },
    ] as const;
    const [need] = digest(aNight(journal(task('A-1', halted('A-1-1', { paths: [...paths] }))))).needs_you;
    expect(need?.ways.slice(0, 2).map(({ command }) => command)).toEqual([
      'andon resume A-1 --path 1 --halt A-1-1 --confirm A-1',
      'andon resume A-1 --path 2 --halt A-1-1 --reason "why"',
    ]);
  });

  it('is no halt that was answered', () => {
    const halt = aHalt({ id: 'A-1-1' });
    const answered = moved('resume', 'erik_consultation', 'review_complete', { choice: aChoice(halt) });
    expect(digest(aNight(journal(task('A-1', halted('A-1-1'), answered)))).needs_you).toEqual([]);
  });

  it('is a decision where you are the floor manager, and merging is offered only of a PASS', () => {
    const contract = { ...withLimits({}), taskId: 'A-1' };
    const yours = { ...contract, roles: { ...contract.roles, floorManager: 'human' } };
    const told = (verdict: 'FAIL' | 'PASS') =>
      journal([
        { seq: 0, taskId: 'A-1', entry: admitted({ contract: yours }) },
        { seq: 0, taskId: 'A-1', entry: judged(verdict) },
      ]);
    const commands = (verdict: 'FAIL' | 'PASS') =>
      digest(aNight(told(verdict))).needs_you.flatMap(({ ways }) => ways.map(({ title }) => title));
    expect(commands('PASS')).toEqual(['Merge', 'Fix', 'The change']);
    expect(commands('FAIL')).toEqual(['Fix', 'The change']);
    expect(digest(aNight(told('PASS'))).waits).toEqual([]);
    const text = '_handoff/DECISION.json does not count: a rebuttal needs evidence';
    const refused = { kind: 'remark', at: AT, text, refused: true } as const;
    const entries = journal(told('PASS'), [{ seq: 0, taskId: 'A-1', entry: refused }]);
    expect(digest(aNight(entries)).needs_you[0]?.why).toContain(`; your last answer did not count: ${text}`);
  });

  it('is a verdict where you chose at a halt to judge', () => {
    const [first, second] = aHalt().paths;
    const yours = { ...second, effect: { to: 'pending_judge_review', judgeOutside: true } } as const;
    const halt = aHalt({ id: 'A-1-1', paths: [first, yours] });
    const answered = moved('resume', 'erik_consultation', 'pending_judge_review', { choice: aChoice(halt, 2) });
    const { needs_you: needs, waits } = digest(
      aNight(journal(task('A-1', checked, halted('A-1-1', { paths: [first, yours] }), answered))),
    );
    expect(needs).toMatchObject([{ kind: 'decision', what: 'waits for your verdict', task_id: 'A-1' }]);
    expect(waits).toEqual([]);
  });

  it('is what holds the line: STOP, a pause, a refused contract, nobody who watches, a journal that somebody changed', () => {
    const needs = (changes: Partial<typeof A_LINE>) =>
      digest(aNight(journal(task('A-1', started())), { line: { ...A_LINE, ...changes } })).needs_you.map(
        ({ what, ways }) => [what, ways[0]?.command],
      );
    expect(needs({ blocked: 'STOP is there' })).toEqual([['nothing starts', 'rm _handoff/STOP']]);
    expect(needs({ blocked: 'hours are closed', closed: { until: AT } })).toEqual([]);
    expect(needs({ blocked: 'hours are never open', closed: { until: null } })).toEqual([
      ['nothing starts', 'andon night --dry-run'],
    ]);
    expect(needs({ watchdog: { pid: 7, doing: 'watch', waits: null, silent: true } })).toEqual([
      ['nothing moves', 'kill -CONT 7'],
    ]);
    expect(needs({ blocked: 'paused', paused: { at: AT, by: 'me' } })).toEqual([
      ['nothing starts', 'andon pause --off'],
    ]);
    expect(needs({ watchdog: null })).toEqual([['no watchdog is running', 'andon watch']]);
    const refusals = [
      { file: '_handoff/queue/b c.json', faults: 2, first: '$.roles: missing', at: AT },
      { file: '_handoff/queue/\u001b[2J.json', faults: 1, first: 'x', at: AT },
    ];
    expect(needs({ refusals })).toEqual([
      ['_handoff/queue/b c.json is refused', "andon contract lint '_handoff/queue/b c.json'"],
      [String.raw`_handoff/queue/\u{1b}[2J.json is refused`, 'andon watch --dry-run'],
    ]);
    const damaged = digest(aNight([], { line: undefined, damage: 'another program changed its journal, at entry 7' }));
    expect(damaged.needs_you).toMatchObject([
      { what: 'nothing runs', why: 'another program changed its journal, at entry 7' },
    ]);
  });
});

describe('what was merged', () => {
  it('names who accepted it against a breaker', () => {
    const choice = {
      halt: 'A-1-1',
      path: 1 as const,
      by: 'erik',
      how: 'test',
      effect: { to: 'pending_implementer' as const, approveTree: aChange().tree },
    };
    const approved = moved('resume', 'erik_consultation', 'pending_implementer', { choice });
    const { merged: found } = digest(aNight(journal(task('A-1', approved, ...merged()))));
    expect(found).toMatchObject([{ approved: ['accepted by erik at a halt'] }]);
  });

  it('stands there with what decided, and the command that takes it back', () => {
    const { merged: found } = digest(
      aNight(journal(task('A-1', ...merged())), { held: new Map([[MERGE.commit, true]]) }),
    );
    expect(found).toEqual([
      {
        repository: ROOT,
        task_id: 'A-1',
        at: AT,
        wanted: 'Merge the two guides',
        target: 'main',
        commit: MERGE.commit,
        added: aChange().added,
        deleted: aChange().deleted,
        held: true,
        verdict: 'PASS',
        judged_outside: false,
        gates_green: 1,
        gates: 1,
        not_sure: [],
        second_look_seconds: null,
        decided_by: null,
        halts: [],
        approved: [],
        widened: [],
        weakened: [],
        undone_as: null,
        undone_at: null,
        undo: 'andon undo A-1',
      },
    ]);
  });

  it('names the halts that were answered on the way, though nothing else sent it back', () => {
    const halt = aHalt({ id: 'A-1-1' });
    const stops = moved('judge_complete', 'review_in_progress', 'erik_consultation', { halt });
    const answer = moved('resume', 'erik_consultation', 'pending_implementer', { choice: aChoice(halt) });
    const found = digest(aNight(journal(task('A-1', stops, answer, ...merged()))));
    expect(found.sent_back).toEqual([]);
    expect(found.merged[0]?.halts).toEqual([halt.trip.breaker]);
    expect(JSON.stringify(outlineDigest(found, { when: String, here: ROOT }))).toContain(
      '1 halt answered (“Floor manager and judge disagree”)',
    );
  });

  it('says what a person allowed at its halts beyond the contract, and leaves out further tries', () => {
    const halt = aHalt({ id: 'A-1-1' });
    const stops = moved('judge_complete', 'review_in_progress', 'erik_consultation', { halt });
    const widens = (effect: object): JournalEntry =>
      moved('resume', 'erik_consultation', 'pending_implementer', {
        choice: { ...aChoice(halt), effect: { to: 'pending_implementer', ...effect } },
      });
    const night = (effect: object) => digest(aNight(journal(task('A-1', stops, widens(effect), ...merged()))));
    expect(night({ stallTries: 2 }).merged[0]?.widened).toEqual([]);
    const wide = night({
      paths: ['src/b.ts', 'src/b.ts'],
      diffSize: 1,
      shrink: true,
      waive: ['f1'],
      usd: 1.5,
      tokens: 2000,
      minutes: 5,
    });
    const line =
      "allowed at a halt: changes of src/b.ts, 1 more line changed, files that lose most of their lines, 1 finding of rules, $1.50 more, 2000 more tokens, 5 more minutes of agents' time";
    expect(JSON.stringify(outlineDigest(wide, { when: String, here: ROOT }))).toContain(line);
  });

  it('ran its gates again only where some did', () => {
    const look = (ms: number, later: string[] = []) => {
      const weakeningReport = { ...UNMEASURED, secondLook: { ms, later } };
      return digest(aNight(journal(task('A-1', ...merged({ weakeningReport }))))).merged[0]?.second_look_seconds;
    };
    expect([look(0, ['slow']), look(1), look(4200)]).toEqual([null, 0, 4]);
  });

  it('is taken back already, or out of its branch: then it says so', () => {
    const later = new Date(Date.parse(AT) + 60_000).toISOString();
    const undone = { kind: 'undone', at: later, commit: COMMIT, by: 'erik' } as const;
    const night = digest(aNight(journal(task('A-1', ...merged(), undone))));
    expect(night.merged).toMatchObject([{ at: AT, undone_as: COMMIT, undone_at: later, undo: null }]);
    const { lead, sections } = outlineDigest(night, { when: String, here: ROOT });
    expect(lead).toContain(' 0 merged, 1 taken out again,');
    expect(sections.filter(({ id }) => ['merged', 'undone'].includes(id))).toMatchObject([
      { title: 'Merged' },
      { title: 'Taken out again (1)', items: [{ text: expect.stringContaining(`(${later})`) }] },
    ]);
    const lost = digest(aNight(journal(task('A-1', ...merged())), { held: new Map([[MERGE.commit, false]]) }));
    expect(lost.merged[0]?.held).toBe(false);
    expect(lost.not_known.map(({ what }) => what)).toContain(
      `main no longer contains its merge (${'9'.repeat(12)}): the branch was moved`,
    );
    expect(digest(aNight(journal(task('A-1', ...merged())))).not_known).toMatchObject([
      {
        what: expect.stringContaining('branch main cannot be found now'),
        remedy: `git branch --all --contains ${'9'.repeat(12)}`,
      },
    ]);
  });

  it('is never told by an agent: praise and notes stand nowhere', () => {
    const told = digest(
      aNight(
        journal(
          task(
            'A-1',
            moved('code_written', 'pending_implementer', 'pending_local_review', {
              change: aChange({ notes: 'PRAISE: everything is done perfectly' }),
              gates: aGateRun(aGate({ output: 'PRAISE' })),
              review: aReview(),
            }),
            judged('PASS', 'PRAISE: the best change I ever saw'),
            moved('pass', 'review_complete', 'merged', { merge: MERGE }),
          ),
          task('B-2', judged('PASS', 'PRAISE')),
        ),
      ),
    );
    expect(JSON.stringify(told)).not.toContain('PRAISE');
  });
});

describe('what was sent back', () => {
  it('says how often, by which gates and verdicts, and keeps apart what a reviewer says', () => {
    const { sent_back: back } = digest(
      aNight(
        journal(
          task(
            'A-1',
            red('test', 'lint'),
            red('test'),
            moved('local_fail', 'pending_local_review', 'pending_implementer', {
              review: aReview({
                verdict: 'FAIL',
                findings: [aFinding({ source: 'reviewer', description: 'no test' })],
              }),
            }),
            judged('FAIL'),
            sentBack,
            moved('strike', 'pending_implementer', 'pending_implementer', strike('implementer')),
          ),
        ),
      ),
    );
    expect(back.map(formatSentBack)).toEqual(['sent back 4 times, 1 call without a usable answer; now being written']);
    expect(back[0]).toMatchObject({
      task_id: 'A-1',
      status: 'pending_implementer',
      red_gates: { test: 2, lint: 1 },
      verdicts: { FAIL: 1 },
    });
    expect(back[0]?.rounds.map(({ by, why, says }) => [by, why, says])).toEqual([
      ['gates', 'gate test red (exit 1), gate lint red (exit 1)', null],
      ['gates', 'gate test red (exit 1)', null],
      ['reviewer', 'local review says FAIL, with 1 blocking finding', '[high] docs/guide.md:3 no test'],
      ['judge', 'judge says FAIL, with 1 blocking finding', '[high] docs/guide.md:3 the second guide is missing'],
      ['implementer', 'because of strike', null],
    ]);
  });

  it('counts a task in the headline once, as merged or as without a usable answer', () => {
    const failed = moved('strike', 'pending_implementer', 'pending_implementer', strike('implementer'));
    const night = (...entries: readonly JournalEntry[]): string =>
      digestHeadline(digest(aNight(journal(task('A-1', failed, ...entries)))));
    expect(night()).toMatch(/ 0 merged, 1 without a usable answer, /);
    expect(night(...merged())).toMatch(/ 1 merged, 0 under way/);
  });

  it('names the station of a strike or a timeout', () => {
    const { rounds = [] } =
      digest(
        aNight(
          journal(
            task(
              'A-1',
              moved('timeout', 'pending_implementer', 'pending_implementer', strike('implementer')),
              moved('strike', 'pending_local_review', 'pending_local_review', strike('local-reviewer')),
              moved('timeout', 'review_in_progress', 'pending_judge_review', strike('judge')),
            ),
          ),
        ),
      ).answers_refused[0] ?? {};
    expect(rounds.map(({ by, of }) => [by, of])).toEqual([
      ['implementer', 'answer'],
      ['reviewer', 'answer'],
      ['judge', 'answer'],
    ]);
  });

  it('counts every rejection, as the halt report does, also the one that led to a halt, and names the halts beside it', () => {
    const halt = aHalt({ id: 'A-1-1' });
    const stops = moved('gate_red', 'pending_implementer', 'erik_consultation', { change: aChange(), halt });
    const answer = moved('resume', 'erik_consultation', 'pending_implementer', { choice: aChoice(halt) });
    const open = digest(aNight(journal(task('A-1', red('test'), red('test'), stops)))).sent_back[0];
    expect(open === undefined ? '' : formatSentBack(open)).toBe('sent back 3 times; now waiting for you');
    const over = digest(aNight(journal(task('A-1', red('test'), stops, answer, ...merged())))).sent_back[0];
    expect(over === undefined ? '' : formatSentBack(over)).toBe(
      'sent back 2 times, halted (“Floor manager and judge disagree”); now merged',
    );
  });

  it('does not call a task merged whose merge was undone', () => {
    const undone = { kind: 'undone', at: AT, commit: COMMIT, by: 'erik' } as const;
    const [back] = digest(aNight(journal(task('A-1', red('test'), ...merged(), undone)))).sent_back;
    expect(back === undefined ? '' : formatSentBack(back)).toBe('sent back 1 time; now merged and undone');
  });

  it('is not what you chose yourself at a halt', () => {
    const answer = moved('resume', 'erik_consultation', 'pending_implementer', { choice: aChoice(aHalt()) });
    expect(digest(aNight(journal(task('A-1', halted('DOC-001-7'), answer)))).sent_back).toEqual([]);
  });

  it('is nothing when the rules have looked at the contract before any work', () => {
    const looked = moved('rules_checked', 'pending_implementer', 'pending_implementer');
    expect(digest(aNight(journal(task('A-1', looked)))).sent_back).toEqual([]);
  });
});

describe('what was spent', () => {
  const contract = { ...withLimits({ budget: { usd: 1, tokens: 1000, minutes: 10 } }), taskId: 'A-1' };
  const told = (...entries: readonly JournalEntry[]) =>
    journal([admitted({ contract }), ...entries].map((entry) => ({ seq: 0, taskId: 'A-1', entry })));

  it('stands against the budget, in dollars, tokens and minutes', () => {
    const { spent } = digest(aNight(told(started(), called({ usd: 0.25 }))));
    expect(spent.tasks).toMatchObject([
      {
        usd: 0.25,
        tokens: 120,
        minutes: 1,
        budget: [
          { of: 'usd', used: 0.25, limit: 1 },
          { of: 'tokens', used: 120, limit: 1000 },
          { of: 'minutes', used: 1, limit: 10 },
        ],
      },
    ]);
  });

  it('is unknown where a call told no price, and never nothing; what was reserved for it is said', () => {
    const free = digest(aNight(told(started(), called({ usd: null, tokensOut: null }))));
    expect(free.spent.together).toMatchObject({
      calls: 1,
      usd: null,
      usd_known: 0,
      calls_without_price: 1,
      tokens: null,
    });
    expect(free.spent.tasks[0]?.budget[0]).toEqual({ of: 'usd', used: null, at_least: 0, limit: 1 });
    expect(free.not_known.map(({ what }) => what)).toEqual([
      'the price of 1 call is unknown',
      'the tokens of 1 call are unknown',
    ]);
    const reserved = digest(aNight(told(started({ reserveUsd: 0.5 }), called({ usd: null }))));
    expect(reserved.spent.together).toMatchObject({ usd: null, usd_known: 0, usd_reserved: 0.5 });
    expect(reserved.not_known[0]?.what).toBe(
      'the price of 1 call is unknown; $0.5000 that was reserved is counted for it',
    );
  });

  it('counts a call that broke off, and one that had begun before', () => {
    const cut = { kind: 'interrupted', at: AT, station: 'implementer', call: 1, usd: null, ms: 120_000 } as const;
    const { spent, not_known: unknown } = digest(
      aNight(told(started({ reserveUsd: 0.5, reserveTokens: 300 }), cut), { since: 2 }),
    );
    expect(spent.together).toMatchObject({ calls: 1, usd: null, usd_reserved: 0.5, tokens: null, minutes: 2 });
    expect(unknown[0]?.what).toBe('1 call broke off: what the agent had done by then is not known');
    expect(unknown.at(-1)).toMatchObject({ task_id: null, what: 'the tokens of 1 call are unknown' });
  });

  it('says how the time of a call counts whose andon died', () => {
    const cut = { kind: 'interrupted', at: AT, station: 'implementer', call: 1, usd: null } as const;
    expect(digest(aNight(told(started(), cut))).not_known.map(({ what }) => what)).toContain(
      '1 call broke off: what the agent had done by then is not known; its time counts until andon started again',
    );
  });

  it('is nothing for a try that found its program out of reach', () => {
    const unknown = held({ usd: null, tokensIn: null, tokensOut: null });
    expect(digest(aNight(told(started(), unknown))).spent.together).toMatchObject({ calls: 0, usd: 0 });
    expect(digest(aNight(told(started(), { ...unknown, tokensIn: 9 }))).spent.together).toMatchObject({
      calls: 1,
      usd: null,
    });
  });
});

describe('what waits', () => {
  const waits = (entries: readonly JournalEntry[], changes: Partial<typeof A_LINE> = {}) =>
    digest(aNight(journal(task('A-1', ...entries)), { line: { ...A_LINE, ...changes } })).waits;

  it.each([
    ['an agent that works', [started()], {}, 'the implementer works', ''],
    ['a limit', [started(), held()], {}, 'waits for the judge', 'usage limit'],
    [
      'a watchdog',
      [started()],
      { watchdog: null },
      'waits for a watchdog',
      'no watchdog is running; implementer was working when andon stopped',
    ],
    ['the gates of its base', [], {}, 'the gates of the base run', 'Awaiting implementation'],
    ['a pause', [checked], { blocked: 'paused by me' }, 'nothing starts', 'paused by me'],
    ['a watchdog that is stopped', [started()], { watchdog: SILENT_DOG }, 'nothing moves', SILENT.why],
  ] as const)('for %s', (_, entries, changes, phrase, why) => {
    expect(waits(entries, changes)).toMatchObject([{ task_id: 'A-1', phrase, why }]);
  });

  it('in the folder: for the reason in the order of the queue, or for what holds the line', () => {
    const waiting = ['_handoff/queue/c.json'];
    const queue = [{ ...ORDER, file: '_handoff/queue/c.json', task_id: 'C-3', why: 'waits for the line' }];
    const told = journal(task('A-1', started()), task('B-2', halted('B-2-1')));
    const behind = (changes: Partial<typeof A_LINE>) =>
      digest(aNight(told, { line: { ...A_LINE, waiting, queue, ...changes } })).waits.find(({ file }) => file !== null);
    expect(behind({})).toMatchObject({
      file: '_handoff/queue/c.json',
      phrase: 'waits for the line',
    });
    expect(behind({ blocked: 'paused by me' })?.phrase).toBe('paused by me');
    expect(behind({ watchdog: null })?.phrase).toBe('waits for a watchdog');
  });

  it.each([
    ['another task', 'waits for RED-1, which is halted and needs you'],
    ['a parked task', 'waits for RED-1, which is set aside'],
    ['a time', 'waits until 2026-12-01T06:00:00.000Z'],
  ] as const)('in the folder for %s: whatever holds the line, too', (what, why) => {
    const queue = [{ ...ORDER, file: '_handoff/queue/c.json', task_id: 'C-3', waits_for: what, why }];
    const kept = { waiting: ['_handoff/queue/c.json'], queue };
    for (const changes of [{ watchdog: null }, { blocked: 'paused by me' }])
      expect(waits([started()], { ...kept, ...changes })).toContainEqual(expect.objectContaining({ phrase: why }));
  });
});

describe('what andon could not know', () => {
  const unknown = (...args: Parameters<typeof aNight>): readonly string[] =>
    digest(aNight(...args)).not_known.map(({ what }) => what);

  it('is an entry that cannot be read, and what you could not be told of', () => {
    const entries = [
      { kind: 'unreadable', at: AT, seq: 2, why: 'shadowed: unknown' },
      { kind: 'notified', at: AT, key: 'merged:A-1', channel: 'webhook', failed: 'did not answer in time' },
    ] as const;
    expect(unknown(journal(task('A-1', ...entries)))).toEqual([
      'entry 2 of the journal cannot be read (shadowed: unknown): what it says is in no figure here',
      'you could not be told of "merged" by webhook: did not answer in time',
    ]);
  });
});

describe('a digest', () => {
  it('tells what is new, and what stands whenever it began', () => {
    const told = journal(task('A-1', ...merged()), task('B-2', halted('B-2-1')), task('C-3', red('test'), ...merged()));
    const all = digest(aNight(told));
    expect([all.merged.length, all.sent_back.length, all.needs_you.length]).toEqual([2, 1, 1]);
    const later = digest(aNight(told, { since: 8 }));
    expect([later.merged.map(({ task_id }) => task_id), later.sent_back.length]).toEqual([['C-3'], 0]);
    const nothing = digest(aNight(told, { since: 100 }));
    expect([nothing.merged, nothing.sent_back, nothing.spent.tasks]).toEqual([[], [], []]);
    expect(nothing.needs_you).toEqual(all.needs_you);
  });

  it('is about any number of repositories, with the same tasks in them', () => {
    const told = journal(task('A-1', halted('A-1-1')));
    const other = aNight(told, { name: 'other', root: '/home/me/other' });
    const both = gatherDigest([aNight(told), other], { from: FROM, to: TO });
    expect(both.needs_you.map(({ repository }) => repository)).toEqual([ROOT, '/home/me/other']);
    expect(gatherDigest([], { from: FROM, to: TO })).toMatchObject({ needs_you: [], merged: [], repositories: [] });
  });

  it('keeps what looks like a secret to itself', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const told = journal(task('A-1', halted('A-1-1', { trip: { ...aHalt().trip, reason: `token ${secret}` } })));
    expect(JSON.stringify(digest(aNight(told)))).not.toContain(secret);
  });
});
