import { formatCount } from '../../base/format-count.ts';
import { formatAmount } from './ceilings.ts';
import { formatNightCeiling, formatNight, type CeilingUse, type NightFacts } from './night-facts.ts';
import { findPeriod } from './hours.ts';

export interface PlannedTask {
  readonly repository: string;
  readonly task_id: string | null;
  readonly file: string | null;
  readonly state: 'under way' | 'waits' | 'halted' | 'refused';
  readonly why: string | null;
  /** What its own ceilings leave; null = it has none. */
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly minutes: number | null;
  readonly step_minutes: number | null;
  readonly begins_by: string | null;
  /** Why the user's hours delay that step, and until when; null = they do not. */
  readonly hours: { readonly reason: string; readonly until: string | null } | null;
  /** Why it waits for an action of the user; null = it does not. */
  readonly blocked: string | null;
}

export interface PlannedProposal {
  readonly repository: string;
  /** Its state in words. */
  readonly why: string;
  /** Its contracts enter the queue without you, and nothing holds the line there. */
  readonly begins: boolean;
}

/** A night before anything runs. */
export interface NightPlan {
  readonly from: string;
  readonly until: string;
  /** In order within a repository; repositories run in parallel. */
  readonly tasks: readonly PlannedTask[];
  /** Proposals, whose contracts are not known yet. */
  readonly proposals: readonly PlannedProposal[];
  /** The upper bound of usage; null = unbounded. */
  readonly at_most: { readonly usd: number | null; readonly tokens: number | null };
  /** What sets the bound: the sum of the tasks' budgets, or a ceiling over all of them. */
  readonly bounded_by: { readonly usd: string | null; readonly tokens: string | null };
  readonly limits: NightFacts | null;
  /** Why no task can start in this night; null = one can. */
  readonly nothing_begins: NothingBegins | null;
}

export interface NightRequest {
  readonly from: string;
  readonly until: string;
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
}

/** Whether a task can run now; halted and refused ones cannot. */
const canRun = ({ state }: PlannedTask): boolean => state === 'under way' || state === 'waits';

/** Plans a night: the order of its tasks, and the upper bounds of their usage. Pure. */
export function planNight(
  tasks: readonly PlannedTask[],
  request: NightRequest,
  limits: NightFacts | null,
  proposals: readonly PlannedProposal[] = [],
): NightPlan {
  const { from, until } = request;
  const usd = findLowestBound('usd', tasks, { most: request.usd, until }, limits);
  const tokens = findLowestBound('tokens', tasks, { most: request.tokens, until }, limits);
  const plan = {
    from,
    until,
    tasks,
    proposals,
    at_most: { usd: usd?.value ?? null, tokens: tokens?.value ?? null },
    bounded_by: { usd: usd?.by ?? null, tokens: tokens?.by ?? null },
    limits,
  };
  return { ...plan, nothing_begins: explainIdleNight(plan) ?? null };
}

/** Why no task of a plan can start, and the earliest end that would allow one; null = none. */
interface NothingBegins {
  readonly reason: string;
  readonly earliest: string | null;
  readonly is_too_long: boolean;
}

/** A margin for reading and typing the proposed end. */
const TYPING_MS = 2 * 60_000;
const MINUTE_MS = 60_000;

/** Checks whether any waiting task can start before the night ends; undefined where one can, or none waits. Pure. */
function explainIdleNight({
  tasks,
  proposals,
  from,
  until,
  limits,
}: Omit<NightPlan, 'nothing_begins'>): NothingBegins | undefined {
  if (tasks.length === 0 || proposals.some(({ begins }) => begins)) return undefined;
  const running = tasks.filter(canRun);
  if (running.length === 0) {
    const reason = tasks.length === 1 ? 'the only task waits for you' : `all ${tasks.length} tasks wait for you`;
    return { reason, earliest: null, is_too_long: false };
  }
  const free = running.filter(({ blocked }) => blocked === null);
  if (free.length === 0) return { reason: running[0]?.blocked ?? '', earliest: null, is_too_long: false };
  const usedUp = (limits?.ceilings ?? []).find(
    ({ account, of, at_least: used, limit, until: renews }) =>
      account === null && of !== 'usd' && used >= limit && renews >= until,
  );
  if (usedUp !== undefined)
    return { reason: `a ceiling is used up: ${formatNightCeiling(usedUp)}`, earliest: null, is_too_long: false };
  const ends = free.flatMap(({ step_minutes: step, hours }) => {
    if (hours !== null && hours.until === null) return [];
    const begins = Math.max(Date.parse(from), hours === null ? 0 : Date.parse(hours.until ?? from));
    return [begins + (step ?? 0) * MINUTE_MS];
  });
  if (ends.length === 0) return { reason: free[0]?.hours?.reason ?? '', earliest: null, is_too_long: true };
  const first = Math.min(...ends);
  if (first <= Date.parse(until)) return undefined;
  const shortest = free.reduce((one, two) => ((two.step_minutes ?? 0) < (one.step_minutes ?? 0) ? two : one));
  const closed = free.every(({ hours }) => hours !== null) ? ` (${free[0]?.hours?.reason ?? ''})` : '';
  return {
    reason: `the night ends at ${until}, and the shortest next step takes up to ${Math.ceil(shortest.step_minutes ?? 0)} minutes${closed}`,
    earliest: new Date(Math.ceil((first + TYPING_MS) / MINUTE_MS) * MINUTE_MS).toISOString(),
    is_too_long: true,
  };
}

