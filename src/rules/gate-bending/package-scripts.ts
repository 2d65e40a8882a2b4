import { objectIn } from '../../base/json-object.ts';

/** What stands in a package.json; nothing where it cannot be read. */
export const keysOf = (text: string | undefined): Readonly<Record<string, unknown>> =>
  objectIn<Record<string, unknown>>(text ?? '{}', []) ?? {};

/** The scripts of a package.json; none where it cannot be read. */
export function scriptsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  const { scripts } = keysOf(text);
  return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
}

/** Which scripts of a package.json a command runs. */
export interface ScriptsRun {
  readonly names: readonly string[];
  /** The folder of that package.json, seen from where the command runs; '' for this one. */
  readonly beside: string;
  /** Whether packages below it run theirs too. */
  readonly everyPackage: boolean;
}

/** The scripts that npm and its kin, or a runner of scripts, are told to run by these words. */
export function scriptsRun(program: string, words: readonly string[]): ScriptsRun {
  const at = words.findIndex((word) => FOLDER.test(word));
  return {
    names: namesIn(program, words),
    beside: at === -1 ? '' : (words[at + 1] ?? ''),
    everyPackage: words.some((word) => EVERY_PACKAGE.test(word)) || MONOREPO.test(program),
  };
}

function namesIn(program: string, words: readonly string[]): readonly string[] {
  if (program === 'node')
    return words.flatMap((word, at) =>
      word === '--run' ? [words[at + 1] ?? ''] : word.startsWith('--run=') ? [word.slice('--run='.length)] : [],
    );
  const bare = words.filter((word, at) => !word.startsWith('-') && !TAKES_A_WORD.test(words[at - 1] ?? ''));
  const [first = '', second = ''] = bare;
  if (MONOREPO.test(program) || RUNNER.test(program)) return bare.filter((word) => word !== 'run');
  if (/^(?:run|run-script|rum|urn)$/.test(first)) return [second];
  if (/^(?:t|tst|test)$/.test(first)) return program === 'bun' ? [] : ['test']; // bun has tests of its own
  if (/^(?:start|stop|restart)$/.test(first) || /^(?:yarn|pnpm)$/.test(program)) return [first];
  return [];
}

const FOLDER = /^(?:--prefix|-C|--cwd|--dir)$/;
const TAKES_A_WORD = /^(?:--prefix|-C|--cwd|--dir|-w|--workspace|-F|--filter)$/;
const EVERY_PACKAGE =
  /^(?:-w|-ws|-r|-F|--workspaces?|--recursive|--filter|--workspace=.*|--filter=.*|workspaces?|recursive)$/;
const MONOREPO = /^(?:turbo|nx|lerna|rush|ultra|wsrun)$/;
const RUNNER = /^(?:run-[spz]|npm-run-all2?|concurrently|wireit)$/;
