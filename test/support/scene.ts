import { haltPaths } from './tripped.ts';
import { buildBoard } from '../../src/line/board/build-board.ts';
import type { Board } from '../../src/line/board/board.ts';
import type { Digest } from '../../src/line/digest/digest.ts';
import { gatherDigest } from '../../src/line/digest/gather-digest.ts';
import type { RepositoryNight } from '../../src/line/digest/repository-night.ts';
import { viewTaskDetails } from '../../src/line/reports/task-report/task-details.ts';
import { foldJournal } from '../../src/line/core/fold-journal.ts';
import type { LineFacts } from '../../src/line/words/line-facts.ts';
import type { Facts } from '../../src/line/record/facts.ts';
import type { JournalEntry } from '../../src/line/record/journal-entry.ts';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import type { BreakerId, Trip } from '../../src/line/record/trip.ts';
import type { StationId, Status } from '../../src/base/names.ts';
import { computeInsights } from '../../src/app/web/read-insights.ts';
import type { InsightsResponse, TaskResponse } from '../../src/app/web/api-types.ts';
import { A_LINE, aNight } from './nights.ts';
import { aChange, aContract, aFile, aHalt, admitted, called, moved, started } from './records.ts';

/** A task of a scene, as its story goes. */
export interface SceneTask {
  readonly repository: string;
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  /** Minutes since its last entry. */
  readonly age: number;
  readonly usd?: number;
  readonly budget?: number;
  readonly file?: string;
  readonly halt?: SceneHalt;
  readonly ends?: 'merged' | 'abandoned';
  /** How often it was written before its merge; default: once. */
  readonly attempts?: number;
  /** What halted it before its end. */
  readonly wasHaltedBy?: BreakerId;
  /** The station that works on it. */
  readonly works?: StationId;
}

/** A halt, what it is about, and what both sides say. */
export interface SceneHalt {
  readonly breaker: BreakerId;
  readonly facts?: Facts;
  readonly trip?: Omit<Partial<Trip>, 'sides'> & { readonly sides?: readonly Trip['sides'][number][] };
}

/** A board over repositories that exist only here, and the pages of its tasks. */
export interface Scene {
  readonly board: () => Board;
  readonly digest: (since: string) => Digest;
  readonly taskOf: (repository: string, id: string) => TaskResponse | undefined;
  readonly insights: () => InsightsResponse;
  /** Answers a halt: its task goes on. */
  readonly answer: (repository: string, id: string) => void;
}

const PATHS: Readonly<Record<'write' | 'judge', Status>> = {
  write: 'pending_implementer',
  judge: 'pending_judge_review',
};

/** The story of a task, one entry a minute up to its age. */
function storyOf(task: SceneTask, now: number): readonly JournalEntry[] {
  const entries = listEntries(task, now);
  return entries.map((entry, index) => {
    const before = task.age + entries.length - 1 - index;
    return { ...entry, at: new Date(now - before * 60_000).toISOString() };
  });
}

