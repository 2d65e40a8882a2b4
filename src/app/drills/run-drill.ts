import { toTerminalLine } from '../../base/plain-text.ts';
import type { JournalEntry } from '../../line/record/journal-entry.ts';
import type { Halt } from '../../line/record/trip.ts';
import { perform, mergedOn } from './perform.ts';
import type { Drill, ExpectedEnd, ExpectedHalt, Situation, FurtherChecks } from './drill.ts';
import { FIGURES, type Figures } from './figures.ts';
import { TASK } from './scenario.ts';
import { openStage, refusalMessage, type DrillGround, type OpenStage } from './stage.ts';
import { ConcurrencyLimit } from '../../base/concurrency-limit.ts';
import { toTaskBranch, FILES } from '../../base/names.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';

export interface Played {
  readonly injected: string;
  /** The line's steps, from its journal. */
  readonly did: string;
  readonly figures: Figures | undefined;
  readonly checks: readonly DrillCheck[];
  readonly kept?: string | undefined;
}

/** It passed when every check of every situation did. */
export interface DrillResult {
  readonly name: string;
  readonly breaker: Drill['breaker'];
  readonly passed: boolean;
  readonly ms: number;
  readonly situations: readonly Played[];
}

/** Runs one drill on the real line, situation by situation, each in a temporary repository. */
export async function runDrill({ name, breaker, situations }: Drill, ground: DrillGround): Promise<DrillResult> {
  const began = performance.now();
  const played: Played[] = [];
  for (const situation of situations) if (!ground.signal.aborted) played.push(await play(situation, ground));
  const passed =
    played.length === situations.length &&
    played.every(({ checks }) => checks.length > 0 && checks.every(({ ok }) => ok));
  return { name, breaker, passed, ms: Math.round(performance.now() - began), situations: played };
}

async function play(situation: Situation, ground: DrillGround): Promise<Played> {
  const checks: DrillCheck[] = [];
  const injected = situation.injects;
  let stage: OpenStage;
  try {
    stage = await openStage(situation, ground);
  } catch (error) {
    return { injected, did: NOTHING, figures: undefined, checks: [check('a place was made', refusalMessage(error))] };
  }
  try {
    await act(situation, stage, checks);
  } catch (error) {
    checks.push(check('the drill came to its end', refusalMessage(error)));
  }
  const account = accountOf(stage);
  try {
    await stage.close(ground.keep);
  } catch (error) {
    checks.push(check('andon stopped in the end', refusalMessage(error)));
  }
  return { injected, ...account, checks, kept: ground.keep === true ? stage.repository : undefined };
}

const NOTHING = 'nothing: no contract was admitted';

/** Plays a situation to its end and returns its checks. */
async function act({ before, during, halt, end }: Situation, stage: OpenStage, checks: DrillCheck[]): Promise<void> {
  await stage.asUser(() => perform(before, stage));
  await stage.start();
  stage.drop();
  await stage.until('the contract is admitted', () => stage.entries().length > 0);
  await perform(during, stage);
  const record = await stage.rest();
  checks.push(checkSame('breaker', halt?.breaker ?? 'none', record.halt?.trip.breaker ?? 'none'));
  if (halt !== undefined && record.halt !== undefined) await choose(halt, record.halt, stage, checks);
  checks.push(...(await checkEnd(stage, stage.record(), end)), ...compareFigures(stage, end.figures));
  checks.push(...checkFurther(end.also, stage));
}

/** Checks a halt, chooses the path, and waits until the line rests again. */
async function choose(expected: ExpectedHalt, halt: Halt, stage: OpenStage, checks: DrillCheck[]): Promise<void> {
  checks.push(contains('reason', expected.says, halt.trip.reason));
  checks.push(...compareFigures(stage, expected.figures), ...(await checkSafety(stage, halt)));
  await stage.asUser(() => perform(expected.first, stage));
  const { path } = expected;
  const confirm = halt.paths[path - 1]?.typed === true ? { confirm: TASK } : {};
  const reason = halt.paths[path - 1]?.reasoned === true ? { reason: 'a drill' } : {};
  const answer = { ...confirm, ...reason, by: 'drill', how: 'andon drill' };
  await stage.ask({ do: 'resume', taskId: TASK, path, haltId: halt.id, ...answer });
  await perform(expected.afterwards, stage);
  await stage.rest(halt.id);
}

/** Compares a part of a text; a match is already in the story. */
function contains(what: string, expected: string, text: string): DrillCheck {
  const ok = text.includes(expected);
  return { what, expected, found: ok ? expected : text, ok };
}

const compareFigures = (stage: OpenStage, expected: ExpectedEnd['figures'] = {}): readonly DrillCheck[] => {
  const found = stage.figures();
  return FIGURES.flatMap((name) =>
    expected[name] === undefined ? [] : [checkSame(name, expected[name], found[name])],
  );
};

