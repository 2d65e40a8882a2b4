import type { LineRecord } from '../formats/line-record.ts';
import { TERMINAL } from '../formats/names.ts';
import { sha256 } from '../formats/sha256.ts';
import { foldJournal } from '../line/record.ts';
import { viewTask } from '../line/view.ts';
import type { Journal } from '../ports/journal.ts';
import { handoffAt, holderOf } from './open-floor.ts';
import type { Place } from './open-floor.ts';
import { whatIsEdited } from './paperwork.ts';
import { pausedBy } from './pause.ts';
import type { Paused } from './pause.ts';
import { standstill } from './standstill.ts';
import type { Standstill } from './standstill.ts';

/** What a line does at this moment, as any surface shows it. */
export interface LineNow {
  readonly watchdog: { readonly pid: number; readonly doing: string } | null;
  readonly paused: Paused | undefined;
  /** The task that has not ended. */
  readonly active: LineRecord | undefined;
  readonly standstill: Standstill;
  /** A paper of the halt that stands, which a choice would overwrite, in words. */
  readonly edited: string | undefined;
  /** How many tasks have ended. */
  readonly ended: number;
}

/** Looks at the line of a repository; true also while no daemon runs. */
export function lineNow(place: Place, journal: Journal | undefined): LineNow {
  const holder = holderOf(place);
  const paused = journal === undefined ? undefined : pausedBy(journal);
  const records = recordsOf(journal);
  const active = activeOf(records);
  return {
    watchdog: holder === undefined ? null : { pid: holder.pid, doing: holder.doing },
    paused,
    active,
    standstill: standstill(place.facts.root, paused),
    edited:
      journal === undefined || active?.halt === undefined
        ? undefined
        : whatIsEdited({ handoff: handoffAt(place.facts.root), journal, digest: sha256 }, active),
    ended: records.filter(({ status }) => TERMINAL.includes(status)).length,
  };
}

/** The same as facts for programs. */
export const lineFacts = ({ watchdog, paused, active, standstill: still, edited, ended }: LineNow) => ({
  watchdog,
  paused: paused ?? null,
  task: active === undefined ? null : viewTask(active),
  ...still,
  edited: edited ?? null,
  ended,
});

/** Every task's record, oldest first. */
export const recordsOf = (journal: Journal | undefined): readonly LineRecord[] =>
  (journal?.taskIds() ?? [])
    .map((id) => foldJournal(journal?.entries(id) ?? []))
    .filter((record) => record !== undefined);

/** The record of the task that has not ended. */
export const activeOf = (records: readonly LineRecord[]): LineRecord | undefined =>
  records.findLast(({ status }) => !TERMINAL.includes(status));
