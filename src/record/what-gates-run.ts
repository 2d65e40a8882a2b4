/** What there is on a base: files and folders, and the scripts of its `package.json`. */
export interface BaseContent {
  has(path: string): boolean;
  hasScript(name: string): boolean;
}

/**
 * What a gate's command runs and is not on the base yet: scripts, test files and folders that a runner is given, scripts
 * of package.json. What a command only looks at (`grep`, `test -f`) is nothing that it runs.
 */
export function notYetThere(command: string, base: BaseContent): readonly string[] {
  const found: string[] = [];
  let folder = '';
  for (const words of simpleCommands(command)) {
    const [program = '', ...args] = withoutPrefix(words);
    if (program === 'cd') folder = args[0] === undefined || !isPlain(args[0]) ? NOWHERE : inFolder(folder, args[0]);
    if (folder === NOWHERE) return [...new Set(found)];
    for (const path of filesRun(program, args).map((one) => inFolder(folder, one)))
      if (path !== '' && path !== NOWHERE && !base.has(path)) found.push(path);
    const script = folder === '' ? scriptRun(program, args) : undefined;
    if (script !== undefined && !base.hasScript(script)) found.push(`the script ${script} of package.json`);
  }
  return [...new Set(found)];
}

/** Programs that run the files and folders which they are given. */
const RUNNERS =
  /^(?:(?:ba|da|z|k)?sh|source|\.|node|deno|bun|tsx|ts-node|python[\d.]*|pytest|py\.test|ruby|perl|php|vitest|jest|mocha|ava|tap|rspec|phpunit|bats|go)$/;
/** Words of a runner that are no file: what it shall do with what follows. */
const VERBS = ['run', 'test', 'exec', '--'];
/** Options whose next word is code, a module or a place to write to. */
const TAKES_WORD =
  /^-(?:[ecmprokOW]|-eval|-print|-require|-import|-config|-reporter|-outputFile|-output|-test-reporter)$/;
/** Words before a command that start it. */
const STARTERS = ['!', 'time', 'exec', 'env', 'command', 'npx', 'bunx', 'nice', '{', '('];
const STARTING_PAIRS = ['uv run', 'poetry run', 'bundle exec', 'pnpm exec', 'yarn exec', 'npm exec', 'deno task'];
/** A folder that cannot be known. */
const NOWHERE = '\0';

/** The commands of a line of shell, in words without their quotes; what is built while it runs stays as it stands. */
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

/** A path as it stands: nothing that the shell, or a runner, makes something else of. */
const isPlain = (word: string): boolean =>
  !/[$*?[\]{}`~<>\\:@]/.test(word.replace(/::.*$/, '')) && !word.startsWith('/');

/** A name with an ending, or with a folder. */
const looksLikePath = (word: string): boolean => /\/|\.[A-Za-z]{1,5}(?:::|$)/.test(word);

/** pytest names a test behind two colons, go all packages below by three dots. */
const withoutNode = (word: string): string => word.replace(/::.*$/, '').replace(/\/?\.\.\.$/, '');

/** The path from the root; what leads out of it cannot be known. */
function inFolder(folder: string, path: string): string {
  const parts = [...folder.split('/'), ...path.split('/')].filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? NOWHERE : parts.join('/');
}

/** The script of package.json that a command runs. */
function scriptRun(program: string, args: readonly string[]): string | undefined {
  if (!/^(?:npm|pnpm|yarn)$/.test(program)) return undefined;
  const [verb = '', name] = args.filter((word) => !word.startsWith('-'));
  if (verb === 'run' || verb === 'run-script') return name;
  return verb === 'test' || verb === 't' ? 'test' : undefined;
}