function accountOf(stage: OpenStage): Pick<Played, 'did' | 'figures'> {
  const entries = stage.entries();
  return entries.length === 0
    ? { did: NOTHING, figures: undefined }
    : { did: formatStatuses(entries), figures: stage.figures() };
}

/** The statuses of a task in order, with halts and choices; safe for a terminal. */
function formatStatuses(entries: readonly JournalEntry[]): string {
  const moves = entries.filter((entry) => entry.kind === 'moved');
  const [first] = moves;
  if (first === undefined) return 'admitted';
  return [
    first.from,
    ...moves.map(({ to, facts }) => {
      if (facts.halt !== undefined)
        return `${to} (${facts.halt.trip.breaker}: ${toTerminalLine(facts.halt.trip.reason, 160)})`;
      return facts.choice === undefined
        ? to
        : `[${facts.choice.path === undefined ? 'comments' : `path ${facts.choice.path}`}] ${to}`;
    }),
  ].join(' → ');
}

/** Runs drills with limited concurrency and reports each result; returns all in list order. */
export async function runDrills(
  drills: readonly Drill[],
  ground: DrillGround,
  { jobs, onResult }: { readonly jobs: number; readonly onResult: (result: DrillResult) => void },
): Promise<readonly DrillResult[]> {
  const limit = new ConcurrencyLimit(jobs);
  const results = drills.map((drill) =>
    limit.take(ground.signal, async () => {
      const result = await runDrill(drill, ground);
      onResult(result);
      return result;
    }),
  );
  return (await Promise.all(results)).filter((result) => result !== undefined);
}

/** Drills that run a gate; the others run no command of a project. */
export const hasGate = ({ situations }: Drill): boolean =>
  situations.some(({ config }) => config !== undefined && 'gates' in config);

const TARGET = 'refs/heads/main';

/** Checks the end of the task and the target branch: one merge with the promised files, or none. */
async function checkEnd(stage: OpenStage, record: TaskRecord, expected: ExpectedEnd): Promise<readonly DrillCheck[]> {
  const isMerged = expected.status === 'merged';
  const log = await stage.repo.log(TARGET);
  const merges = log.split('\n').filter((row) => row.includes(`Merge task/${TASK}`)).length;
  return [
    checkSame('end', expected.status, record.status),
    checkSame('merge commits', isMerged ? 1 : 0, merges),
    ...(await checkFiles(stage, expected.holds ?? {})),
    ...(isMerged ? [] : await checkNothingMoved(stage, record)),
  ];
}

/** Checks the files on the target branch and in the checkout, which follows it. */
async function checkFiles(stage: OpenStage, holds: NonNullable<ExpectedEnd['holds']>): Promise<readonly DrillCheck[]> {
  const tip = (await stage.repo.resolve(TARGET)) ?? '';
  const onTarget = await stage.repo.read(tip, Object.keys(holds));
  return Object.entries(holds).flatMap(([path, text]) => {
    const bytes = onTarget.get(path);
    const isAs = text === null ? 'is not there' : 'is as it must be';
    return [
      check(`${path} ${isAs} on the target`, difference(text, bytes && new TextDecoder().decode(bytes))),
      check(`and in your checkout`, difference(text, stage.read(path))),
    ];
  });
}

const difference = (expected: string | null, found: string | undefined): string | undefined =>
  (found ?? null) === expected
    ? undefined
    : found === undefined
      ? 'it is not there'
      : `it holds ${JSON.stringify(found)}`;

async function checkNothingMoved(stage: OpenStage, { change }: TaskRecord): Promise<readonly DrillCheck[]> {
  const untouched = checkUntouched(stage);
  if (change === undefined) return [untouched];
  const branch = await stage.repo.resolve(toTaskBranch(TASK));
  const lost = branch === change.commit ? undefined : `it is ${branch ?? 'gone'}, the change is ${change.commit}`;
  return [untouched, check('the branch of the task is kept', lost)];
}

const checkFurther = (also: FurtherChecks | undefined, stage: OpenStage): readonly DrillCheck[] =>
  Object.entries(also ?? {}).flatMap(([name, expected]) =>
    (LOOKS[name as keyof FurtherChecks] as (stage: OpenStage, expected: unknown) => readonly DrillCheck[])(
      stage,
      expected,
    ),
  );

