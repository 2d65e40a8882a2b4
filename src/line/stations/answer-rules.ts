import { getScope } from '../core/grants.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** The path in the prompt's example; an answer with it has copied the example. */
export const EXAMPLE_PATH = 'example/greeting.txt';

/** Longer files are changed by search and replace instead of being repeated. */
export const LONG_FILE_LINES = 400;

/** The answer format; search and replace is offered for long files only, and required for files shown in parts. */
export function answerFormat(long: readonly string[], inPart: readonly string[]): string {
  return [...WHOLE, ...(long.length > 0 ? ['', ...searchReplace(long, inPart)] : [])].join('\n');
}

export const blocksFormat = (): string =>
  ['Answer in this format and no other, one block for each that is asked:', '', ...BLOCK].join('\n');

/** The end of a brief, after everything untrusted: what is required, where, and how to answer. */
export function renderReminder({ contract, grants }: TaskRecord, answering: readonly string[]): string {
  const target = contract.specification.targetFile;
  return [
    'Remember:',
    ...contract.specification.requirements.map((requirement) => `- ${requirement}`),
    target === undefined ? '' : `- The result goes to ${target}.`,
    `- Change only: ${getScope({ contract, grants }).allowedPaths.join(', ')}.`,
    ...answering.map((row) => `- ${row}`),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

const WHOLE = [
  'Answer in this format and no other. For every file you change or create, a path line and then the WHOLE new content in a fence:',
  '',
  `FILE: ${EXAMPLE_PATH}`,
  '````text',
  'Hello from the example.',
  '````',
  '',
  'Use four backticks for the fence. Never abbreviate: no "rest unchanged", no placeholders.',
  'To delete a file: a line "DELETE: <path>". If nothing is to be done: "NO CHANGE: <reason>". Remarks go last, after a line "NOTES:".',
];

const BLOCK = [
  'FILE: path/of/the/file',
  '<<<<<<< SEARCH',
  'the lines as they are now',
  '=======',
  'the lines as they shall be',
  '>>>>>>> REPLACE',
];

const searchReplace = (long: readonly string[], inPart: readonly string[]): readonly string[] => [
  `For files of more than ${LONG_FILE_LINES} lines (${long.join(', ')}), instead of the whole content, give blocks; the SEARCH text must stand in the file exactly once, whole lines, every space as it is:`,
  '',
  ...BLOCK,
  ...(inPart.length > 0
    ? ['', `Only parts of these files are shown, so give blocks and never the whole file: ${inPart.join(', ')}.`]
    : []),
];