function listEntries(task: SceneTask, now: number): readonly JournalEntry[] {
  const at = new Date(now - task.age * 60_000).toISOString();
  const { id: taskId, title, requirements, usd = 0.04, file = 'src/session.js', halt } = task;
  const plain = aContract();
  const contract = {
    ...plain,
    taskId,
    title,
    specification: { ...plain.specification, requirements: [...requirements] },
    limits: { ...plain.limits, budget: { usd: task.budget ?? 5, tokens: undefined, minutes: undefined } },
  };
  const change = aChange({
    added: 7,
    deleted: 1,
    files: [aFile({ path: file, status: 'modified', added: 7, deleted: 1 })],
  });
  const written: readonly JournalEntry[] = [
    admitted({ at, contract, document: { task_id: taskId, title } }),
    started({ at, call: 1 }),
    called({ at, call: 1, usd: usd / 2 }),
    { ...moved('code_written', 'pending_implementer', 'pending_judge_review', { change }), at },
    started({ at, call: 2, station: 'judge', model: 'claude' }),
    called({ at, call: 2, station: 'judge', model: 'claude', usd: usd / 2 }),
  ];
  if (task.works !== undefined)
    return task.works === 'implementer'
      ? [...written.slice(0, 1), started({ at, call: 1 })]
      : [...written, started({ at, call: 3, station: task.works, model: 'claude' })];
  const again = Array.from({ length: (task.attempts ?? 1) - 1 }, (_, before) => [
    { ...moved('fail_agree', 'review_complete', 'pending_implementer'), at },
    started({ at, call: 3 + before }),
    called({ at, call: 3 + before, usd }),
  ]).flat();
  const past =
    task.wasHaltedBy === undefined
      ? []
      : [
          {
            ...moved('judge_complete', PATHS.judge, 'erik_consultation', {
              halt: aHalt({
                id: `${taskId}-0`,
                trip: { breaker: task.wasHaltedBy, reason: 'of what was found', sides: [] },
                statusBefore: PATHS.judge,
              }),
            }),
            at,
          },
          { ...moved('resume', 'erik_consultation', PATHS.judge), at },
        ];
  if (task.ends === 'merged')
    return [
      ...written,
      ...past,
      ...again,
      {
        ...moved('pass', 'review_complete', 'merged', {
          merge: { commit: '9'.repeat(40), tip: '9'.repeat(40), target: 'refs/heads/main' },
        }),
        at,
      },
    ];
  if (task.ends === 'abandoned') return [...written, { ...moved('abandon', 'erik_consultation', 'abandoned'), at }];
  if (halt === undefined) return written;
  const begun = halt.breaker === 'base_red' ? written.slice(0, 1) : written;
  const from = halt.breaker === 'base_red' ? PATHS.write : PATHS.judge;
  const trip: Trip = {
    breaker: halt.breaker,
    reason: 'of what was found',
    ...halt.trip,
    sides: [...(halt.trip?.sides ?? [])],
  };
  const before = foldJournal([...begun, { ...moved('judge_complete', from, from, halt.facts), at }]) as TaskRecord;
  const made = aHalt({
    id: `${taskId}-1`,
    trip,
    reach: 'task',
    paths: haltPaths(halt.breaker, before),
    statusBefore: from,
  });
  return [...begun, { ...moved('judge_complete', from, 'erik_consultation', { ...halt.facts, halt: made }), at }];
}

/** A scene of these tasks; its times are relative to the clock. */
export function aScene(tasks: readonly SceneTask[], lines: Readonly<Record<string, Partial<LineFacts>>> = {}): Scene {
  const now = Date.now();
  const stories = new Map(tasks.map((task) => [`${task.repository} ${task.id}`, storyOf(task, now)]));
  const names = [...new Set([...tasks.map(({ repository }) => repository), ...Object.keys(lines)])];
  const nightOf = (name: string): RepositoryNight =>
    aNight(
      [...stories]
        .filter(([key]) => key.startsWith(`${name} `))
        .flatMap(([key, entries]) => entries.map((entry) => ({ taskId: key.slice(name.length + 1), entry })))
        .map((one, at) => ({ ...one, seq: at + 1 })),
      { name, root: `~/code/${name}`, line: { ...A_LINE, ...lines[name] } },
    );
  return {
    board: () => {
      const at = new Date().toISOString();
      return buildBoard(
        names.map((name) => ({ id: name, night: nightOf(name), at, unknown: undefined, history: [] })),
        at,
      );
    },
    digest: (since) => gatherDigest(names.map(nightOf), { from: since, to: new Date().toISOString() }),
    taskOf(repository, id) {
      const entries = stories.get(`${repository} ${id}`);
      const record = entries === undefined ? undefined : foldJournal(entries);
      if (entries === undefined || record === undefined) return undefined;
      const around = { now: new Date().toISOString(), refs: new Map(), isChainWhole: true };
      return {
        ...viewTaskDetails(record, entries, around),
        task_id: id,
        repository,
        root: `~/code/${repository}`,
        decision: null,
      };
    },
    insights: () =>
      computeInsights(
        names.map((id) => ({
          id,
          tasks: [...stories]
            .filter(([key]) => key.startsWith(`${id} `))
            .map(([key, entries]) => ({ taskId: key.slice(id.length + 1), entries })),
        })),
      ),
    answer(repository, id) {
      const key = `${repository} ${id}`;
      const goesOn = { ...moved('resume', 'erik_consultation', 'pending_implementer'), at: new Date().toISOString() };
      stories.set(key, [...(stories.get(key) ?? []), goesOn, started({ at: goesOn.at, call: 9 })]);
    },
  };
}

