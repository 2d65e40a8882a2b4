import type { StationId } from '../../base/names.ts';
import { formatDollars, millisecondsBetween, formatDuration } from '../reports/task-report/format-figures.ts';
import type { BoardRow, Work } from './board.ts';

export const STATION_WORDS: Readonly<Record<StationId, string>> = {
  implementer: 'Writing',
  'local-reviewer': 'Reviewing',
  judge: 'Judging',
  'floor-manager': 'Deciding',
};

/** An age in words: `12 min 4 s`. */
export const formatAge = (since: string, now: string): string => formatDuration(millisecondsBetween(since, now));

/** An age in one unit: `now`, `4m`, `3h`, `2d`. */
export function formatShortAge(since: string, now: string): string {
  const minutes = Math.floor(millisecondsBetween(since, now) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}

/** `$0.08`; empty where nothing was paid, or it is unknown. */
export const formatRowCost = ({ cost_usd: usd }: Pick<BoardRow, 'cost_usd'>): string =>
  usd === null || usd === 0 ? '' : formatDollars(usd);

/** The state of a row in words; of an ended one its cost too. */
export const describeRow = (row: BoardRow): string =>
  [row.phrase, ...(row.lane === 'ended' ? [formatRowCost(row)] : [])].filter(Boolean).join(' · ');

export function estimateEnd({ since, usually_ms: usual }: Work, now: string): string {
  if (usual === null) return 'no history';
  const left = usual - millisecondsBetween(since, now);
  return left > 0 ? `about ${formatDuration(left)} more` : `longer than usual (${formatDuration(usual)})`;
}
