import type { Hours } from '../config/night-settings.ts';
import type { NightRun } from '../ports/ledger.ts';
import { openSpans } from './hours.ts';
import type { Span } from './hours.ts';

/** A time in which an andon watched, and how it ended. */
export interface Attended {
  readonly from: string;
  readonly to: string;
  readonly end: 'stopped' | 'broke off' | 'slept' | 'runs';
}

/** How a night went that somebody planned: opened by hand, or by `hours`. */
export interface NightTold {
  readonly from: string;
  readonly until: string;
  readonly was: 'opened' | 'hours';
  /** Whole: somebody watched all the time. */
  readonly went: 'whole' | 'missed' | 'cut short' | 'slept through' | 'under way';
  /** What was missing of it, in words; null where nothing was. */
  readonly what: string | null;
  /** Tasks that waited for the night, its ceilings or hours, and did not begin again in it: each with why. */
  readonly could_not_begin?: readonly string[];
  /** How an open night that no andon watches goes on, and in which folder that is typed. */
  readonly goes_on?: { readonly repository: string; readonly command: string };
}

/** Gaps shorter than this are a restart, and no night that was cut short. */
const GAP_MS = 10 * 60_000;
/** So many nights are told of; of an older absence the rest of a digest tells. */
const MOST = 5;

/**
 * How the planned nights of a time went, by when anybody watched: an andon that watches another repository of the same
 * user is there too. Nights that hours plan count only where they are windows of a day, not when it is always open. Pure.
 */
export function nightsTold(
  {
    nights,
    hours,
    attended,
  }: { readonly nights: readonly NightRun[]; readonly hours: Hours; readonly attended: readonly Attended[] },
  from: string,
  to: string,
): readonly NightTold[] {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const opened = nights
    .filter((night) => night.until > from && night.from < to)
    .map((night) => {
      const told = went({ from: Date.parse(night.from), to: Date.parse(night.until) }, attended, end);
      const base = { from: night.from, until: night.until, was: 'opened' as const };
      if (night.ended === null) return { ...base, ...told };
      return { ...base, went: 'cut short' as const, what: `${HOW[night.how ?? 'stopped']} at ${night.ended}` };
    });
  const windows = hours.open.length === 0 ? [] : openSpans(hours, begin, end);
  const planned = windows
    .filter((span) => !nights.some((night) => Date.parse(night.from) < span.to && Date.parse(night.until) > span.from))
    .map((span) => ({ from: iso(span.from), until: iso(span.to), was: 'hours' as const, ...went(span, attended, end) }))
    .filter((one) => one.went !== 'whole' && one.went !== 'under way');
  return [...opened, ...planned].toSorted((one, two) => one.from.localeCompare(two.from)).slice(-MOST);
}

const HOW: Readonly<Record<NonNullable<NightRun['how']>, string>> = {
  stopped: 'somebody ended it',
  'watched on': 'somebody ended it',
  'broke off': 'its andon broke off',
};

function went(span: Span, attended: readonly Attended[], now: number): Pick<NightTold, 'went' | 'what'> {
  const isOver = span.to <= now;
  const gaps = gapsIn({ from: span.from, to: Math.min(span.to, now) }, attended);
  const missing = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  if (!isOver && !attended.some((one) => one.end === 'runs')) {
    const last = attended
      .map((one) => one.to)
      .toSorted()
      .at(-1);
    const isSince = last !== undefined && Date.parse(last) >= span.from;
    return {
      went: 'cut short',
      what: `no andon is alive in it${isSince ? `: the last sign of life is of ${last}` : ''}`,
    };
  }
  if (gaps.length === 0) return { went: isOver ? 'whole' : 'under way', what: null };
  if (missing >= Math.min(span.to, now) - span.from) return { went: 'missed', what: 'no andon watched' };
  const slept = gaps.filter(({ why }) => why === 'slept').length > 0;
  const what = gaps.map((gap) => `${WHY[gap.why]} from ${iso(gap.from)} to ${iso(gap.to)}`).join('; ');
  return { went: slept ? 'slept through' : 'cut short', what };
}

const WHY: Readonly<Record<Attended['end'], string>> = {
  stopped: 'no andon watched',
  'broke off': 'no andon watched (the one before broke off)',
  slept: 'the machine slept, or andon was stopped,',
  runs: 'no andon gave a sign of life',
};

/** What of a span nobody watched, and how whoever watched before it had ended. */
function gapsIn(span: Span, attended: readonly Attended[]): readonly (Span & { readonly why: Attended['end'] })[] {
  const gaps: (Span & { why: Attended['end'] })[] = [];
  let at = span.from;
  let why: Attended['end'] = 'stopped';
  for (const one of attended.toSorted((a, b) => a.from.localeCompare(b.from))) {
    const [begins, ends] = [Date.parse(one.from), one.end === 'runs' ? Number.POSITIVE_INFINITY : Date.parse(one.to)];
    if (begins - at >= GAP_MS && begins > span.from) gaps.push({ from: at, to: Math.min(begins, span.to), why });
    if (ends > at) [at, why] = [Math.min(Math.max(at, ends), span.to), one.end];
    if (at >= span.to) break;
  }
  if (span.to - at >= GAP_MS) gaps.push({ from: at, to: span.to, why });
  return gaps.filter((gap) => gap.to > gap.from);
}

const iso = (at: number): string => new Date(at).toISOString();

/** A night in words; what was missing of it stands in its `what`. */
export const nightToldInWords = ({ from, until, went: how }: NightTold, when: (at: string) => string): string =>
  `the night from ${when(from)} to ${when(until)}: ${how === 'whole' ? 'an andon watched all the time' : how}`;
