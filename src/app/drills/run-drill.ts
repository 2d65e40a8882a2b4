import { toTerminalLine } from '../../base/plain-text.ts';
import type { JournalEntry } from '../../line/record/journal-entry.ts';
import type { Halt } from '../../line/record/trip.ts';
import { perform } from './acts.ts';
import { check, checkSame, type DrillCheck } from './check.ts';
import type { Drill, ExpectedEnd, ExpectedHalt, Situation } from './drill.ts';
import { FIGURES, type Figures } from './figures.ts';
import { checkEnd } from './check-end.ts';
import { checkSafety } from './check-halt.ts';
import { checkFurther } from './check-further.ts';
import { TASK } from './scenario.ts';
import { openStage, refusalMessage, type DrillGround, type OpenStage } from './stage.ts';
import { ConcurrencyLimit } from '../../base/concurrency-limit.ts';

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
