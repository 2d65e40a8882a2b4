import { toSentence } from '../../base/to-sentence.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { STATUS_PHRASES } from '../describe-line.ts';
import type { Need, WaitingItem } from '../digest/digest.ts';
import type { LineFacts, QueueView } from '../line-facts.ts';
import { STATION_WORDS } from './words.ts';

/** What a task does that is worked on. */
export const describeWork = ({ openCall, status }: LineRecord): string =>
  openCall === undefined ? toSentence(STATUS_PHRASES[status]) : STATION_WORDS[openCall.station];

/** What a need without a halt is about: its title, and its state. */
export function describeNeed({ kind, what, why, task_id: task, file }: Need & { readonly file?: string }): {
  readonly title?: string;
  readonly phrase: string;
} {
  if (task !== null) return { phrase: toSentence(what) };
  if (kind === 'decision') return { title: 'Proposed tasks', phrase: 'A proposal waits for your approval' };
  if (kind === 'refused')
    return {
      title: `Contract ${(file ?? what).replace(/ is refused$/, '').replace(/^.*\//, '')}`,
      phrase: `Refused: ${why.replace(/, the first at .*$/s, '')}`,
    };
  return { title: toSentence(what), phrase: toSentence(why) };
}

/** Why a task goes on later. */
export const describeRowWait = ({ for: what }: WaitingItem): string => toSentence(`waits for ${what}`);

/** Why a contract has not begun. */
export function describeQueuedRow(
  { for: what }: WaitingItem,
  own: QueueView | undefined,
  line: Pick<LineFacts, 'paused' | 'watchdog' | 'blocked'> | undefined,
): string {
  if (line?.paused) return `Paused by ${line.paused.by}`;
  if (line?.blocked != null || line?.watchdog?.doing !== 'watch') return toSentence(`waits for ${what}`);
  if (own === undefined) return toSentence(`waits for ${what}`);
  switch (own.waits_for) {
    case 'another task':
    case 'a parked task':
      return `Blocked by ${[...new Set(own.tasks)].slice(0, 3).join(', ')}`;
    case 'a time':
      return `Starts at ${own.not_before ?? 'its time'}`;
    case 'a correction':
      return 'Refused until it is corrected';
    case 'a place':
    case 'its turn':
      return toSentence(`waits for ${what}`);
  }
}

/** A finished task: where it went, its size and cost. */
export function describeEnd(record: LineRecord | undefined, what: string): string {
  const { change, spent, attempt } = record ?? {};
  const parts = [
    toSentence(what),
    ...(change === undefined ? [] : [`+${change.added} −${change.deleted}`]),
    ...(attempt === undefined || attempt < 2 ? [] : [`attempt ${attempt}`]),
    ...(spent === undefined || spent.unknownUsd > 0 || spent.usd === 0 ? [] : [`$${spent.usd.toFixed(2)}`]),
  ];
  return parts.join(' · ');
}
