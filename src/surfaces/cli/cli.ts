import { Command, CommanderError, Option } from 'commander';
import { classifyDiskError, describeDiskError, isDiskTrouble } from '../../base/disk-trouble.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { ALIASES, expandAlias } from './aliases.ts';
import { commandGroups, commands } from './commands/index.ts';
import { type CliCommand, readShell, type Shell } from './command.ts';
import { printErrorLine, printErrorLines, printRemedy } from './print.ts';
import { UnknownWord, checkWords } from './typed-words.ts';
import { VERSION } from './version.ts';

/** Runs one command line and returns the exit code: 0 success, 1 failure, 2 wrong input. */
export async function runCli(argv: readonly string[], shell: Shell = readShell()): Promise<number> {
  try {
    return await runWords(expandAlias(argv.length === 0 ? ['watch'] : argv), shell);
  } catch (error) {
    return printProblem(error);
  }
}

async function runWords(words: readonly string[], shell: Shell): Promise<number> {
  let exitCode = 0;
  const program = new Command('andon')
    .description('The factory line for AI coding agents that can be left alone.')
    .usage('<command> [options]')
    .version(VERSION, '--version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name(), showGlobalOptions: false })
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', AFTER_HELP);
  for (const { title, command } of commandsFor(words[0] ?? '')) {
    const sub = program.command(command.usage).description(command.description).helpGroup(`${title}:`);
    sub.helpOption('-h, --help', 'Show help');
    for (const [flags, text] of command.options ?? []) sub.option(flags, text);
    if (command.after !== undefined) sub.addHelpText('after', `\n${command.after}`);
    sub.exitOverride().action(async (...args: unknown[]) => {
      const options = args.at(-2) as Record<string, unknown>;
      refuseEmpty(sub, options);
      const attributeOf = (flags: string): string => new Option(flags).attributeName();
      const typed = checkWords(command, args.slice(0, -2), options, attributeOf);
      const loaded = await command.load();
      exitCode = await loaded.run({ ...typed, commands, ...shell });
    });
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof UnknownWord) {
      const { unknownWord } = await import('./usage-errors.ts');
      throw unknownWord(error.what, error.value, error.known, `andon ${words[0] ?? ''} --help`);
    }
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const { explainUsage } = await import('./explain-usage.ts');
    throw explainUsage(error, words);
  }
}

const AFTER_HELP = `
Other spellings:
${Object.entries(ALIASES)
  .map(([name, { words }]) => `  ${name.padEnd(11)} ${words.join(' ')}`)
  .join('\n')}

Without a command andon watches the repository you are in. \`andon <command> --help\` shows the options.
Exit codes: 0 success, 1 failure, 2 wrong input.`;

/** The typed command alone, for making all of them takes a while; all for the help and for an unknown name. */
function commandsFor(name: string): readonly { readonly title: string; readonly command: CliCommand }[] {
  const all = commandGroups.flatMap(({ title, commands: own }) => own.map((command) => ({ title, command })));
  const typed = all.filter(({ command }) => command.usage.split(' ', 1)[0] === name);
  return typed.length === 0 ? all : typed;
}

/** An empty value comes from an unset variable of a script; no option has a meaning for it. */
function refuseEmpty(command: Command, options: Record<string, unknown>): void {
  for (const option of command.options)
    if ([options[option.attributeName()]].flat().includes(''))
      throw createUsageError(
        `Empty value: ${option.long ?? option.flags}.`,
        `Run \`andon ${command.name()} --help\` to see its values.`,
      );
}

/** Prints an error with its remedy and returns the exit code. */
export function printProblem(error: unknown): number {
  if (error instanceof Problem) {
    printErrorLines(error.message);
    printRemedy(error.remedy);
    return error.exitCode;
  }
  if (error instanceof Error && isDiskTrouble(error.message)) {
    printErrorLine(`A disk fails: ${describeDiskError(classifyDiskError(error.message))}`);
    printRemedy(
      'Make room, raise the quota, mount it writable or close files, then retry. Nothing that was acknowledged is lost.',
    );
    return 1;
  }
  printErrorLines(`This is a bug in andon: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return 1;
}
