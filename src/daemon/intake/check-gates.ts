import { parseJson } from '../../base/json-object.ts';
import { createFault, toOneLine } from '../../base/fault.ts';
import type { GateCommand } from '../../contract/gate.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import type { TreeIndex } from '../git/tree-index.ts';
import type { Needs } from '../../wiring/services.ts';

/**
 * A gate of a contract that runs a new file must be red on the base, unless the contract says otherwise. A contract without
 * any gate is refused where the project demands one, and else gets a notice.
 */
export async function checkGates(
  services: Needs<'repository' | 'settings'>,
  contract: TaskContract,
  commit: string,
  branch: string,
  { byPath, folders }: TreeIndex,
) {
  const { gates, holdout } = contract;
  const scripts = await listScripts(services, commit);
  const base: BaseContent = {
    has: (path) => byPath.has(path) || folders.has(path),
    hasScript: (name) => scripts.includes(name),
  };
  const notices: string[] = [];
  const complete = (gate: GateCommand): GateCommand => {
    const missing = gate.mustFailBefore === undefined ? listMissingInputs(gate.run, base) : [];
    if (missing.length === 0) return gate;
    notices.push(
      `gate ${toOneLine(gate.name, 80)} runs ${missing.map((one) => toOneLine(one, 120)).join(', ')}, not on ${branch} yet: it must be red there and green after (must_fail_before)`,
    );
    return { ...gate, mustFailBefore: true };
  };
  const checked: TaskContract = {
    ...contract,
    gates: gates.map(complete),
    holdout: { ...holdout, gates: holdout.gates.map(complete) },
  };
  const { settings } = services;
  const ungated = settings.gates.length + gates.length + holdout.gates.length === 0;
  if (ungated && !settings.requireGates) notices.push(UNGATED);
  return { contract: checked, ungated, notices, faults: ungated && settings.requireGates ? [NO_GATE] : [] };
}

const UNGATED =
  'there is no gate, neither in this contract nor in the project: only the reviewers decide (the merge will say `Andon-Gates: none`)';

const NO_GATE = createFault(
  '$.gates',
  'no gate, neither here nor in the project',
  'at least one gate: the project demands it (`require_gates` in .andon/config.yaml)',
  '"gates": [{ "name": "test", "run": "npm test" }]',
);

/** The scripts of the base's package.json; none where it cannot be read. */
async function listScripts(services: Needs<'repository'>, commit: string): Promise<readonly string[]> {
  const bytes = (await services.repository.read(commit, ['package.json'])).get('package.json');
  const { scripts } = Object(parseJson(new TextDecoder().decode(bytes))) as { readonly scripts?: unknown };
  return Object.keys(Object(scripts) as object);
}

/** The files, folders and `package.json` scripts of a base. */
interface BaseContent {
  has(path: string): boolean;
  hasScript(name: string): boolean;
}

/**
 * What a gate's command runs and the base lacks: scripts, test files and folders of a runner, scripts of package.json.
 * Files that a command only reads (`grep`, `test -f`) do not count.
 */
export function listMissingInputs(command: string, base: BaseContent): readonly string[] {
  const found: string[] = [];
  let folder = '';
  for (const words of simpleCommands(command)) {
    const [program = '', ...args] = withoutPrefix(words);
    if (program === 'cd') folder = args[0] === undefined || !isPlain(args[0]) ? NOWHERE : joinFolder(folder, args[0]);
    if (folder === NOWHERE) return [...new Set(found)];
    for (const path of filesRun(program, args).map((one) => joinFolder(folder, one)))
      if (path !== '' && path !== NOWHERE && !base.has(path)) found.push(path);
    const script = folder === '' ? scriptRun(program, args) : undefined;
    if (script !== undefined && !base.hasScript(script)) found.push(`the script ${script} of package.json`);
  }
  return [...new Set(found)];
}

/** Programs that run the files and folders in their arguments. */
const RUNNERS =
  /^(?:(?:ba|da|z|k)?sh|source|\.|node|deno|bun|tsx|ts-node|python[\d.]*|pytest|py\.test|ruby|perl|php|vitest|jest|mocha|ava|tap|rspec|phpunit|bats|go)$/;
/** Subcommands of a runner, which are no files. */
const VERBS = ['run', 'test', 'exec', '--'];
/** Options whose next word is code, a module or an output path. */
const TAKES_WORD =
  /^-(?:[ecmprokOW]|-eval|-print|-require|-import|-config|-reporter|-outputFile|-output|-test-reporter)$/;
/** Words before a command that start it. */
const STARTERS = ['!', 'time', 'exec', 'env', 'command', 'npx', 'bunx', 'nice', '{', '('];
const STARTING_PAIRS = ['uv run', 'poetry run', 'bundle exec', 'pnpm exec', 'yarn exec', 'npm exec', 'deno task'];
/** A folder that cannot be determined. */
const NOWHERE = '\0';

/** The commands of a shell line as words without quotes; expansions stay unexpanded. */
function simpleCommands(command: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const token = /&&|\|\||[;|\n&]|[^\s;|&"']*(?:"(?:\\.|[^"\\])*"|'[^']*')[^\s;|&]*|[^\s;|&]+/g;
  for (const [word] of command.matchAll(token)) {
    if (/^(?:&&|\|\||[;|\n&])$/.test(word)) commands.push([]);
    else commands.at(-1)?.push(word.replaceAll(/["']/g, ''));
  }
  return commands.filter((words) => words.length > 0);
}

function withoutPrefix(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  if (STARTING_PAIRS.includes(`${first} ${second}`)) return withoutPrefix(words.slice(2));
  return STARTERS.includes(first) || /^[A-Za-z_]\w*=/.test(first) ? withoutPrefix(words.slice(1)) : words;
}

function filesRun(program: string, args: readonly string[]): readonly string[] {
  const own = program.includes('/') && isPlain(program) ? [program] : [];
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (!RUNNERS.test(name)) return own;
  const given = args.filter((word, at) => {
    const before = args[at - 1] ?? '';
    return (
      !word.startsWith('-') && !TAKES_WORD.test(before) && !VERBS.includes(word) && !/^\d*[<>]/.test(before + word)
    );
  });
  return [...own, ...given.filter((word) => isPlain(word) && looksLikePath(word)).map(withoutNode)];
}

/** A literal path, without special characters of shell or runner. */
const isPlain = (word: string): boolean =>
  !/[$*?[\]{}`~<>\\:@]/.test(word.replace(/::.*$/, '')) && !word.startsWith('/');

const looksLikePath = (word: string): boolean => /\/|\.[A-Za-z]{1,5}(?:::|$)/.test(word);

/** pytest names a test after two colons, go all packages below with three dots. */
const withoutNode = (word: string): string => word.replace(/::.*$/, '').replace(/\/?\.\.\.$/, '');

/** The path from the root; undefined for one outside it. */
function joinFolder(folder: string, path: string): string {
  const parts = [...folder.split('/'), ...path.split('/')].filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? NOWHERE : parts.join('/');
}

/** The package.json script that a command runs. */
function scriptRun(program: string, args: readonly string[]): string | undefined {
  if (!/^(?:npm|pnpm|yarn)$/.test(program)) return undefined;
  const [verb = '', name] = args.filter((word) => !word.startsWith('-'));
  if (verb === 'run' || verb === 'run-script') return name;
  return verb === 'test' || verb === 't' ? 'test' : undefined;
}
