/** A moment and the time zone of this machine. */
export interface Now {
  readonly at: Date;
  readonly zone: string;
}

export const machineTime = (): Now => ({
  at: new Date(),
  zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** No limit of a provider lasts longer; a later time was misread. */
const FURTHEST_MS = 35 * 86_400_000;
const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** A quotation mark, also one of JSON in JSON. */
const QUOTE = '(?:\\\\*")?';
/** Older versions print `Claude AI usage limit reached|1749924000`; also as a field, quoted or not. */
const EPOCH = new RegExp(
  `(?:limit reached\\||\\b(?:resets?[-_ ]?at|ratelimit[-_]reset)${QUOTE}[:=] ?${QUOTE})(\\d{9,11})\\b`,
  'i',
);
/** What a moment follows. */
const BEFORE_TIME =
  '\\b(?:(?:quota)?resets?|retry|try again|regain access|available again|(?:blocked|limited|unavailable|wait) until)';
/** `resets at 2026-10-05T12:30:00Z`, `retry after 2026-10-06 at 00:00 UTC`, `"retry_at":"…"`. */
const STAMP = new RegExp(
  `${BEFORE_TIME}(?:[-_ ]?(?:at|on|after|time(?:stamp)?))?${QUOTE}[:=]? ?${QUOTE}(\\d{4}-\\d\\d-\\d\\d)(?:T| at | )(\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?) ?(?:(Z|UTC|GMT)(?![\\w+-])|([+-]\\d\\d:\\d\\d))`,
  'i',
);
/** A header or a field that a span follows: in seconds, or in what its name says. */
const FIELD = '(?:retry[-_ ]?(?:after|delay)|(?:quota)?reset[-_ ]?delay|resets?[-_ ]in)(?:[-_ ]?(?:seconds|(ms)))?';
/** Words that a span follows. */
const WORDS = '(?:retry (?:in|after)|try again (?:in|after)|resets? (?:in|after)|available (?:again )?in|access in)';
const SPAN_AFTER = new RegExp(
  `\\b(?:${FIELD}${QUOTE}([:=]) ?${QUOTE}|(?:${WORDS}|retry-after) (?:(?:about|approximately|around) |~ ?)?)(?=\\d|an? )`,
  'gi',
);
/** Less sure: `wait 5 minutes`; `wait 5 requests` is no time. */
const WAIT = /\bwait (?:for |at least )?(?:about |~ ?)?(?=\d|an? )/gi;
/** `2h 5m`, `7m12s`, `1.5 hours`, `an hour`, `500 ms`: each part with its unit. */
const SPAN_PART =
  /(\d{1,10}(?:\.\d{1,10})?|an?(?= )) ?(?:(ms|milliseconds?)|(s)(?:ec(?:ond)?s?)?|(m)(?:in(?:ute)?s?)?|(h)(?:(?:ou)?rs?)?|(d)(?:ays?)?)(?![a-z])(?:,? (?:and )?)?/iy;
/** A number without a unit; of prose, which may go on with an unknown unit, nothing may follow. */
const BARE = /(\d{1,10}(?:\.\d{1,10})?)(?!\w|[-./:]\d)/y;
const BARE_IN_PROSE = /(\d{1,10}(?:\.\d{1,10})?)(?!\w|[-./:]\d| [a-z])/iy;
/** A header as an HTTP date; its other form, in seconds, is a span. */
const HTTP_DATE =
  /\bretry[-_ ]?after"?: ?"?((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)/i;
/** `resets 3pm (Europe/Berlin)`, `resets Oct 7, 3:30pm`, `resets at 15:00`, `resets tomorrow at 3pm`, `resets Monday 3pm`. */
const SPOKEN = new RegExp(
  `${BEFORE_TIME} (?:(?:at|on) )?(?:(?:([a-z]{3,9}) (\\d{1,2})(?:st|nd|rd|th)?(?:, (\\d{4}))?|(today|tomorrow|(?:next )?(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?))(?:,| at|, at)? )?(\\d{1,2})(?=:\\d\\d| ?[ap]m)(?::(\\d\\d))? ?([ap]m)?(?![\\w:])(?: ?\\(([^)]*)\\)| ([A-Z]{2,5})\\b)?`,
  'i',
);

/** The end of a limit by its message; undefined when it cannot be parsed. */
export function parseResetTime(message: string, now: Now): string | undefined {
  const text = message.replace(/\s+/g, ' ');
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return soon(Number(epoch) * 1000, now);
  const stamp = STAMP.exec(text);
  if (stamp) return soon(Date.parse(`${stamp[1]}T${stamp[2]}${stamp[4] ?? 'Z'}`), now);
  const date = HTTP_DATE.exec(text)?.[1];
  if (date !== undefined) return soon(Date.parse(date), now);
  const spoken = SPOKEN.exec(text);
  if (spoken) return soon(spokenTime(spoken, now), now);
  for (const lead of [...text.matchAll(SPAN_AFTER), ...text.matchAll(WAIT)]) {
    const [all, milliseconds, sign] = lead;
    const span = parseSpan(text, lead.index + all.length, sign !== undefined, milliseconds === undefined ? 1000 : 1);
    if (span !== undefined) return soon(now.at.getTime() + span, now);
  }
  return undefined;
}

/** A time in the near future. */
function soon(time: number, { at }: Now): string | undefined {
  const ahead = time - at.getTime();
  return ahead > 0 && ahead <= FURTHEST_MS ? new Date(time).toISOString() : undefined;
}

/** The span at a place of a text, in ms; undefined where its unit is unknown. */
function parseSpan(text: string, from: number, isField: boolean, bareUnit: number): number | undefined {
  let total: number | undefined;
  SPAN_PART.lastIndex = from;
  for (let part = SPAN_PART.exec(text); part !== null; part = SPAN_PART.exec(text)) {
    const [, count, ...units] = part;
    const unit = units.find((one) => one !== undefined)?.toLowerCase() ?? '';
    total = (total ?? 0) + (/^an?$/i.test(count ?? '') ? 1 : Number(count)) * (UNITS[unit] ?? 1);
  }
  if (total !== undefined) return total;
  const number = isField ? BARE : BARE_IN_PROSE;
  number.lastIndex = from;
  const bare = number.exec(text)?.[1];
  return bare === undefined ? undefined : Number(bare) * bareUnit;
}

/** The next time at which a clock in that zone shows the given time; NaN when no such time exists. */
function spokenTime(
  [, month, day, year, word, hour = '', minute, half, inBrackets, letters]: RegExpExecArray,
  { at, zone }: Now,
): number {
  const place = inBrackets ?? letters ?? zone;
  const hours = hoursOf(Number(hour), half?.toLowerCase(), minute !== undefined);
  if (hours === undefined || Number(minute ?? 0) > 59 || !isZone(place)) return Number.NaN;
  const today = new Date(wallTime(at.getTime(), place));
  const on = (y: number, m: number, d: number): number =>
    atWallTime(Date.UTC(y, m, d, hours, Number(minute ?? 0)), place);
  const [y, m, d] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const later = (...times: readonly number[]): number => times.find((time) => time > at.getTime()) ?? Number.NaN;
  const weekday = WEEKDAYS.indexOf(word?.toLowerCase().replace('next ', '').slice(0, 3) ?? '');
  if (weekday !== -1) {
    const ahead = (weekday - today.getUTCDay() + 7) % 7;
    return later(on(y, m, d + ahead), on(y, m, d + ahead + 7));
  }
  if (word !== undefined) return on(y, m, word.toLowerCase() === 'today' ? d : d + 1);
  if (month === undefined) return later(on(y, m, d), on(y, m, d + 1));
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const date = Number(day);
  if (index === -1 || new Date(Date.UTC(2024, index, date)).getUTCMonth() !== index) return Number.NaN;
  return year === undefined ? later(on(y, index, date), on(y + 1, index, date)) : on(Number(year), index, date);
}

/** 3pm, 12am, 15:00; a bare 3 is not a time. */
function hoursOf(hour: number, half: string | undefined, hasMinutes: boolean): number | undefined {
  if (half === undefined) return hasMinutes && hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

/** Zones by name, and UTC; other abbreviations (CET, PST) are ambiguous. */
function isZone(name: string): boolean {
  if (!/^(?:UTC|GMT|[A-Za-z_]+(?:\/[\w+-]+)+)$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The wall time in a zone, written as if it were UTC. */
function wallTime(time: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The later moment with that wall time; NaN when it does not exist, because the clock was put forward. */
function atWallTime(wall: number, zone: string): number {
  const candidates = [-24, 24]
    .map((hours) => wall + hours * HOUR_MS)
    .map((near) => wall - (wallTime(near, zone) - near))
    .filter((time) => wallTime(time, zone) === wall);
  return candidates.length === 0 ? Number.NaN : Math.max(...candidates);
}