const LOOKS: {
  readonly [Name in keyof FurtherChecks]-?: (
    stage: OpenStage,
    expected: NonNullable<FurtherChecks[Name]>,
  ) => readonly DrillCheck[];
} = {
  checkout: (stage, texts) =>
    Object.entries(texts).map(([path, text]) => checkSame(`the edit in ${path}`, text, stage.read(path) ?? null)),
  requirements: (stage, requirements) => [
    checkSame(
      'requirements of the merged contract',
      requirements.join('; '),
      contractOf(stage).specification.requirements.join('; '),
    ),
  ],
  allow_deletes: (stage, allowed) => [
    checkSame('allow_deletes of the merged contract', allowed, contractOf(stage).constraints.allowDeletes),
  ],
  allowed_paths: (stage, paths) => [
    checkSame(
      'allowed_paths of the merged contract',
      paths.join(', '),
      contractOf(stage).constraints.allowedPaths.join(', '),
    ),
  ],
  edited_contract(stage, part) {
    const edited = stage
      .entries()
      .flatMap((entry) => (entry.kind === 'moved' ? (entry.facts.tampered?.edited ?? '') : ''));
    const isKept = edited.some((text) => text.includes(part));
    return [check('the edited version is kept in the journal', isKept ? undefined : 'it is lost')];
  },
  approved_tree(stage) {
    const { change, grants } = stage.record();
    return [checkSame('the merged tree', grants.approved.map(({ tree }) => tree).join(', '), change?.tree)];
  },
  waited_until(stage, seconds) {
    const held = stage.entries().find((entry) => entry.kind === 'held');
    return [checkSame('the line waits until', new Date(seconds * 1000).toISOString(), held?.until)];
  },
  merged_in_order: (stage, tasks) => [checkSame('merged, in this order', tasks.join(', '), mergedOn(stage).join(', '))],
  waits: (stage) => [
    check('the waiting is over', stage.record().hold === undefined ? undefined : 'the line still waits'),
  ],
};

const contractOf = (stage: OpenStage) => stage.record().contract;

/** How long ended processes may take to exit. */
const GONE_MS = 5000;

/** Checks of every halt: a complete report, a locked contract, no processes, an untouched checkout. */
async function checkSafety(stage: OpenStage, halt: Halt): Promise<readonly DrillCheck[]> {
  // Only the last reading counts: a git child of andon bears andon's name until its exec.
  let running = stage.processes();
  await stage
    .until('the processes of the task are gone', () => (running = stage.processes()).length === 0, GONE_MS)
    .catch(() => {}); // remaining processes are reported below
  return [
    check(`${FILES.halt} is whole`, listHaltFlaws(stage.haltPaper(FILES.halt) ?? '', halt)),
    check('the contract is locked', lockFlaw(stage)),
    check(
      'nothing of the task runs',
      running.length === 0 ? undefined : running.map(({ command }) => command).join('; '),
    ),
    checkUntouched(stage),
  ];
}

function checkUntouched(stage: OpenStage): DrillCheck {
  const touched = stage.trespasses();
  return check('your checkout is untouched', touched.length === 0 ? undefined : touched.join(', '));
}

/** The missing part of a halt report, in words; undefined when it is complete. */
export function listHaltFlaws(report: string, { id, trip, paths }: Halt): string | undefined {
  const wanted = [
    ` (${trip.breaker}): `,
    '## The Two Paths',
    ...paths.flatMap((_, at) => [`### Path ${at + 1}: `, `andon resume ${TASK} --path ${at + 1} --halt ${id}`]),
    '## The Conflict',
    ...trip.sides.map(() => '**:'),
    '## The State',
    '## Other ways',
    ...(paths.some(({ effect }) => effect.to === 'abandoned') ? [] : [`andon abandon ${TASK}`]),
    `"halt":${JSON.stringify(id)}`,
    `"breaker":${JSON.stringify(trip.breaker)}`,
  ];
  let rest = report;
  for (const part of wanted) {
    const at = rest.indexOf(part);
    if (at === -1) return `it lacks "${part}", or not in that order`;
    rest = rest.slice(at + part.length);
  }
  return report.endsWith('\n') ? undefined : 'it breaks off';
}

function lockFlaw(stage: OpenStage): string | undefined {
  if (stage.paper(FILES.contract) !== undefined) return `${FILES.contract} is still there`;
  const lock = stage.haltPaper(FILES.lock);
  if (lock === undefined) return `${FILES.lock} is not there`;
  const { ok, found } = checkSame('status', 'erik_consultation', (JSON.parse(lock) as { status?: string }).status);
  return ok ? undefined : `the lock says ${found}`;
}

export interface DrillCheck {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

/** A boolean check; `found` describes the fault. */
export const check = (what: string, wrong: string | undefined): DrillCheck => ({
  what,
  expected: 'yes',
  found: wrong ?? 'yes',
  ok: wrong === undefined,
});

const checkSame = (what: string, expected: unknown, found: unknown): DrillCheck => ({
  what,
  expected: String(expected),
  found: String(found),
  ok: expected === found,
});

export const formatDifference = ({ what, expected, found }: DrillCheck): string =>
  `${what}: expected ${toTerminalLine(expected, 200)}, found ${toTerminalLine(found, 400)}`;
