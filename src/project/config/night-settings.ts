import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { optionalKey } from '../../base/optional.ts';
import { TIME, parseMinute } from './notification.ts';

/** A time of the week that begins on each of these days (0 = Sunday), in minutes since local midnight. */
export type WeeklyWindow = ReturnType<typeof windowOf>;

/** When tasks may run. */
export type Hours = Readonly<ReturnType<typeof toHours>>;

/** Limits of use; undefined = no ceiling. */
export type Amounts = Readonly<z.infer<ReturnType<typeof amounts>>>;

/** The periods of ceilings: a night from noon to noon, a day and a month of the local calendar. */
export const PERIODS = ['night', 'day', 'month'] as const;
export type PeriodName = (typeof PERIODS)[number];
type PerPeriod = Readonly<Partial<Record<PeriodName, Amounts | undefined>>>;

/** Ceilings over all repositories and all daemons of a user. */
export type Ceilings = Readonly<ReturnType<typeof toCeilings>>;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const DAY = `(?:${DAYS.join('|')})`;
const END = `(?:${TIME}|24:00)`;
const WINDOW = new RegExp(`^(?:(${DAY}(?:-${DAY})?(?:,${DAY}(?:-${DAY})?)*) )?(${TIME})-(${END})$`);

const windows = lazy(() =>
  z
    .array(
      z
        .string()
        .regex(
          WINDOW,
          'expected days and two times such as `Mon-Fri 22:00-07:00`, `Sat,Sun 00:00-24:00` or `22:00-07:00`',
        )
        .refine(
          (text) => !/(\d\d:\d\d)-\1$/.test(text),
          'begins and ends at the same time; a whole day is 00:00-24:00',
        ),
    )
    .max(50)
    .optional(),
);

/** `hours` of the user's own configuration. */
const hoursSchema = lazy(() =>
  z.strictObject({
    open: windows().describe('When steps may be at work; a day is the one on which it begins. Default: always.'),
    closed: windows().describe('When no task may run, whatever `open` says. Default: never.'),
  }),
);

const sums = lazy(() => ({
  usd: z.number().min(0.01).max(1_000_000).optional(),
  tokens: z.int().min(1).max(1_000_000_000_000).optional(),
  minutes: z.number().min(1).max(10_000_000).optional(),
}));
const amounts = lazy(() =>
  z.strictObject({
    usd: sums().usd.describe('Dollars.'),
    tokens: sums().tokens.describe('Tokens, questions and answers together.'),
    minutes: sums().minutes.describe("Minutes of agents' time."),
    calls: optionalKey(z.int().min(1).max(1_000_000), 'Calls, whatever each costs.'),
  }),
);
const perPeriod = () => ({
  night: optionalKey(amounts(), 'From noon to noon, local time.'),
  day: optionalKey(amounts(), 'From midnight to midnight, local time.'),
  month: optionalKey(amounts(), 'A month of the local calendar.'),
});

/** `ceilings` of the user's own configuration. */
const ceilingsSchema = lazy(() =>
  z.strictObject({
    call: optionalKey(
      z.strictObject(sums()),
      'What one call sets aside at most, and may use where its program takes a limit. Default: what the budget of its task and the ceilings have left, so that other calls of that account wait for it.',
    ),
    ...perPeriod(),
    accounts: optionalKey(
      z.record(z.string().min(1).max(80), z.strictObject(perPeriod())),
      'The same for one program (`claude`, `ollama`, the name of a driver), or for one provider of `andon check --llm`.',
    ),
  }),
);

/** Both keys, as the user's own configuration has them. */
export const nightFields = () => ({
  hours: optionalKey(hoursSchema(), 'When steps may be at work, in all repositories; local times. Default: always.'),
  ceilings: optionalKey(
    ceilingsSchema(),
    'What all repositories and all daemons may use together; when one is reached, nothing new starts until it resets. Default: none.',
  ),
});

export const toHours = (written: z.infer<ReturnType<typeof hoursSchema>> | undefined) => ({
  /** Empty = always. */
  open: (written?.open ?? []).map(windowOf) as readonly WeeklyWindow[],
  /** Wins over `open`. */
  closed: (written?.closed ?? []).map(windowOf) as readonly WeeklyWindow[],
});

export function toCeilings(written: z.infer<ReturnType<typeof ceilingsSchema>> | undefined) {
  const { call = {}, accounts = {}, ...all } = written ?? {};
  return {
    /** The most that one call may reserve. */
    call: call as Amounts,
    all: all as PerPeriod,
    /** The same per account: a program, or a provider of `--llm`. */
    accounts: accounts as Readonly<Record<string, PerPeriod>>,
  };
}

function windowOf(text: string) {
  const [, days, begins = '', ends = ''] = WINDOW.exec(text) ?? [];
  return {
    days: days === undefined ? DAYS.map((_, day) => day) : [...new Set(days.split(',').flatMap(daysOf))],
    begins: parseMinute(begins),
    /** At or before `begins`: it ends on the next day; 1440 is midnight at the end of the day. */
    ends: parseMinute(ends),
  };
}

/** `Fri-Mon` wraps around the end of the week. */
function daysOf(text: string): readonly number[] {
  const [first = 0, last = first] = text.split('-').map((name) => DAYS.indexOf(name));
  return Array.from(
    { length: ((last - first + DAYS.length) % DAYS.length) + 1 },
    (_, more) => (first + more) % DAYS.length,
  );
}
