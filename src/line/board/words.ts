import type { StationId } from '../../base/names.ts';
import { millisecondsBetween, formatDuration } from '../documents/task-report/words.ts';
import type { Work } from './board.ts';

export const STATION_WORDS: Readonly<Record<StationId, string>> = {
  implementer: 'Writing',
  'local-reviewer': 'Reviewing',
  judge: 'Judging',
  'floor-manager': 'Deciding',
};

/** An age in words: `12 min 4 s`. */
export const formatAge = (since: string, now: string): string => formatDuration(millisecondsBetween(since, now));

export function estimateEnd({ since, usually_ms: usual }: Work, now: string): string {
  if (usual === null) return 'no history';
  const left = usual - millisecondsBetween(since, now);
  return left > 0 ? `about ${formatDuration(left)} more` : `longer than usual (${formatDuration(usual)})`;
}
