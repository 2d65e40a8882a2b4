import { setTimeout as sleep } from 'node:timers/promises';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { readPlan } from '../../../daemon/readers/plan-night.ts';
import type { AskedNight, NightPlan } from '../../../night/plan.ts';
import { knownStates } from '../../../wiring/known-states.ts';
import { OUTSIDE } from '../../../wiring/outside-call.ts';
import { homeOf, isLeft, openLedgerIn } from '../../../wiring/open-ledger.ts';
import type { Place } from '../../../wiring/open-place.ts';
import { holderOf, holderOfState } from '../../../wiring/open-reader.ts';
import { isStopped, nightAt } from '../../../night/limits.ts';
import { nextMoment } from '../../../night/periods.ts';
import { planInWords } from '../../../night/plan.ts';
import { mistake, Problem } from '../../../base/problem.ts';
import { flag, textOption } from '../options.ts';
import { errorLine, json, line, remedyLine, sentence, styled } from '../print.ts';
import type { Ledger, NightRun, Owner } from '../../../ports/ledger.ts';
import { placesOf, watchUntil } from '../watch-until.ts';
import { invalidValue, misplacedOption, runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const USUAL_END = '07:00';

/**
 * `andon night`: watches until a time of day, within what this night may use. The night holds for every andon of this user:
 * those that watch already heed its end and its ceilings, and go on by their configuration when it is over.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { options, env, onSignal } = invocation;
  const places = await placesOf(invocation);
  const [first] = places;
  const from = new Date().toISOString();
  if (flag(options, 'stop')) return stopNight(first, env, { now: from, keepWatching: flag(options, 'keepWatching') });
  if (flag(options, 'keepWatching'))
    throw misplacedOption('--keep-watching', '--stop', 'andon night --stop --keep-watching');
  const asked = {
    from,
    until: untilOf(options, from),
    usd: amountOf(options, 'usd', 0.01),
    tokens: amountOf(options, 'tokens', 1),
  };
  const plan = readPlan(places, asked);
  if (flag(options, 'dryRun')) {
    if (flag(options, 'json')) json(plan);
    else for (const text of planInWords(plan)) sentence(inOneTerminalLine(text, 400));
    return 0;
  }
  if (flag(options, 'json')) throw misplacedOption('--json', '--dry-run', 'andon night --dry-run --json');
  const ledger = openLedgerIn(homeOf(first));
  try {
    const standing = nightAt(ledger.nights(from), from);
    const goesOn = standing !== undefined && textOption(options, 'until') === undefined;
    if (!flag(options, 'anyway') && (standing === undefined || isLeft(standing)))
      refuseIdleNight(goesOn ? readPlan(places, { ...asked, until: standing.until }) : plan);
    const free = places.filter((place) => holderOf(place)?.doing !== 'watch');
    const { night, isTaken } = openOrTake(ledger, asked, {
      hasPlace: free.length > 0,
      namesUntil: textOption(options, 'until') !== undefined,
    });
    const { until } = night;
    if (isTaken) sentence(`the night that was opened at ${night.from} goes on: its andon is gone`);
    const within = { from, until, usd: undefined, tokens: undefined };
    for (const text of planInWords(isTaken ? readPlan(places, within) : plan)) sentence(inOneTerminalLine(text, 400));
    for (const place of places.filter((one) => !free.includes(one)))
      sentence(`${inOneTerminalLine(place.facts.root)} is watched already: its andon heeds this night`);
    if (free.length === 0) {
      sentence(`the night is open until ${until}; andon night --stop ends it`);
      return 0;
    }
    let how: 'stopped' | 'broke off' | undefined = 'broke off';
    try {
      const watched = await watchUntil(free, env, { onSignal, until, ownNight: night.id });
      how = watched.how === 'over' ? undefined : watched.how === 'stopped' ? 'stopped' : 'broke off';
      return watched.exitCode;
    } finally {
      const now = new Date().toISOString();
      if (how !== undefined && now < until) ledger.endNight(night.id, now, how);
      sentence(
        `${styled('bold', 'the night')} ${how === undefined ? 'is over' : `ended at ${now}, before its time${isStopped(ledger.lastNight()) ? '; an andon that watched before begins nothing (andon night --stop --keep-watching lets it go on)' : ''}`}; what came of it: andon digest`,
      );
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
  asked: AskedNight,
  { hasPlace, namesUntil }: { readonly hasPlace: boolean; readonly namesUntil: boolean },
): { readonly night: NightRun; readonly isTaken: boolean } {
  const { from, until } = asked;
  const [usd, tokens] = [asked.usd ?? null, asked.tokens ?? null];
  const opened = ledger.openNight({ from, until, usd, tokens });
  if (opened !== undefined) return { night: opened, isTaken: false };
  const standing = nightAt(ledger.nights(from), from);
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
  throw mistake(`Nothing can begin in this night: ${inOneTerminalLine(reason, 400)}`, remedies.join('; or '), 1);
}

const DAY_MS = 24 * 3_600_000;

/** A moment as `--until` takes it: the time of day where that is its next one. */
function typedTime(at: string, now: string): string {
  const date = new Date(at);
  const [hour, minute] = [date.getHours(), date.getMinutes()];
  const isNext = Date.parse(at) - Date.parse(now) < DAY_MS && nextMoment(hour * 60 + minute, now) === at;
  return isNext ? `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` : at;
}

/** A call that is ended gets a few seconds to write down what it came to. */
const END_MS = 30_000;
const LOOK_MS = 100;

/**
 * Ends the night that is open, and waits until the andon that it started is gone. Who watched before begins nothing from
 * then on, unless the configuration continues it.
 */
async function stopNight(
  place: Place,
  env: NodeJS.ProcessEnv,
  { now, keepWatching }: { readonly now: string; readonly keepWatching: boolean },
): Promise<number> {
  const ledger = openLedgerIn(homeOf(place));
  try {
    const night = nightAt(ledger.nights(now), now);
    const last = ledger.lastNight();
    if (night === undefined && keepWatching && isStopped(last)) {
      ledger.watchOn(last.id);
      line('Watchdogs that ran when the night was stopped go on by your configuration.');
      return 0;
    }
    if (night === undefined) throw mistake('No night is open.', runCommand('andon night', 'to open one'), 1);
    const hasStarted = watchedNow(env).some(({ holder }) => isOwner(holder, night));
    ledger.endNight(night.id, now, keepWatching ? 'watched on' : 'stopped');
    const hasEnded = (): boolean => (!hasStarted || isLeft(night)) && (keepWatching || !isPaidFor(ledger));
    for (const end = performance.now() + END_MS; !hasEnded() && performance.now() < end;) await sleep(LOOK_MS);
    if (hasStarted && !isLeft(night)) {
      errorLine(`The night has ended, but the andon that it started (pid ${night.owner.pid}) still runs.`);
      remedyLine(`Run \`kill ${night.owner.pid}\`.`);
      return 1;
    }
    line('the night is ended, and so is what it started; what came of it: andon digest');
    for (const { root } of watchedNow(env))
      sentence(
        `${inOneTerminalLine(root)} is watched still: its andon ${keepWatching ? 'goes on by your configuration' : 'begins nothing; andon night --stop --keep-watching lets it go on by your configuration'}`,
      );
    return 0;
  } finally {
    ledger.close();
  }
}

/** The repositories of the user that are watched, and by whom. */
const watchedNow = (env: NodeJS.ProcessEnv): readonly { readonly root: string; readonly holder: Owner }[] =>
  knownStates(env).flatMap((one) => {
    const holder = holderOfState(one.state);
    return holder?.doing === 'watch' ? [{ root: one.root ?? one.state, holder }] : [];
  });

const isOwner = ({ pid, startTime, boot }: Owner, { owner }: NightRun): boolean =>
  pid === owner.pid && startTime === owner.startTime && boot === owner.boot;

/** Whether a call of a line, by an andon that is alive, is not settled yet. */
const isPaidFor = (ledger: Ledger): boolean =>
  ledger.open().some(({ owner, state }) => !state.endsWith(OUTSIDE) && !isLeft({ owner }));

/** A time of day means its next occurrence; a full timestamp must be in the future. */
function untilOf(options: Invocation['options'], now: string): string {
  const written = textOption(options, 'until') ?? USUAL_END;
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(written) ?? [];
  if (hour !== undefined && minute !== undefined) return nextMoment(Number(hour) * 60 + Number(minute), now);
  const at = new Date(written);
  const isDate = /^\d{4}-\d\d-\d\d/.test(written) && !Number.isNaN(at.getTime());
  if (!isDate || at.toISOString() <= now)
    throw invalidValue('--until', written, 'a time such as 07:00, or a moment to come', 'andon night --until 07:00');
  return at.toISOString();
}

function amountOf(options: Invocation['options'], name: 'usd' | 'tokens', least: number): number | undefined {
  const written = textOption(options, name);
  if (written === undefined) return undefined;
  const amount = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  if (!(amount >= least) || amount > 1e12 || (name === 'tokens' && !Number.isInteger(amount)))
    throw invalidValue(
      `--${name}`,
      written,
      `a number of at least ${least}`,
      `andon night --${name} ${name === 'usd' ? 5 : 1_000_000}`,
    );
  return amount;
}