interface Bounded {
  readonly value: number;
  readonly by: string;
}

function findLowestBound(
  of: 'usd' | 'tokens',
  tasks: readonly PlannedTask[],
  request: { readonly most: number | undefined; readonly until: string },
  limits: NightFacts | null,
): Bounded | undefined {
  const running = tasks.filter(canRun);
  const sum = running.length === 0 ? undefined : sumOf(running.map((task) => task[of])); // later contracts are unknown
  const all = (limits?.ceilings ?? [])
    .filter((one) => one.of === of && one.account === null) // a ceiling of one account bounds only its calls
    .flatMap((one) => boundBy(one, request.until));
  const bounds: readonly Bounded[] = [
    ...(sum === undefined
      ? []
      : [{ value: sum, by: 'the budgets of these tasks together; what is submitted meanwhile comes on top' }]),
    ...(request.most === undefined ? [] : [{ value: request.most, by: `--${of}` }]),
    ...all,
  ];
  return bounds.toSorted((one, two) => one.value - two.value)[0];
}

/** What a ceiling leaves until a moment: its full amount again for each reset before that; a night has none. */
function boundBy({ period, ceiling, limit, at_least: least, until }: CeilingUse, end: string): readonly Bounded[] {
  const left = Math.max(0, limit - least);
  const by = `the ceiling ${ceiling}`;
  if (period === 'this night') return until < end ? [] : [{ value: left, by }];
  let times = 0;
  for (let at = until; at < end; at = findPeriod(period, at).to) times += 1;
  const resets = times === 0 ? '' : `, which resets ${times === 1 ? 'once' : `${times} times`} before that`;
  return [{ value: left + times * limit, by: `${by}${resets}` }];
}

function sumOf(parts: readonly (number | null)[]): number | undefined {
  return parts.reduce<number | undefined>(
    (sum, part) => (sum === undefined || part === null ? undefined : sum + part),
    0,
  );
}

/** A plan in words, line by line; the caller escapes names. */
export function formatPlan(plan: NightPlan): readonly string[] {
  const { tasks, proposals, at_most: most, bounded_by: by, until, limits, nothing_begins: nothing } = plan;
  const count = tasks.filter(canRun).length;
  const closed = limits?.hours?.open === false && (limits.hours.changes ?? until) >= until;
  const bound = (of: 'usd' | 'tokens'): string => {
    const value = most[of];
    if (value === null)
      return `no limit on ${of === 'usd' ? 'dollars' : 'tokens'} (set: --${of}, \`ceilings\` or contracts)`;
    return `${formatAmount(of, value)} (${by[of] ?? ''})`;
  };
  return [
    count === 0
      ? `${proposals.some(({ begins }) => begins) ? 'no contract waits yet' : 'no contract would run now'}${closed ? '' : `; one that is submitted before ${until} runs`}`
      : `${count < tasks.length ? `${count} of ` : ''}${formatCount(tasks.length, 'task')} ${count < tasks.length ? 'can run ' : ''}until ${until}, in this order in each repository:`,
    ...(limits === null ? [] : formatNight(limits)),
    ...proposals.map(({ repository, why }) => `${nameOf(repository)}: ${why}`),
    ...tasks.map((task, index) => `${index + 1}. ${formatTask(task, until)}`),
    ...(nothing === null ? [] : [`nothing can begin: ${nothing.reason}`]),
    most.usd === null && most.tokens === null
      ? 'no limit on dollars or tokens (set: --usd, --tokens, `ceilings` or contracts)'
      : `at most: ${bound('usd')}; ${bound('tokens')}`,
  ];
}

const nameOf = (repository: string): string => repository.split('/').at(-1) ?? '';

function formatTask(
  {
    repository,
    task_id: id,
    file,
    state,
    why,
    usd,
    tokens,
    minutes,
    step_minutes: step,
    begins_by: by,
    hours,
  }: PlannedTask,
  end: string,
): string {
  const name = `${nameOf(repository)}: ${id ?? file ?? ''}`;
  if (state === 'halted') return `${name}  is halted: it waits for you`;
  if (state === 'refused') return `${name}  is refused: it waits for your correction`;
  const ceilings = [
    ...(usd === null ? [] : [formatAmount('usd', usd)]),
    ...(tokens === null ? [] : [formatAmount('tokens', tokens)]),
    ...(minutes === null ? [] : [formatAmount('minutes', minutes)]),
  ];
  const most = ceilings.length === 0 ? 'no ceiling of its own' : `at most ${ceilings.join(', ')}`;
  const long = step === null ? '' : `; its next step takes up to ${Math.ceil(step)} minutes`;
  if (hours !== null && (hours.until ?? end) >= end)
    return `${name}  ${why ?? state}; ${most}${long}, so not in this night: ${hours.reason}`;
  const late = by === null ? '' : `, and begins by ${by}`;
  const held = hours === null ? '' : `; ${hours.reason}, until ${hours.until ?? ''}`;
  return `${name}  ${why ?? state}; ${most}${long}${late}${held}`;
}
