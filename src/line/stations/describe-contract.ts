import { getScope, LEAST_LINES_TO_KEEP_HALF, mayShrink } from '../core/grants.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { DEFAULT_CONTRACT_LIMITS } from '../../project/contract/task-contract-defaults.ts';

export interface ShownFile {
  readonly path: string;
  readonly text: string;
}

/** The contract in words: requirements and bounds. Holdout criteria only on request. */
export function describeContract(
  { contract, grants, document, words }: Pick<TaskRecord, 'contract' | 'grants' | 'document' | 'words'>,
  withHoldout: boolean,
): string {
  const { specification, constraints } = contract;
  const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
  const parts = [
    `Task ${contract.taskId} in project ${contract.project}.`,
    `Requirements:\n${list(specification.requirements)}`,
    specification.acceptanceCriteria.length > 0
      ? `Acceptance criteria:\n${list(specification.acceptanceCriteria)}`
      : '',
    withHoldout && contract.holdout.criteria.length > 0
      ? `Further criteria, unknown to the implementer:\n${list(contract.holdout.criteria)}`
      : '',
    specification.targetFile === undefined ? '' : `Target file: ${specification.targetFile}`,
    specification.sourceFiles.length > 0
      ? `Source files:\n${list(specification.sourceFiles.map(({ path }) => path))}`
      : '',
    `May be changed:\n${list(getScope({ contract, grants }).allowedPaths)}`,
    constraints.forbiddenPaths.length > 0 ? `Must not be changed:\n${list(constraints.forbiddenPaths)}` : '',
    `Limits: at most ${constraints.maxDiffSize + grants.diffSize} added and deleted lines in at most ${constraints.maxFiles ?? DEFAULT_CONTRACT_LIMITS.maxFiles} files; deleting files is ${constraints.allowDeletes ? 'allowed' : 'not allowed'}${mayShrink({ contract, grants }) ? '' : `; no file of ${LEAST_LINES_TO_KEEP_HALF} lines or more may lose more than half of them`}.`,
    wordsIn(words),
    notesIn(document),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The last sentences of the task's owner: an answer to a halt, or said while the task ran. */
const wordsIn = (words: TaskRecord['words']): string =>
  words.length === 0
    ? ''
    : `The owner of the task said later, in their own words. Where this differs from the requirements, this holds:\n${words
        .slice(-MOST_WORDS)
        .map(({ by, text }) => `- ${by}: ${text.replaceAll(/\s*\n\s*/g, ' ')}`)
        .join('\n')}`;

/** More sentences would take the room of the files in question. */
const MOST_WORDS = 10;

/** The user's notes (`metadata.notes`): background for workers and judges. */
function notesIn({ metadata }: TaskRecord['document']): string {
  const notes = typeof metadata === 'object' && metadata !== null && 'notes' in metadata ? metadata.notes : undefined;
  if (typeof notes !== 'string' || notes.trim() === '') return '';
  return `Notes (background; what must hold is above):\n${notes.trim().slice(0, LONGEST_NOTES)}`;
}

/** Longer notes would take the room of the files in question. */
const LONGEST_NOTES = 4000;
