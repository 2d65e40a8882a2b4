import { expandAlias } from '../aliases.ts';
import type { CliCommand } from '../command.ts';

/** A word that may be typed, and what it is for. */
export interface Candidate {
  readonly value: string;
  readonly text: string;
}

/** What is read from the repository only where it is asked for. */
export interface CompletionSources {
  readonly tasks: () => readonly string[];
  readonly waiting: () => readonly string[];
  readonly drills: () => readonly string[];
}

/** A place of a command line; a repeatable one takes any number of words. */
interface Slot {
  readonly name: string;
  readonly isRepeatable: boolean;
}

const HELP = ['--help', 'Show help'] as const;

/** What may stand in place of the last of these words; `files` where the shell knows better. */
export function completeWords(
  words: readonly string[],
  commands: readonly CliCommand[],
  sources: CompletionSources,
): readonly Candidate[] | 'files' {
  if (words.length <= 1) return beginningWith(words[0] ?? '', [...commands.map(asCandidate), ...PROGRAM_OPTIONS]);
  const [name, ...typed] = expandAlias(words);
  const command = commands.find(({ usage }) => nameIn(usage) === name);
  if (command === undefined) return [];
  const rows = [...(command.options ?? []), HELP];
  // bash splits words at `=`.
  const [before, current = ''] = [typed.slice(0, -1), typed.at(-1) === '=' ? '' : typed.at(-1)];
  const [, option, value = ''] = /^(--[\w-]+=)(.*)$/s.exec(current) ?? [];
  const valueOf = (flag: string): Slot | undefined =>
    slotsIn(rows.find(([flags]) => nameIn(flags) === flag)?.[0] ?? '')[0];
  if (option !== undefined) {
    const found = inSlot(valueOf(option.slice(0, -1)), sources);
    if (found === 'files') return found;
    return beginningWith(value, found).map(({ value: one, text }) => ({ value: option + one, text }));
  }
  if (current.startsWith('-'))
    return beginningWith(
      current,
      rows.map(([flags, text]) => ({ value: nameIn(flags), text })),
    );
  const found = inSlot(nextSlot(before, slotsIn(command.usage), valueOf), sources);
  return found === 'files' ? found : beginningWith(current, found);
}

const PROGRAM_OPTIONS: readonly Candidate[] = [
  { value: HELP[0], text: HELP[1] },
  { value: '--version', text: 'Print the version' },
];

const asCandidate = ({ usage, description }: CliCommand): Candidate => ({ value: nameIn(usage), text: description });

const beginningWith = (typed: string, candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter(({ value }) => value.startsWith(typed));

const nameIn = (usage: string): string => usage.split(' ', 1)[0] ?? '';

/** `<task>` and `[files...]` as slots, in order. */
const slotsIn = (usage: string): readonly Slot[] =>
  [...usage.matchAll(/[<[]([^>\]]+)[>\]]/g)].map(([, inside = '']) => ({
    name: inside.replace(/\.\.\.$/, ''),
    isRepeatable: inside.endsWith('...'),
  }));

/** The slot after these words: the value of an option that is still open, else the next argument. */
function nextSlot(
  before: readonly string[],
  args: readonly Slot[],
  valueOf: (flag: string) => Slot | undefined,
): Slot | undefined {
  let open: Slot | undefined;
  let position = 0;
  for (const word of before) {
    if (word === '=') continue;
    if (word.startsWith('--')) open = word.includes('=') ? undefined : valueOf(word);
    else if (open === undefined) position += 1;
    else if (!open.isRepeatable) open = undefined;
  }
  const last = args.at(-1);
  return open ?? args[position] ?? (last?.isRepeatable === true ? last : undefined);
}

/** The name of a slot says what it takes, as in `--spec <file>`. */
function inSlot(slot: Slot | undefined, sources: CompletionSources): readonly Candidate[] | 'files' {
  const { name = '' } = slot ?? {};
  if (/^(?:.*-or-)?(?:file|folder|path)s?$/.test(name)) return 'files';
  const values = name.includes('|')
    ? name.split('|')
    : name === 'task'
      ? sources.tasks()
      : name === 'contract'
        ? sources.waiting()
        : name === 'drill'
          ? sources.drills()
          : [];
  return values.map((value) => ({ value, text: '' }));
}
