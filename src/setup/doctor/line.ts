import { toTerminalLine } from '../../base/plain-text.ts';
import { describeActivity, describeTrouble } from '../../line/describe-line.ts';
import { readLine } from '../../daemon/readers/read-line.ts';
import { readJournal } from '../../wiring/open-journal.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { warningCheck, passedCheck, type DoctorCheck } from './check.ts';

/** The line itself, in the words of `andon status`: a healthy machine with a stopped line is not healthy. */
export async function examineLine(place: Workspace): Promise<readonly DoctorCheck[]> {
  let journal: ReturnType<typeof readJournal>;
  try {
    journal = readJournal(place);
    const facts = await readLine(place, journal);
    const { task } = facts;
    const trouble = describeTrouble(facts)
      .filter(({ tone, text }) => tone === 'warn' && !text.startsWith(' ')) // each file is named by a check of its own
      .map(({ text }) => text);
    const now =
      task === null
        ? 'no task is on it'
        : `${task.task_id} ${task.status}: ${toTerminalLine(describeActivity(task, facts))}`;
    const said = task !== null || trouble.length === 0 ? [now, ...trouble] : trouble;
    const isWell = trouble.length === 0 && (task === null || task.halt === null);
    return said.map((text) =>
      isWell ? passedCheck('line', text) : warningCheck('line', text, 'andon status says more'),
    );
  } catch {
    return []; // faults of the journal and the repository belong to their own checks
  } finally {
    journal?.close();
  }
}
