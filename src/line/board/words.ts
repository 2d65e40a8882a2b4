import type { StationId } from '../../base/names.ts';
import { millisecondsBetween, formatDuration } from '../documents/task-report/words.ts';
import type { Ceiling } from '../digest/digest.ts';
import type { Work } from './board.ts';

/** What a station does, in one word. */
export const STATION_WORDS: Readonly<Record<StationId, string>> = {
  implementer: 'Writing',
  'local-reviewer': 'Reviewing',
  judge: 'Judging',
  'floor-manager': 'Deciding',
};

/** An age in words: `12 min 4 s`. */
export const formatAge = (since: string, now: string): string => formatDuration(millisecondsBetween(since, now));

/** The usual end of a call, from this repository's history. */
export function estimateEnd({ since, usually_ms: usual }: Work, now: string): string {
  if (usual === null) return 'no history';
  const left = usual - millisecondsBetween(since, now);
  return left > 0 ? `about ${formatDuration(left)} more` : `longer than usual (${formatDuration(usual)})`;
}

/** Usage of one ceiling; a sum with an unknown part is a marked lower bound. */
export function formatBoardCeiling({ of, used, at_least: least, ceiling }: Ceiling): string {
  const figure = (value: number): string =>
    of === 'usd' ? `$${value.toFixed(2)}` : of === 'tokens' ? `${value} tokens` : `${value.toFixed(1)} min`;
  return `${used === null ? 'at least ' : ''}${figure(used ?? least)} of ${figure(ceiling)}`;
}
