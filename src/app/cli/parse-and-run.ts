import { type Argument, Command, CommanderError, Option } from 'commander';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, type Problem } from '../../base/problem.ts';
import { ALIASES } from './aliases.ts';
import { commandGroups, commands } from './commands/index.ts';
import type { CliCommand, Shell, Invocation } from './command.ts';
import { VERSION } from './version.ts';
import {
  describeNearest,
  misplacedOption,
  missingArgument,
  runCommand,
  unexpectedArgument,
  unknownWord,
} from './usage-errors.ts';

/** Runs one command line as it is typed, with the parser of all commands. */
export async function parseAndRun(words: readonly string[], shell: Shell): Promise<number> {
  let exitCode = 0;
  const program = new Command('andon')
    .description('Run AI coding agents over your repository, unattended.')
    .usage('<command> [options]')
    .version(VERSION, '--version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name(), showGlobalOptions: false })
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', AFTER_HELP);
  const [name = ''] = words;
  if (/^[^-]/.test(name) && !commands.some((one) => isNamed(one, name))) throw unknownCommand(name); // also before --help
  for (const { title, command } of commandsFor(name)) {
    const sub = program.command(command.usage).description(command.description).helpGroup(`${title}:`);
    sub.helpOption('-h, --help', 'Show help');
    for (const [flags, text] of command.options ?? []) {
      const option = new Option(flags, text);
      refuseFaultyValues(sub, option);
      acceptWords(command, option, `value of ${option.long ?? flags}`, flags);
      sub.addOption(option);
    }
    for (const argument of sub.registeredArguments) acceptWords(command, argument, 'argument', `<${argument.name()}>`);
    if (command.after !== undefined) sub.addHelpText('after', `\n${command.after}`);
    sub.exitOverride().action(async (...args: unknown[]) => {
      const typed = { args: args.slice(0, -2), options: args.at(-2) as Invocation['options'] };
      refuseMisplaced(command, typed);
      const loaded = await command.load();
      exitCode = await loaded.run({ ...typed, commands, ...shell });
    });
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw explainUsage(error, words);
  }
}

const AFTER_HELP = `
Other spellings:
${Object.entries(ALIASES)
  .map(([name, words]) => `  ${name.padEnd(11)} ${words.join(' ')}`)
  .join('\n')}

Without a command andon watches the repository you are in. \`andon <command> --help\` shows the options.
Exit codes: 0 success, 1 failure, 2 wrong input, or a rule that could not be checked.`;

/** The typed command alone, for making all of them takes a while; all for the help and for an unknown name. */
function commandsFor(name: string): readonly { readonly title: string; readonly command: CliCommand }[] {
  const all = commandGroups.flatMap(({ title, commands: own }) => own.map((command) => ({ title, command })));
  const typed = all.filter(({ command }) => isNamed(command, name));
  return typed.length === 0 ? all : typed;
}

const isNamed = ({ usage }: CliCommand, name: string): boolean => firstWord(usage) === name;

/**
 * An empty value comes from an unset variable of a script. An option with one value may be repeated, but not with another
 * value: the last one would win unnoticed.
 */
function refuseFaultyValues(command: Command, option: Option): void {
  const name = option.long ?? option.flags;
  let before: string | undefined;
  command.on(`option:${option.name()}`, (value: string | null) => {
    if (value === null) return; // `--base` alone: an optional value that was left out
    if (value === '')
      throw createUsageError(`Empty value: ${name}.`, `Run \`andon ${command.name()} --help\` to see its values.`);
    if (!option.variadic && before !== undefined && before !== value)
      throw createUsageError(
        `${name} is given twice, with different values: ${[before, value].map((one) => toTerminalLine(one, 80)).join(' and ')}.`,
        `Give it once; \`andon ${command.name()} --help\` shows its values.`,
      );
    before = value;
  });
}

/**
 * Replaces a word by its spelling in a list (`<yaml|prose>`), in any case and with `-` for `_`; refuses all others. The
 * code of a command receives only known words.
 */
function acceptWords(
  { usage, refusesWords }: CliCommand,
  slot: Option | Argument,
  what: string,
  written: string,
): void {
  const known = /[<[]([^>\].]+)/.exec(written)?.[1]?.split('|') ?? [];
  if (known.length < 2 || refusesWords === true) return;
  slot.argParser((value: string, before: unknown) => {
    const word = known.find((one) => normalize(one) === normalize(value));
    if (word === undefined) throw unknownWord(what, value, known, `andon ${firstWord(usage)} --help`);
    return slot.variadic ? [...(Array.isArray(before) ? before : []), word] : word;
  });
}

const firstWord = (usage: string): string => usage.split(' ', 1)[0] ?? '';

const normalize = (word: string): string => word.toLowerCase().replaceAll('-', '_');

function unknownCommand(name: string): Problem {
  const known = [...commands.map(({ usage }) => firstWord(usage)), ...Object.keys(ALIASES)];
  return createUsageError(
    `Unknown command: ${name}.${describeNearest(name, known)}`,
    runCommand('andon --help', 'to see all commands'),
  );
}

/** The option (`With --cost: …`) or action (`stats: …`) without which an option would be ignored: its help begins with it. */
const OWNER = /^(?:With (?<flag>--[\w-]+)(?: (?<value>\w+))?|(?<action>[a-z]+)): /;

function refuseMisplaced(
  { usage, options: rows = [] }: CliCommand,
  { args, options }: Pick<Invocation, 'args' | 'options'>,
): void {
  const valueOf = (flags: string): unknown => options[new Option(flags).attributeName()] ?? false;
  const name = firstWord(usage);
  for (const [flags, text] of rows) {
    const owner = OWNER.exec(text)?.groups;
    if (owner === undefined || valueOf(flags) === false) continue;
    const option = firstWord(flags);
    const { flag, value, action = '' } = owner;
    if (flag === undefined) {
      if (args[0] !== action) throw misplacedOption(option, `andon ${name} ${action}`, `andon ${name} --help`);
    } else if (valueOf(flag) === false || (value !== undefined && valueOf(flag) !== value)) {
      const needed = value === undefined ? flag : `${flag} ${value}`;
      throw misplacedOption(option, needed, `andon ${name} --help`);
    }
  }
}

/** A command line that the parser refused: what failed, the value, and one command to paste. */
function explainUsage(
  { code, message }: { readonly code: string; readonly message: string },
  words: readonly string[],
): Problem {
  const name = words[0] ?? '';
  const command = commands.find((one) => isNamed(one, name));
  const help = command === undefined ? 'andon --help' : `andon ${name} --help`;
  const [, quoted = ''] = /'([^']*)'/.exec(message) ?? [];
  switch (code) {
    case 'commander.unknownCommand':
      return unknownCommand(quoted);
    case 'commander.unknownOption': {
      const known = (command?.options ?? []).map(([flags]) => firstWord(flags));
      return createUsageError(
        `Unknown option: ${quoted}.${describeNearest(quoted, known)}`,
        runCommand(help, 'to see its options'),
      );
    }
    case 'commander.missingArgument':
      return quoted === 'task'
        ? missingArgument('task id', 'andon list', 'to see all tasks')
        : missingArgument(quoted.replaceAll('|', ', '), help, 'to see what it takes');
    case 'commander.optionMissingArgument':
      return createUsageError(`Missing value: ${quoted}.`, runCommand(help, 'to see its options'));
    case 'commander.excessArguments':
      return unexpectedArgument([message.replace(/^.*but got \d+(?:: )?/s, '').replace(/\.$/, '')], help);
    default:
      return createUsageError(message.replace(/^error: /, ''), runCommand(help));
  }
}
