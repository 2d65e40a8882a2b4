import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** A shell that completes: which it is, whether this machine has it, and what it offers where the Tab key is pressed. */
export interface CompletingShell {
  readonly name: 'bash' | 'zsh' | 'fish';
  readonly isHere: boolean;
  /** What is offered after each of these lines, sorted; `script` is what the shell was given to read. */
  offers(at: Place, script: string, lines: readonly string[]): readonly (readonly string[])[];
}

/** Where a shell runs. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A folder for what the test writes. */
  readonly scratch: string;
}

/** What each offered word begins with, and what ends the offers for one line. */
const HIT = '<hit>';
const OVER = '<over>';

/** bash, asked through its own `COMP_WORDS`, after its own splitting of words at `=`. */
const bash = (at: Place, script: string, lines: readonly string[]): string =>
  run(
    at,
    'bash',
    ['--norc', '-s'],
    [
      script,
      'offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _andon; printf "<hit>%s\\n" "${COMPREPLY[@]}"; echo "<over>"; }',
      ...lines.map((line) => `offer ${line.replaceAll('=', ' = ')}${/[ =]$/.test(line) ? " ''" : ''}`),
    ],
  );

/** zsh, at a terminal of its own (zpty): every match that its completion system adds is printed. */
function zsh(at: Place, script: string, lines: readonly string[]): string {
  const start = join(at.scratch, 'start.zsh');
  writeFileSync(join(at.scratch, 'andon.zsh'), script);
  writeFileSync(
    start,
    `setopt no_prompt_sp; stty -echo
autoload -U compinit; compinit -u -D
source ${join(at.scratch, 'andon.zsh')}
compadd () {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- '' '${HIT}'\${(Q)^hits}
}
over () { print; print '${OVER}' }
offer () { comppostfuncs=(over); zle complete; BUFFER= }
zle -C complete complete-word _main_complete
zle -N offer; bindkey '^I' offer; print '${OVER}'
`,
  );
  return run(
    at,
    'zsh',
    ['-f', '-s'],
    [
      'zmodload zsh/zpty; zpty child zsh -f -i',
      `zpty -w child 'source ${start}'; zpty -r child said $'*\\n${OVER}*'`,
      ...lines.map(
        (line) => `zpty -w -n child ${quoted(line)}$'\\t'; zpty -r child said '*${OVER}*'; print -r -- "$said"`,
      ),
    ],
  );
}

/** fish, asked by its own `complete -C`. */
function fish(at: Place, script: string, lines: readonly string[]): string {
  const file = join(at.scratch, 'offers.fish');
  const offer = (line: string): string =>
    `complete -C ${quoted(line)} | string replace -r '\\t.*' '' | string replace -r '^' '${HIT}'; echo '${OVER}'`;
  writeFileSync(file, [script, ...lines.map(offer), ''].join('\n'));
  return run(at, 'fish', ['--no-config', file], []);
}

/** Every shell that andon completes in. */
export const SHELLS: readonly CompletingShell[] = (
  [
    ['bash', bash],
    ['zsh', zsh],
    ['fish', fish],
  ] as const
).map(([name, ask]) => ({
  name,
  isHere: spawnSync(name, ['--version']).status === 0,
  offers: (at, script, lines) =>
    ask(at, script, lines)
      .split(OVER)
      .slice(0, lines.length)
      .map((part) => part.split('\n').map(offered))
      .map((words) => words.filter((word) => word !== '').toSorted()),
}));

const offered = (line: string): string => stripVTControlCharacters(line).split(HIT)[1]?.trim() ?? '';

function run({ cwd, env }: Place, program: string, args: readonly string[], lines: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (stderr !== '') throw new Error(`${program} says: ${stderr}`);
  return stdout;
}

const quoted = (text: string): string => `'${text}'`;
