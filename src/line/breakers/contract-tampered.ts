import { listNewLines } from '../../base/list-new-lines.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Path } from '../record/trip.ts';
import type { Breaker } from './breaker.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';

/** The contract on disk is andon's seal: an edit while the task runs must not go unnoticed. */
export const contractTampered: Breaker = {
  question: "Was the contract or the judge's report on disk changed by anybody but andon while the task was running?",
  check(record) {
    const { tampered } = record.lastFacts;
    if (tampered === undefined) return undefined;
    const { file, expected, found } = tampered;
    const [edited, ours] = [withoutSecrets(tampered.edited), withoutSecrets(tampered.ours ?? '')];
    const digests = `expects the contract with digest ${expected.slice(0, 16)}, found ${found.slice(0, 16)}`;
    const differs = ours === '' ? digests : `${digests}\n${describeDifference(ours, edited)}`;
    const own = file === undefined ? differs : describeDifference(ours, edited);
    return {
      // An unnoticed edit of one contract can be repeated on the next.
      reach: 'line',
      reason:
        file === undefined
          ? 'the contract was changed on disk while the task was running'
          : `the report _handoff/${file} was changed on disk after andon had read it`,
      sides: [
        { who: 'the edited file', says: describeDifference(edited, ours) },
        { who: 'andon', says: own },
      ],
      paths: file === undefined ? [TAKE_EDITED, restore(record)] : [JUDGE_AGAIN, restore(record)],
    };
  },
};

const TAKE_EDITED: Path = {
  title: 'Take the edited version',
  does: 'The edited contract replaces the old one and the task starts again from the target branch.',
  effect: { to: 'pending_implementer', contract: 'edited', fresh: true },
};

const JUDGE_AGAIN: Path = {
  title: 'Have it judged again',
  does: 'Neither version counts. The judge reviews the same tree again and writes a new report.',
  effect: { to: 'pending_judge_review' },
};

const restore = ({ status }: TaskRecord): Path => ({
  title: "Restore andon's version",
  does: "andon's version is written back and the task continues.",
  effect: { to: status, contract: 'journal' },
});

/** The lines shown of one version, as many as a report prints; both versions are stored whole beside the halt. */
const MOST_LINES = 12;

/** The lines of one version that the other lacks, whatever its length. */
function describeDifference(version: string, other: string): string {
  if (version === '') return '';
  const lines = listNewLines(other, version).map(({ text }) => text);
  if (lines.length === 0) return '(no line that the other version does not have)';
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`(${more} more lines differ)`] : [])].join('\n');
}