/** What git says of the change of every task of a scene. */
export const SCENE_PATCH = [
  'diff --git a/src/session.js b/src/session.js',
  '--- a/src/session.js',
  '+++ b/src/session.js',
  '@@ -11,2 +11,8 @@ const sessions = new Map();',
  ' export function find(id) {',
  '-  return sessions.get(id);',
  '+  const session = sessions.get(id);',
  '+  if (session === undefined) return undefined;',
  '+  if (Date.now() - session.at > 15 * 60_000) {',
  '+    sessions.delete(id);',
  '+    return undefined;',
  '+  }',
  '+  return session;',
  '',
].join('\n');

const RED = {
  gate: 'test',
  run: 'node --test',
  commit: 'e36d523'.padEnd(40, '0'),
  tree: 'd'.repeat(40),
  outcome: 'red' as const,
  exit: 1,
  output: 'not ok 2 - numbers are padded',
  key: 'k',
  also: [],
  tests: { format: 'TAP', passed: 1, failed: 1 },
};

/** How the halt of each breaker looks in a scene. */
export const SCENE_HALTS = {
  base_red: {
    breaker: 'base_red',
    facts: { baseRed: RED },
    trip: {
      reason: 'gate test is red on main (e36d523), before any change',
      sides: [
        {
          who: 'gate test, `node --test`, exit 1',
          says: [
            'TAP version 13',
            'ok 1 - numbers are counted up',
            'not ok 2 - numbers are padded',
            "  error: 'Expected values to be strictly equal'",
            "  expected: 'INV-00007'",
            "  actual: 'INV-7'",
            ...Array.from({ length: 20 }, (_, at) => `  at node:internal/test_runner/test:${900 + at}:25`),
          ].join('\n'),
        },
        {
          who: 'main',
          says: 'It ran twice on the same tree, and was red both times.\nBy its results (TAP): 1 passed, 1 failed.',
        },
      ],
    },
  },
  paradox: {
    breaker: 'paradox',
    trip: {
      reason: 'the judge says PASS; the local review reports a critical security flaw',
      sides: [
        {
          who: 'local review',
          says: 'The comparison uses the wall clock: moving the clock back keeps a session alive for ever.',
        },
        { who: 'judge', says: 'PASS: Sessions older than fifteen minutes are removed when they are looked up.' },
      ],
    },
  },
  hallucination_loop: {
    breaker: 'hallucination_loop',
    trip: {
      reason: 'attempt 3 repeats attempt 1, which was rejected',
      sides: [
        { who: 'implementer', says: 'Rounds half to even, as asked.' },
        { who: 'judge', says: 'Rounds half up: 0.125 becomes 0.13.' },
      ],
    },
  },
  budget: {
    breaker: 'budget',
    facts: { budget: '$0.44 spent; the budget is $0.30' },
    trip: {
      reason: '$0.4400 spent; the budget is $0.30',
      sides: [{ who: 'ledger', says: '2 calls, $0.4400, 240 tokens, 2.0 minutes' }],
    },
  },
  stalled: {
    breaker: 'stalled',
    trip: {
      reason: 'local-reviewer: 2 failures in a row, the last: no JSON in the answer',
      sides: [{ who: 'local-reviewer, failure 2', says: 'invalid: no JSON in the answer' }],
    },
  },
} satisfies Partial<Record<BreakerId, SceneHalt>>;

