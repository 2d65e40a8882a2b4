import { inOneTerminalLine } from '../../base/plain-text.ts';
import { doingNow, troubleInWords } from '../../line/line-in-words.ts';
import { lineNow } from '../../daemon/readers/line-now.ts';
import { readJournal } from '../../wiring/open-journal.ts';
import type { Place } from '../../wiring/open-place.ts';
import { poor, well } from './check.ts';
import type { Check } from './check.ts';

/** The line itself, in the words of `andon status`: a healthy machine with a stopped line is not healthy. */
export async function examineLine(place: Place): Promise<readonly Check[]> {
  let journal: ReturnType<typeof readJournal>;
  try {
    journal = readJournal(place);
    const facts = await lineNow(place, journal);
    const { task } = facts;
    const trouble = troubleInWords(facts)
      .filter(({ tone, text }) => tone === 'warn' && !text.startsWith(' ')) // each file is named by a check of its own
      .map(({ text }) => text);
    const now =
      task === null
        ? 'no task is on it'
        : `${task.task_id} ${task.status}: ${inOneTerminalLine(doingNow(task, facts))}`;
    const said = task !== null || trouble.length === 0 ? [now, ...trouble] : trouble;
    const isWell = trouble.length === 0 && (task === null || task.halt === null);
    return said.map((text) => (isWell ? well('line', text) : poor('line', text, 'andon status says more')));
  } catch {
    return []; // faults of the journal and the repository belong to their own checks
  } finally {
    journal?.close();
  }
}
