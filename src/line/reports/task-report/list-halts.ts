import { countComments, formatComment } from '../../../project/requests/comment.ts';
import type { JournalEntry, Moved } from '../../record/journal-entry.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import type { Halt, Trip } from '../../record/trip.ts';
import { HALT_WORDS } from '../../halts/halt-words.ts';
import { describeNextStep } from '../../words/describe-line.ts';
import { resumeCommand } from '../../halts/resume-command.ts';

/** One halt, and the choice that ended it; null = none so far. */
export type HaltFacts = ReturnType<typeof haltOf> & { readonly choice: ReturnType<typeof choiceOf> | null };

/** A longer name is invalid. */
const NAME = 60;

/** Every halt of a task, oldest first; both paths of the open one have their commands. */
export function listHalts(record: TaskRecord, entries: readonly JournalEntry[]): readonly HaltFacts[] {
  const halts: HaltFacts[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'moved') continue;
    const last = halts.at(-1);
    if (entry.from === 'erik_consultation' && last?.choice === null)
      halts[halts.length - 1] = { ...last, choice: choiceOf(entry) };
    if (entry.facts.halt !== undefined) halts.push({ ...haltOf(entry.at, entry.facts.halt, record), choice: null });
  }
  return halts;
}

function haltOf(at: string, halt: Halt, { taskId, halt: open }: TaskRecord) {
  const steps = halt.paths.map(({ does, effect }, index) => ({
    next: describeNextStep(effect, does),
    command: open?.id === halt.id ? resumeCommand(taskId, index === 0 ? 1 : 2, halt.id) : null,
  }));
  const phraseOf = (trip: Trip): string => HALT_WORDS[trip.breaker].phrase;
  const also = halt.also.map((one) => ({ ...one, phrase: phraseOf(one) }));
  return { at, ...halt, phrase: phraseOf(halt.trip), also, steps };
}

/** Who answered a halt, and how; without a path it was given up, or sent back. */
function choiceOf({ at, event, reason, facts: { choice } }: Moved) {
  const { path = null, comments = [], how = event, say = null } = choice ?? {};
  const by = toTerminalLine(choice?.by ?? reason, NAME);
  const chosen = path === null ? by : `${by} chose path ${path}`;
  const answer = choice?.comments === undefined ? chosen : `${by} sent it back with ${countComments(comments)}`;
  return { at, path, comments: comments.map(formatComment), by, how, answer, say };
}
