/** The files, folders and `package.json` scripts of a base. */
export interface BaseContent {
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

/** The path from the root; `NOWHERE` for one outside it. */
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
