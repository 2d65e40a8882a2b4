import { classifyDiskError, describeDiskError, isDiskTrouble } from '../../base/disk-trouble.ts';
import { Problem } from '../../base/problem.ts';
import { expandAlias } from './aliases.ts';
import { commands } from './commands/index.ts';
import { readShell, type CliCommand, type Shell } from './command.ts';
import { printErrorLine, printErrorLines, printRemedy } from './print.ts';

/** Runs one command line and returns the exit code: 0 success, 1 failure, 2 wrong input. */
export async function runCli(argv: readonly string[], shell: Shell = readShell()): Promise<number> {
  try {
    return await runWords(expandAlias(argv.length === 0 ? ['watch'] : argv), shell);
  } catch (error) {
    return printProblem(error);
  }
}

/** A command's name alone needs no parser, whose loading takes as long as a short command's work. */
async function runWords(words: readonly string[], shell: Shell): Promise<number> {
  const bare = words.length === 1 ? commands.find((command) => isBare(command, words[0])) : undefined;
  if (bare !== undefined) return (await bare.load()).run({ args: [], options: {}, commands, ...shell });
  const { parseAndRun } = await import('./parse-and-run.ts');
  return parseAndRun(words, shell);
}

/** Whether a name is a whole command line: a command without arguments, none of whose options is on by default. */
const isBare = ({ usage, options = [] }: CliCommand, name: string | undefined): boolean =>
  usage === name && !options.some(([flags]) => flags.startsWith('--no-'));

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