/** Three repositories with something in every lane. */
export const EVENING: readonly SceneTask[] = [
  { repository: 'billing-worker', id: 'BILL-7', title: 'Invoice prefix per country', requirements: ['An invoice number begins with the code of its country', 'Old numbers stay as they are'], age: 4, halt: SCENE_HALTS.base_red },
  { repository: 'shop-api', id: 'FIX-103', title: 'Sessions end', requirements: ['A session ends after fifteen minutes'], age: 4, halt: SCENE_HALTS.paradox },
  { repository: 'docs-site', id: 'DOC-3', title: 'Intro', requirements: ['The first page says what the shop is'], age: 6, halt: SCENE_HALTS.hallucination_loop, file: 'docs/intro.md' },
  { repository: 'shop-api', id: 'FIX-104', title: 'Bankers rounding', requirements: ['Sums are rounded half to even'], age: 9, halt: SCENE_HALTS.stalled },
  { repository: 'docs-site', id: 'DOC-4', title: 'FAQ', requirements: ['Ten questions are answered'], age: 12, usd: 0.44, budget: 0.3, halt: SCENE_HALTS.budget, file: 'docs/faq.md' },
  { repository: 'shop-api', id: 'FIX-105', title: 'Refund ledger', requirements: ['Refunds are booked'], age: 4, works: 'implementer' },
  { repository: 'shop-api', id: 'FIX-102', title: 'Orders: newest first, in pages', requirements: ['Orders are listed newest first'], age: 64, ends: 'merged', usd: 0.08 },
  { repository: 'shop-api', id: 'FIX-101', title: 'Negative amounts', requirements: ['Negative amounts are refused'], age: 91, ends: 'merged' },
  { repository: 'docs-site', id: 'DOC-2', title: 'Upgrade page', requirements: ['The upgrade is described'], age: 118, ends: 'merged' },
  { repository: 'docs-site', id: 'DOC-1', title: 'Install page', requirements: ['The installation is described'], age: 130, ends: 'merged' },
]; // prettier-ignore

const order = { priority: 0, after: [], by_hand: false };

/** What waits in their folders. */
export const EVENING_LINES: Readonly<Record<string, Partial<LineFacts>>> = {
  'shop-api': {
    waiting: ['_handoff/queue/FIX-106.json', '_handoff/queue/FIX-107.json'],
    queue: [
      {
        ...order,
        file: '_handoff/queue/FIX-106.json',
        task_id: 'FIX-106',
        title: 'Log out everywhere',
        not_before: null,
        waits_for: 'a parked task',
        tasks: ['FIX-103'],
        why: 'waits for FIX-103',
      },
      {
        ...order,
        file: '_handoff/queue/FIX-107.json',
        task_id: 'FIX-107',
        title: 'Nightly export of orders for the warehouse, with a checksum',
        not_before: new Date(Date.now() + 3 * 3_600_000).toISOString(),
        waits_for: 'a time',
        tasks: [],
        why: 'waits until later',
      },
    ],
    refusals: [
      {
        file: '_handoff/queue/8-FIX-108.json',
        faults: 2,
        first: '$.constraints.allowed_paths[0]',
        at: new Date(Date.now() - 1_200_000).toISOString(),
      },
    ],
  },
  'docs-site': {
    proposal: 'a proposal waits for your approval: read _handoff/PROPOSAL_DRAFT.md, then andon draft --approve',
  },
};

const DAY = 24 * 60;
const CAUSES: readonly BreakerId[] = ['base_red', 'paradox', 'base_red', 'budget', 'stalled', 'scope'];
const WORKS = [
  ['shop-api', 'FIX', 'Currency of refunds'],
  ['docs-site', 'DOC', 'A page for each error'],
  ['billing-worker', 'BILL', 'Reminders twice a month'],
] as const;

/** What a month of nights has merged, and how: more each week, some at the second attempt, some after a halt. */
export const MONTH: readonly SceneTask[] = Array.from({ length: 28 }, (_, day) =>
  Array.from({ length: day % 7 === 6 ? 0 : 1 + ((day * 5 + (day % 3)) % 4) + (day < 14 ? 1 : 0) }, (__, at) => {
    const [repository, name, title] = WORKS[(day + at) % WORKS.length] ?? WORKS[0];
    const number = 90 - day * 3 - at;
    const task: SceneTask = {
      repository,
      id: `${name}-${number}`,
      title: `${title}, part ${number}`,
      requirements: ['It is so'],
      age: (day + 1) * DAY + at * 40,
      usd: 0.06 + ((day * 7 + at * 11) % 9) / 20,
      ends: 'merged',
      attempts: (day + at * 2) % 4 === 0 ? 2 : 1,
    };
    const cause = (day + at) % 5 === 1 ? CAUSES[(day + at) % CAUSES.length] : undefined;
    return cause === undefined ? task : { ...task, wasHaltedBy: cause };
  }),
).flat();
