import { Command, CommanderError, Option } from 'commander';
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
    for (const [flags, text] of command.options ?? []) sub.option(flags, text);
    refuseContradictions(sub);
    if (command.after !== undefined) sub.addHelpText('after', `\n${command.after}`);
    sub.exitOverride().action(async (...args: unknown[]) => {
      const options = args.at(-2) as Record<string, unknown>;
      refuseEmpty(sub, options);
      const typed = await checkWords(command, args.slice(0, -2), options);
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
  .map(([name, { words }]) => `  ${name.padEnd(11)} ${words.join(' ')}`)
  .join('\n')}

Without a command andon watches the repository you are in. \`andon <command> --help\` shows the options.
Exit codes: 0 success, 1 failure, 2 wrong input, or a check that could not be made.`;

/** The typed command alone, for making all of them takes a while; all for the help and for an unknown name. */
function commandsFor(name: string): readonly { readonly title: string; readonly command: CliCommand }[] {
  const all = commandGroups.flatMap(({ title, commands: own }) => own.map((command) => ({ title, command })));
  const typed = all.filter(({ command }) => isNamed(command, name));
  return typed.length === 0 ? all : typed;
}

const isNamed = ({ usage }: CliCommand, name: string): boolean => usage.split(' ', 1)[0] === name;

/** An option with one value may be repeated, but not with another value: the last one would win unnoticed. */
function refuseContradictions(command: Command): void {
  for (const option of command.options) {
    if (option.variadic || !(option.required || option.optional)) continue;
    let before: string | undefined;
    command.on(`option:${option.name()}`, (value: string | null) => {
      if (value === null) return; // `--base` alone: an optional value that was left out
      if (before !== undefined && before !== value) throw createContradiction(command, option, [before, value]);
      before = value;
    });
  }
}

const createContradiction = (command: Command, option: Option, values: readonly string[]): Problem =>
  createUsageError(
    `${option.long ?? option.flags} is given twice, with different values: ${values.map((value) => toTerminalLine(value, 80)).join(' and ')}.`,
    `Give it once; \`andon ${command.name()} --help\` shows its values.`,
  );

/** An empty value comes from an unset variable of a script; no option has a meaning for it. */
function refuseEmpty(command: Command, options: Record<string, unknown>): void {
  for (const option of command.options)
    if ([options[option.attributeName()]].flat().includes(''))
      throw createUsageError(
        `Empty value: ${option.long ?? option.flags}.`,
        `Run \`andon ${command.name()} --help\` to see its values.`,
      );
}

/**
 * Replaces each word that the usage of a command lists (`<yaml|prose>`) by its listed spelling, in any case and with `-`
 * for `_`; refuses all others. The code of a command receives only known words.
 */
async function checkWords(
  { usage, options: rows = [], refusesWords }: CliCommand,
  args: readonly unknown[],
  options: Invocation['options'],
): Promise<Pick<Invocation, 'args' | 'options'>> {
  if (refusesWords === true) return { args, options };
  const [name = '', ...slots] = splitSlots(usage);
  const check = async (what: string, slot: string, value: unknown): Promise<unknown> => {
    const known = slot.includes('|') ? slot.replaceAll(/[<>[\].]/g, '').split('|') : [];
    if (known.length > 0 && Array.isArray(value)) return Promise.all(value.map((one) => check(what, slot, one)));
    if (known.length === 0 || typeof value !== 'string') return value;
    const word = known.find((one) => normalize(one) === normalize(value));
    if (word !== undefined) return word;
    throw unknownWord(what, value, known, `andon ${name} --help`);
  };
  const checked: Record<string, unknown> = { ...options };
  for (const [flags] of rows) {
    const key = new Option(flags).attributeName();
    const [flag = '', slot = ''] = splitSlots(flags);
    if (options[key] !== undefined) checked[key] = await check(`value of ${flag}`, slot, options[key]);
  }
  return {
    args: await Promise.all(args.map((value, at) => check('argument', slots[at] ?? '', value))),
    options: checked,
  };
}

const splitSlots = (usage: string): readonly string[] => usage.split(/ (?=[<[])/);

const normalize = (word: string): string => word.toLowerCase().replaceAll('-', '_');

function unknownCommand(name: string): Problem {
  const known = [...commands.map(({ usage }) => usage.split(' ')[0] ?? ''), ...Object.keys(ALIASES)];
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
  const [name = ''] = splitSlots(usage);
  for (const [flags, text] of rows) {
    const owner = OWNER.exec(text)?.groups;
    if (owner === undefined || valueOf(flags) === false) continue;
    const [option = ''] = splitSlots(flags);
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
      const known = (command?.options ?? []).map(([flags]) => flags.split(' ', 1)[0] ?? '');
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
