import { shippedNames } from '../../../base/system/install-root.ts';
import { listTaskIds, listWaitingIds } from '../../../line/journal/list-task-ids.ts';
import type { Invocation, CliCommand } from '../command.ts';
import { expandAlias } from '../aliases.ts';

type CompletedShell = keyof typeof COMPLETION_SCRIPTS;

/** A candidate as each shell reads it. */
const LINES: Readonly<Record<CompletedShell, (candidate: Candidate) => string>> = {
  bash: ({ value }) => value,
  zsh: ({ value, text }) => `${value.replaceAll(':', String.raw`\:`)}${text === '' ? '' : `:${text}`}`,
  fish: ({ value, text }) => `${value}${text === '' ? '' : `\t${text}`}`,
};

/** `andon completion`: the script of a shell; with words, what may stand in place of the last one. */
export function run({ args, commands, cwd, env }: Invocation): number {
  const [shell, words] = args as [CompletedShell, readonly string[]];
  if (words.length === 0) {
    process.stdout.write(COMPLETION_SCRIPTS[shell]);
    return 0;
  }
  const sources = { tasks: () => listTaskIds(cwd, env), waiting: () => listWaitingIds(cwd), drills: listDrillNames };
  const found = completeWords(words, commands, sources);
  const lines = found === 'files' ? [':files'] : found.map(LINES[shell]);
  process.stdout.write(lines.map((text) => `${text}\n`).join(''));
  return 0;
}

/** By their files, for to read them takes a while. */
const listDrillNames = (): readonly string[] => [
  'all',
  ...shippedNames('drills').flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? []),
];

/** A word that may be typed, and what it is for. */
interface Candidate {
  readonly value: string;
  readonly text: string;
}

/** What is read from the repository only where it is asked for. */
interface CompletionSources {
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
  if (words.length <= 1) return beginningWith(words[0] ?? '', [...commands.map(toCandidate), ...PROGRAM_OPTIONS]);
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
    const found = completeSlot(valueOf(option.slice(0, -1)), sources);
    if (found === 'files') return found;
    return beginningWith(value, found).map(({ value: one, text }) => ({ value: option + one, text }));
  }
  if (current.startsWith('-'))
    return beginningWith(
      current,
      rows.map(([flags, text]) => ({ value: nameIn(flags), text })),
    );
  const found = completeSlot(nextSlot(before, slotsIn(command.usage), valueOf), sources);
  return found === 'files' ? found : beginningWith(current, found);
}

const PROGRAM_OPTIONS: readonly Candidate[] = [
  { value: HELP[0], text: HELP[1] },
  { value: '--version', text: 'Print the version' },
];

const toCandidate = ({ usage, description }: CliCommand): Candidate => ({ value: nameIn(usage), text: description });

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
function completeSlot(slot: Slot | undefined, sources: CompletionSources): readonly Candidate[] | 'files' {
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

/**
 * One short script a shell. Each asks `andon completion <shell> -- <words>` at every Tab, so it knows the commands of the
 * installed version, and passes the typed words as arguments: nothing in them is ever evaluated. The answer `:files` asks
 * the shell for file names.
 */
const COMPLETION_SCRIPTS = {
  /** From bash 3.2 on, without the package bash-completion. */
  bash: `_andon() {
  local current=\${COMP_WORDS[COMP_CWORD]} found word
  [ "$current" != '=' ] || current=''
  found=$(command andon completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  if [ "$found" = :files ]; then
    compopt -o default 2>/dev/null && return
    found=$(compgen -f -- "$current")
  fi
  while IFS= read -r word; do [ -z "$word" ] || COMPREPLY+=("$word"); done <<< "$found"
}
complete -F _andon andon
`,
  /** Read after compinit, or as a file \`_andon\` in fpath. */
  zsh: `#compdef andon
_andon() {
  local -a found
  found=("\${(@f)$(command andon completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $found[1] == :files ]]; then
    compset -P '--*='
    _files
  elif [[ -n $found[1] && $PREFIX == -* ]]; then
    _describe -o andon found
  elif [[ -n $found[1] ]]; then
    _describe andon found
  fi
}
if [ "$funcstack[1]" = _andon ]; then _andon "$@"; else compdef _andon andon; fi
`,
  /** From fish 3.0 on. */
  fish: `function __andon
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l found (command andon completion fish -- $typed[2..-1] "$current" 2>/dev/null)
    if test "$found[1]" = :files
        set -l before (string match -r -- '^--[^=]*=' "$current")
        __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current") | string replace -r -- '^' "$before"
    else if test -n "$found[1]"
        printf '%s\\n' $found
    end
end
complete -c andon -f -a '(__andon)'
`,
} as const;
