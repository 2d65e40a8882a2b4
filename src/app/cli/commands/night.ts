import { setTimeout as sleep } from 'node:timers/promises';
import { parseMoment } from '../../../base/local-time.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { planNightRun } from '../../../line/readers/plan-night.ts';
import { listWorkspaces } from '../../../project/workspace/list-workspaces.ts';
import { OUTSIDE } from '../../../agents/calls/run-standalone.ts';
import { getStatesHome, isLeft, openLedgerIn } from '../../../line/calls/open-ledger.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { openHolder } from '../../../project/workspace/open-reader.ts';
import { readStateHolder } from '../../../project/locks/holder.ts';
import { findEarlyEnd, isStopped, findNight, KEEP_WATCHING } from '../../../agents/budget/night-facts.ts';
import { findNextMoment } from '../../../agents/budget/hours.ts';
import { formatPlan, type NightRequest, type NightPlan } from '../../../agents/budget/night-plan.ts';
import { createUsageError, Problem } from '../../../base/problem.ts';
import { hasFlag, readNumberOption, readTextOption } from '../options.ts';
import { printErrorLine, printJson, printLine, printRemedy, printSentence, colourText } from '../print.ts';
import type { Ledger, NightRun } from '../../../agents/ledger.ts';
import type { Owner } from '../../../sandbox/processes/process-name.ts';
import { watchUntil, withWorkspaces } from '../watch-until.ts';
import { invalidValue, runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const USUAL_END = '07:00';

/**
 * `andon night`: watches until a time of day, within what this night may use. The night holds for every andon of this user:
 * those that watch already heed its end and its ceilings, and go on by their configuration when it is over.
 */
export const run = (invocation: Invocation): Promise<number> =>
  withWorkspaces(invocation, (places) => runNight(invocation, places));

async function runNight(
  { options, env, onSignal }: Invocation,
  places: readonly [Workspace, ...Workspace[]],
): Promise<number> {
  const [first] = places;
  const from = new Date().toISOString();
  if (hasFlag(options, 'stop'))
    return stopNight(first, env, { now: from, keepWatching: hasFlag(options, 'keepWatching') });
  const request = {
    from,
    until: untilOf(options, from),
    usd: readNumberOption(options, 'usd', { from: 0.01, to: 1e9, isWhole: false, example: 'andon night --usd 5' }),
    tokens: readNumberOption(options, 'tokens', { from: 1, to: 1e12, example: 'andon night --tokens 1000000' }),
  };
  const plan = await planNightRun(places, request);
  if (hasFlag(options, 'dryRun')) {
    if (hasFlag(options, 'json')) printJson(plan);
    else for (const text of formatPlan(plan)) printSentence(toTerminalLine(text, 400));
    return 0;
  }
  const ledger = openLedgerIn(getStatesHome(first));
  try {
    const standing = findNight(ledger.nights(from), from);
    const goesOn = standing !== undefined && readTextOption(options, 'until') === undefined;
    if (!hasFlag(options, 'anyway') && (standing === undefined || isLeft(standing)))
      refuseIdleNight(goesOn ? await planNightRun(places, { ...request, until: standing.until }) : plan);
    const free = places.filter((place) => openHolder(place)?.doing !== 'watch');
    const { night, isTaken } = openOrTake(ledger, request, {
      hasPlace: free.length > 0,
      namesUntil: readTextOption(options, 'until') !== undefined,
    });
    const { until } = night;
    if (isTaken) printSentence(`the night that was opened at ${night.from} goes on: its andon is gone`);
    const within = { from, until, usd: undefined, tokens: undefined };
    for (const text of formatPlan(isTaken ? await planNightRun(places, within) : plan))
      printSentence(toTerminalLine(text, 400));
    for (const place of places.filter((one) => !free.includes(one)))
      printSentence(`${toTerminalLine(place.facts.root)} is watched already: its andon heeds this night`);
    for (const { root } of watchedNow(env).filter((one) => !places.some(({ facts }) => facts.root === one.root)))
      printSentence(
        `${toTerminalLine(root)} is watched, too: while the night is open, its andon heeds its end and its limits`,
      );
    if (free.length === 0) {
      printSentence(`the night is open until ${until}; andon night --stop ends it`);
      return 0;
    }
    let how: 'stopped' | 'broke off' | undefined = 'broke off';
    try {
      const watched = await watchUntil(free, env, { onSignal, until, ownNight: night.id });
      how = watched.how === 'over' ? undefined : watched.how === 'stopped' ? 'stopped' : 'broke off';
      return watched.exitCode;
    } finally {
      const early = findEarlyEnd(how, { now: new Date().toISOString(), until });
      if (early !== undefined) ledger.endNight(night.id, early.at, early.how);
      printSentence(
        `${colourText('bold', 'the night')} ${early === undefined ? 'is over' : `ended at ${early.at}, before its time`}; what came of it: andon digest`,
      );
      if (early !== undefined) printStillWatched(env, { isHeld: isStopped(ledger.lastNight()) });
    }
  } finally {
    ledger.close();
  }
}

/**
 * Opens the night that is asked for; or goes on with one whose andon was killed, as long as nothing else is asked for: what
 * it has used goes on to count.
 */
function openOrTake(
  ledger: Ledger,
  request: NightRequest,
  { hasPlace, namesUntil }: { readonly hasPlace: boolean; readonly namesUntil: boolean },
): { readonly night: NightRun; readonly isTaken: boolean } {
  const { from, until } = request;
  const [usd, tokens] = [request.usd ?? null, request.tokens ?? null];
  const opened = ledger.openNight({ from, until, usd, tokens });
  if (opened !== undefined) return { night: opened, isTaken: false };
  const standing = findNight(ledger.nights(from), from);
  const isWithout = standing !== undefined && hasPlace && isLeft(standing);
  const isSame =
    (!namesUntil || standing?.until === until) &&
    (usd === null || standing?.usd === usd) &&
    (tokens === null || standing?.tokens === tokens);
  if (isWithout && isSame && ledger.takeNight(standing)) return { night: standing, isTaken: true };
  throw new Problem(
    'conflict',
    `A night is open already, until ${standing?.until ?? 'a moment ago'}${isWithout ? `${amountsOf(standing)}; its andon is gone` : ''}.`,
    isWithout
      ? 'Run `andon night` without --until, --usd and --tokens to go on with it, or `andon night --stop` to end it.'
      : 'Run `andon watch` to work within it, or `andon night --stop` to end it.',
    1,
  );
}

const amountsOf = ({ usd, tokens }: NightRun): string =>
  [usd === null ? '' : `, with $${usd}`, tokens === null ? '' : `, with ${tokens} tokens`].join('');

/** Refuses a night in which nothing of what waits can begin; better now than in the morning. */
function refuseIdleNight(plan: NightPlan): void {
  if (plan.nothing_begins === null) return;
  const { reason, earliest, is_too_long: isTooLong } = plan.nothing_begins;
  const remedies = [
    ...(earliest === null ? [] : [`andon night --until ${typedTime(earliest, plan.from)}`]),
    ...(isTooLong
      ? [
          'make the step shorter with andon new --hard-limit MINUTES (limits.hard_limit_minutes of a contract that waits)',
        ]
      : []),
    'andon night --anyway opens it all the same',
  ];
  throw createUsageError(`Nothing can begin in this night: ${toTerminalLine(reason, 400)}`, remedies.join('; or '), 1);
}

const DAY_MS = 24 * 3_600_000;

/** A moment as `--until` takes it: the time of day where that is its next one. */
function typedTime(at: string, now: string): string {
  const date = new Date(at);
  const [hour, minute] = [date.getHours(), date.getMinutes()];
  const isNext = Date.parse(at) - Date.parse(now) < DAY_MS && findNextMoment(hour * 60 + minute, now) === at;
  return isNext ? `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` : at;
}

/** A call that is ended gets a few seconds to write down what it came to. */
const END_MS = 30_000;
const LOOK_MS = 100;

/**
 * Ends the night that is open, and waits until the andon that it started is gone. Watchdogs that ran before begin
 * nothing from then on, unless they are to continue by the configuration.
 */
async function stopNight(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  { now, keepWatching }: { readonly now: string; readonly keepWatching: boolean },
): Promise<number> {
  const ledger = openLedgerIn(getStatesHome(place));
  try {
    const night = findNight(ledger.nights(now), now);
    const last = ledger.lastNight();
    if (night === undefined && keepWatching && isStopped(last)) {
      ledger.watchOn(last.id);
      printLine('Watchdogs that ran when the night was stopped go on by your configuration.');
      return 0;
    }
    if (night === undefined) throw createUsageError('No night is open.', runCommand('andon night', 'to open one'), 1);
    const hasStarted = watchedNow(env).some(({ holder }) => isOwner(holder, night));
    ledger.endNight(night.id, now, keepWatching ? 'watched on' : 'stopped');
    const hasEnded = (): boolean => (!hasStarted || isLeft(night)) && (keepWatching || !isPaidFor(ledger));
    for (const end = performance.now() + END_MS; !hasEnded() && performance.now() < end;) await sleep(LOOK_MS);
    if (hasStarted && !isLeft(night)) {
      printErrorLine(`The night has ended, but the andon that it started (pid ${night.owner.pid}) still runs.`);
      printRemedy(`Run \`kill ${night.owner.pid}\`.`);
      return 1;
    }
    printLine('The night and the watchdogs that it started have ended. Run `andon digest` to see the results.');
    printStillWatched(env, { isHeld: !keepWatching });
    return 0;
  } finally {
    ledger.close();
  }
}

/** Names each repository that a stopped night holds, or that goes on without it: its own commands are in other terminals. */
function printStillWatched(env: NodeJS.ProcessEnv, { isHeld }: { readonly isHeld: boolean }): void {
  const does = isHeld ? `begins nothing; \`${KEEP_WATCHING}\` lets it go on` : 'goes on';
  for (const { root } of watchedNow(env))
    printSentence(`${toTerminalLine(root)} is still watched: its andon ${does} by your configuration`);
}

/** The repositories of the user that are watched, and by whom. */
const watchedNow = (env: NodeJS.ProcessEnv): readonly { readonly root: string; readonly holder: Owner }[] =>
  listWorkspaces(env).flatMap((one) => {
    const holder = readStateHolder(one.state);
    return holder?.doing === 'watch' ? [{ root: one.root ?? one.state, holder }] : [];
  });

const isOwner = ({ pid, startTime, boot }: Owner, { owner }: NightRun): boolean =>
  pid === owner.pid && startTime === owner.startTime && boot === owner.boot;

/** Whether a call of a line, by an andon that is alive, is not settled yet. */
const isPaidFor = (ledger: Ledger): boolean =>
  ledger.open().some(({ owner, state }) => !state.endsWith(OUTSIDE) && !isLeft({ owner }));

/** A time of day means its next occurrence; a full timestamp must be in the future. */
function untilOf(options: Invocation['options'], now: string): string {
  const written = readTextOption(options, 'until') ?? USUAL_END;
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(written) ?? [];
  if (hour !== undefined && minute !== undefined) return findNextMoment(Number(hour) * 60 + Number(minute), now);
  const at = parseMoment(written);
  if (at === undefined || at <= now)
    throw invalidValue('--until', written, 'a time such as 07:00, or a moment to come', 'andon night --until 07:00');
  return at;
}
