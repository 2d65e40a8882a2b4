import { Command, CommanderError } from 'commander';
import { diskTrouble, diskTroubleInWords, isDiskTrouble } from '../../base/disk-trouble.ts';
import { forOneLine, forTerminal } from '../../base/plain-text.ts';
import { Problem, mistake } from '../../base/problem.ts';
import { commands } from './commands/index.ts';
import type { CliCommand } from './command.ts';
import { errorLine, errorLines, remedyLine } from './print.ts';
import { thisShell } from './shell.ts';
import type { Shell } from './shell.ts';
import { VERSION } from './version.ts';

/** Runs one command line and gives back the exit code: 0 well, 1 not so, 2 the input was wrong. */
export async function runCli(argv: readonly string[], shell: Shell = thisShell()): Promise<number> {
  let exitCode = 0;
  const program = new Command('andon')
    .description('The factory line for AI coding agents that can be left alone.')
    .version(VERSION, '--version')
    .helpCommand(false)
    .showHelpAfterError('(andon --help lists the commands)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${mistyped(text)}\n`) })
    .addHelpText(
      'after',
      '\nWithout a command andon watches the repository you are in. Exit codes: 0 well, 1 not well, 2 wrong input.',
    );
  for (const command of typed(argv[0] ?? 'watch')) {
    const sub = program.command(command.usage).description(command.description);
    for (const [flags, text] of command.options ?? []) sub.option(flags, text);
    if (command.after !== undefined) sub.addHelpText('after', `\n${command.after}`);
    if (command.usage.includes('<task>'))
      sub.showHelpAfterError(`(andon list shows every task, andon ${sub.name()} --help the options)`);
    sub.exitOverride().action(async (...args: unknown[]) => {
      const options = args.at(-2) as Record<string, unknown>;
      const given = args.slice(0, -2);
      refuseEmpty(sub, options);
      const loaded = await command.load();
      exitCode = await loaded.run({ args: given, options, commands, ...shell });
    });
  }
  try {
    await program.parseAsync(argv.length === 0 ? ['watch'] : [...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return printProblem(error);
  }
}

/** The command that was typed; all of them for the help, and for a name that is none. To make one takes a while. */
function typed(name: string): readonly CliCommand[] {
  const found = commands.filter(({ usage }) => usage.split(' ', 1)[0] === name);
  return found.length === 0 ? commands : found;
}

/** A value of nothing is a variable of a script that was not set; no option means anything by it. */
function refuseEmpty(command: Command, options: Record<string, unknown>): void {
  for (const option of command.options)
    if ([options[option.attributeName()]].flat().includes(''))
      throw mistake(
        `${option.long ?? option.flags} was given an empty value`,
        `give it one, or leave it out; andon ${command.name()} --help says what it takes`,
      );
}

/** What commander says of a command line that it cannot read; its own suggestion is the only line break in it. */
function mistyped(text: string): string {
  const [, said = '', suggested = ''] = /^([^]*?)(\n\(Did you mean [^\n]*\?\))?\n*$/.exec(text) ?? [];
  return `${forOneLine(said)}${forTerminal(suggested)}`;
}

/** Prints what went wrong and what to do about it; the exit code. */
export function printProblem(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Problem) {
    errorLines(error.message);
    remedyLine(error.remedy);
    return error.exitCode;
  }
  if (error instanceof Error && isDiskTrouble(error.message)) {
    errorLine(`a disk fails: ${diskTroubleInWords(diskTrouble(error.message))}`);
    remedyLine(
      'put that right (make room, raise the quota, mount it writable, close files), then type it again; nothing that was acknowledged is lost',
    );
    return 1;
  }
  errorLines(`this is a bug in andon: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return 1;
}
