import { formatDollarsExactly } from '../../agents/budget/normalise-usage.ts';
import { formatLocalTime } from '../../base/local-time.ts';
import type { CeilingUse, NightFacts } from '../../agents/budget/night-facts.ts';
import type { Board, BoardRow } from './board.ts';
import { STATION_WORDS } from './describe-row.ts';

export interface StripFact {
  readonly tone: 'good' | 'bad' | 'wait' | 'plain';
  readonly text: string;
}

/** Named tasks at work; more are counted. */
const MOST_NAMED = 2;

/** What is true of all repositories now, the most important first: liveness, work, the night, money. Pure. */
export function listStripFacts(board: Board, now: Date): readonly StripFact[] {
  const { repositories, limits } = board;
  const count = `${repositories.length} ${repositories.length === 1 ? 'repository' : 'repositories'}`;
  return [
    liveness(board),
    ...(repositories.length === 0 ? [] : [work(board.lanes.working)]),
    ...(limits === null ? [] : [...nightFacts(limits, now), ...dayMoney(limits)]),
    ...(repositories.length === 0 ? [] : [{ tone: 'plain' as const, text: count }]),
  ];
}

function liveness({ repositories, lanes }: Board): StripFact {
  if (repositories.length === 0) return { tone: 'wait', text: '○ no repository is watched yet: andon watch' };
  const missing = repositories.filter(({ watched }) => watched !== 'watched');
  // A repository without work needs no watchdog.
  const needed = missing.filter(({ id }) =>
    [...lanes.needs_you, ...lanes.waiting].some((row) => row.repository === id && STUCK.has(row.kind)),
  );
  if (needed.length > 0) return { tone: 'bad', text: `○ no watchdog: ${needed.map(({ name }) => name).join(', ')}` };
  return missing.length === repositories.length
    ? { tone: 'wait', text: '○ no watchdog' }
    : { tone: 'good', text: '● live' };
}

/** Rows that only a watchdog moves. */
const STUCK: ReadonlySet<BoardRow['kind']> = new Set(['unwatched', 'waits', 'queued']);

function work(rows: readonly BoardRow[]): StripFact {
  if (rows.length === 0) return { tone: 'plain', text: 'nothing is working' };
  if (rows.length > MOST_NAMED) return { tone: 'good', text: `${rows.length} tasks are working` };
  const names = rows.map(({ task_id: id, work: at }) => {
    const doing = at === null ? 'working' : STATION_WORDS[at.station].toLowerCase();
    return `${id ?? ''} ${doing}`;
  });
  return { tone: 'good', text: names.join(', ') };
}

function nightFacts({ night, hours, ceilings }: NightFacts, now: Date): readonly StripFact[] {
  if (night === null) {
    if (hours === null || hours.open) return [];
    const until = hours.changes === null ? '' : ` until ${formatLocalTime(hours.changes, now)}`;
    return [{ tone: 'wait', text: `closed${until}` }];
  }
  const until = formatLocalTime(night.until, now);
  return [
    night.attended === false
      ? { tone: 'bad', text: `night until ${until}, but its andon is not alive` }
      : { tone: 'plain', text: `night until ${until}` },
    ...ceilings.filter(({ period, of }) => period === 'this night' && of === 'usd').map((one) => money('', one)),
  ];
}

const dayMoney = ({ ceilings }: NightFacts): readonly StripFact[] =>
  ceilings
    .filter(({ period, of }) => period === 'day' && of === 'usd')
    .map((one) => money(`${one.account ?? 'all'} today `, one));

/** Above this part of a ceiling its figure is marked. */
const NEARLY = 0.9;

function money(name: string, { used, at_least: least, limit }: CeilingUse): StripFact {
  const spent = `${used === null ? 'at least ' : ''}$${(used ?? least).toFixed(2)}`;
  const tone = least >= limit ? 'bad' : least >= limit * NEARLY ? 'wait' : 'plain';
  return { tone, text: `${name}${spent} of ${formatDollarsExactly(limit)}` };
}
