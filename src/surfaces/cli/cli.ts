import { Command, CommanderError } from 'commander';
import { isDiskTrouble } from '../../formats/disk-trouble.ts';
import { Problem } from '../../problems/problem.ts';
import { commands } from './commands/index.ts';
import { errorLine, remedyLine } from './print.ts';
import { VERSION } from './version.ts';

/** Runs one command line and gives back the exit code: 0 well, 1 not so, 2 the input was wrong. */
export async function runCli(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  // A reader that has left (`andon logs | head`) ends the output, not the work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const program = new Command('andon')
    .description('The factory line for AI coding agents that can be left alone.')
    .version(VERSION, '--version')
    .helpCommand(false)
    .showHelpAfterError('(andon --help lists the commands)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nWithout a command andon watches the repository you are in. Exit codes: 0 well, 1 not well, 2 wrong input.',
    );
  for (const command of commands) {
    const sub = program.command(command.usage).description(command.description);
    for (const [flags, text] of command.options ?? []) sub.option(flags, text);
    if (command.usage.includes('<task>'))
      sub.showHelpAfterError(`(andon list shows every task, andon ${sub.name()} --help the options)`);
    sub.exitOverride().action(async (...args: unknown[]) => {
      const options = args.at(-2) as Record<string, unknown>;
      const given = args.slice(0, -2);
      const loaded = await command.load();
      exitCode = await loaded.run({ args: given, options, cwd: whereTyped(), env: process.env });
    });
  }
  try {
    await program.parseAsync(argv.length === 0 ? ['watch'] : [...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error);
  }
}

/** `npm start -- …` runs in andon's own folder; the bootstrap says where the user typed. */
const whereTyped = (): string => process.env['ANDON_CWD'] ?? process.cwd();

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Problem) {
    errorLine(error.message);
    remedyLine(error.remedy);
    return error.exitCode;
  }
  if (error instanceof Error && isDiskTrouble(error.message)) {
    errorLine(`the disk takes no more: ${error.message}`);
    remedyLine('make room (or close files), then type it again; nothing that was acknowledged is lost');
    return 1;
  }
  errorLine(`this is a bug in andon: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return 1;
}
