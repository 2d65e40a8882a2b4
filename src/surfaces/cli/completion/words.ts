import type { CliCommand } from '../command.ts';

/** What may be typed at one place: one of these words, a file, a task id, a contract that waits, or anything. */
export type Takes = readonly string[] | 'files' | 'tasks' | 'waiting' | 'text';

/** One place of a command line; `many` = it may be typed again and again. */
export interface Slot {
  readonly takes: Takes;
  readonly many: boolean;
}

/** Reads from the list of commands what a shell may complete: a place is told by its name, as in `--spec <file>`. */
export const wordsOf = (commands: readonly CliCommand[]) =>
  commands.map(({ usage, description, options = [] }) => ({
    name: nameIn(usage),
    text: description,
    options: [...options, HELP].map(([flags, text]) => ({ flag: nameIn(flags), text, value: slotsIn(flags)[0] })),
    args: slotsIn(usage),
  }));

/** What a shell completes of one command: each option with what it is for and the value that follows it, if any. */
export type CommandWords = ReturnType<typeof wordsOf>[number];

const HELP = ['--help', 'what the command is for, and its options'] as const;

const nameIn = (usage: string): string => usage.split(' ')[0] ?? '';

/** `<task>` and `[files...]` as slots, in order. */
const slotsIn = (usage: string): readonly Slot[] =>
  [...usage.matchAll(/[<[]([^>\]]+)[>\]]/g)].map(([, inside = '']) => {
    const name = inside.replace(/\.\.\.$/, '');
    return { takes: takesOf(name), many: name !== inside };
  });

function takesOf(name: string): Takes {
  if (name.includes('|')) return name.split('|');
  if (/^(?:.*-or-)?(?:file|folder|path)s?$/.test(name)) return 'files';
  if (name === 'contract') return 'waiting';
  return name === 'task' ? 'tasks' : 'text';
}

/** A slot as the scripts hold it: a word with @, or the words themselves; + in front = again and again. */
export const inScript = ({ takes, many }: Slot): string =>
  `${many ? '+' : ''}${typeof takes === 'string' ? `@${takes}` : takes.join(' ')}`;

/** Every option with a value, as `command --option`, grouped by what it takes. */
export function optionCases(commands: readonly CommandWords[]): ReadonlyMap<string, readonly string[]> {
  const cases = new Map<string, string[]>();
  for (const { name, options } of commands)
    for (const { flag, value } of options)
      if (value !== undefined) cases.set(inScript(value), [...(cases.get(inScript(value)) ?? []), `${name} ${flag}`]);
  return cases;
}

/** Every argument, as `command place`, grouped by what it takes; a place that repeats is listed as `command *`. */
export function argumentCases(commands: readonly CommandWords[]): readonly (readonly [place: string, takes: string])[] {
  return commands.flatMap(({ name, args }) =>
    args.map((slot, at) => [`${name} ${slot.many ? '*' : at}`, inScript({ ...slot, many: false })] as const),
  );
}
