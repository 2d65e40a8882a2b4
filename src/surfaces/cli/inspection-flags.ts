import { FORMATS } from '../../rule-model/rule-words.ts';
import type { OptionRow } from './command.ts';

/** The options of every command that applies rules. */
export const INSPECTION_OPTIONS: readonly OptionRow[] = [
  [`--format <${FORMATS.join('|')}>`, 'Choose the format of the report. Default: text'],
  ['--out <file>', 'Write the report there, and text to the screen'],
  ['--llm', 'Ask a model where the rules cannot decide'],
  ['--trace', 'Show every step for every rule'],
  ['--json', 'Print facts for programs, as --format json'],
];

/** The options that name a subject. */
export const LOOK_OPTIONS: readonly OptionRow[] = [
  ['--plan <file>', 'Check a plan: words, a file, or - for stdin'],
  ['--contract <file>', 'Check a TASK_CONTRACT.json'],
  ['--file <file...>', 'Check whole files'],
  ['--diff <file>', 'Check the new lines of a diff, - for stdin'],
  ['--allow-empty', 'Accept an empty diff'],
  ['--staged', 'Check what git would commit now'],
];
