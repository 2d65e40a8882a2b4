import { isObeyed, partOf } from './configurations.ts';
import { MAKEFILES, targetsReached } from './make-targets.ts';
import { scriptsOf } from './package-keys.ts';
import { isTestPath } from './test-paths.ts';

/** The files of the base by which gates decide. */
export interface GateFiles {
  /** Files that define a gate: scripts that it runs, and what those run or load. */
  readonly definitions: ReadonlySet<string>;
  /** Scripts of package.json, with their `pre` and `post`. */
  readonly scripts: ReadonlySet<string>;
  /** Packages below the root count as well. */
  readonly everyPackage: boolean;
  /** Targets of make and just; an empty name is the first one. */
  readonly targets: ReadonlySet<string>;
  /** The folders in which they are made. */
  readonly makeFolders: ReadonlySet<string>;
  /** Other files that definitions name, such as data: they judge when gates are asked twice. */
  readonly named: ReadonlySet<string>;
  /** Files that are not there, and that Python would run in place of an installed module. */
  readonly shadows: ReadonlySet<string>;
  /** The base names of all words in commands: the programs at work. */
  readonly words: ReadonlySet<string>;
}

/** The known part of the base: its paths, and the texts that were read so far. */
export interface Base {
  readonly paths: Pick<ReadonlySet<string>, 'has'>;
  readonly texts: ReadonlyMap<string, string>;
  /** The files that runners and checkers find by their names. */
  readonly configurations: readonly string[];
}

/**
 * Follows the words of the gates' commands that are paths of the base, and the words of those files in turn. `wanted` are
 * files to read before the next call follows further.
 */
export function findGateFiles(
  gates: readonly string[],
  base: Base,
): { readonly gateFiles: GateFiles; readonly wanted: readonly string[] } {
  const search = new GateFileSearch(base);
  for (const gate of gates) search.command(gate, '');
  for (const path of base.configurations)
    if (partOf(path) === undefined && isObeyed(path, search.words)) search.open(path);
  return { gateFiles: search, wanted: [...search.wanted].filter((path) => !base.texts.has(path)) };
}

class GateFileSearch implements GateFiles {
  readonly definitions = new Set<string>();
  readonly scripts = new Set<string>();
  readonly targets = new Set<string>();
  readonly makeFolders = new Set<string>();
  readonly named = new Set<string>();
  readonly shadows = new Set<string>();
  readonly words = new Set<string>();
  readonly wanted = new Set<string>();
  everyPackage = false;
  private readonly base: Base;
  private readonly done = new Set<string>();

  constructor(base: Base) {
    this.base = base;
  }

  /** A command line, a recipe or a script of the shell. */
  command(text: string, folder: string): void {
    const key = `${folder}\0${text}`;
    if (text.length > LONGEST || this.done.has(key) || this.done.size > MOST_FILES) return;
    this.done.add(key);
    const plain = withoutVariables(text);
    const words = wordsOf(plain);
    for (const word of words) this.words.add(word.slice(word.lastIndexOf('/') + 1));
    const entered = [...text.matchAll(ENTERS)].map(([, to, other]) => joinPath(folder, to ?? other ?? ''));
    for (const here of [folder, ...entered]) {
      for (const [, file = ''] of [...plain.matchAll(PROGRAM), ...plain.matchAll(INTERPRETED)])
        this.meet(joinPath(here, file), 'run');
      for (const [, file = ''] of plain.matchAll(FLAGGED)) this.meet(joinPath(here, file), 'loaded');
      for (const [, name = ''] of text.matchAll(MODULE)) this.module(joinPath(here, name.replaceAll('.', '/')));
      if (PACKAGE_RUNNER.test(text)) this.packageScripts(text, words, here);
      if (MAKE.test(text)) this.makeTargets(words, here);
    }
  }

  /** A file that decides; its text is followed once it is known. */
  open(path: string): void {
    this.wanted.add(path);
    const text = this.base.texts.get(path);
    if (text === undefined || text.length > LONGEST || this.done.has(path)) return;
    this.done.add(path);
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const isShell = SHELL.test(path) || /^#!.*\b(?:ba|da|z)?sh\b/.test(text);
    if (isShell) for (const from of ['', folder]) this.command(text, from);
    for (const word of [...wordsOf(withoutVariables(text)), ...(path.endsWith('.py') ? pythonModules(text) : [])])
      for (const place of new Set([joinPath(folder, word), joinPath('', word)]))
        for (const end of word.startsWith('.') && !isShell ? ENDS : [''])
          if (place + end !== path) this.meet(place + end);
  }

  /** A path in a text: nothing where the base has no such file, or where it is product or prose. */
  private meet(path: string, how: 'run' | 'loaded' | 'named' = 'named'): void {
    if (!this.base.paths.has(path) || isProduct(path) || PROSE.test(path)) return;
    if (this.definitions.size + this.named.size > MOST_FILES) return;
    const runs = RUNS.test(path) || (how === 'run' && path.includes('/') && !/\.\w+$/.test(path));
    const defines = how === 'loaded' || (how === 'run' ? runs : isTool(path));
    (defines && !isTestPath(path) ? this.definitions : this.named).add(path);
    // The files that a test names may be the product.
    if ((runs || defines) && !isTestPath(path)) this.open(path);
  }

  private module(place: string): void {
    const files = [`${place}.py`, `${place}/__main__.py`, `${place}/__init__.py`];
    if (files.some((path) => this.base.paths.has(path)))
      for (const path of files.filter(isTool)) this.meet(path, 'run');
    else if (!place.includes('/')) for (const path of files) this.shadows.add(path);
  }

  private packageScripts(text: string, words: readonly string[], folder: string): void {
    const path = joinPath(folder, 'package.json');
    this.wanted.add(path);
    if (folder !== '' || EVERY_PACKAGE.test(text)) this.everyPackage = true;
    const scripts = scriptsOf(this.base.texts.get(path) ?? this.base.texts.get('package.json'));
    const wanted = words.map((word) => (/^(?:t|tst)$/.test(word) ? 'test' : word.replace(/^npm:/, '')));
    const isMeant = (name: string): boolean =>
      wanted.some((word) => word === name || (word.endsWith('*') && name.startsWith(word.slice(0, -1))));
    for (const name of Object.keys(scripts).filter(isMeant))
      for (const hook of [`pre${name}`, name, `post${name}`]) {
        this.scripts.add(hook);
        this.command(scripts[hook] ?? '', folder);
      }
    // A script that is not there yet is named by the command itself.
    for (const [, name = ''] of text.matchAll(/\b(?:run|--run)[ =]([\w:.-]+)/g)) this.scripts.add(name);
  }

  private makeTargets(words: readonly string[], folder: string): void {
    this.makeFolders.add(folder);
    for (const file of MAKEFILES.map((name) => joinPath(folder, name)).filter((path) => this.base.paths.has(path))) {
      this.wanted.add(file);
      const own = this.base.texts.get(file);
      if (own === undefined) continue;
      const parts = [...own.matchAll(INCLUDES)]
        .flatMap(([, names = '']) => names.split(/\s+/))
        .map((name) => joinPath(folder, name.replace(/^["']|["']$/g, '')))
        .filter((path) => this.base.paths.has(path));
      for (const part of parts) {
        this.definitions.add(part);
        this.wanted.add(part);
      }
      const text = [own, ...parts.map((part) => this.base.texts.get(part) ?? '')].join('\n');
      const named = targetsReached(text, words);
      if (named.length === 0) this.targets.add('');
      for (const target of named.length === 0 ? targetsReached(text, ['']) : named) {
        this.targets.add(target.name);
        this.command(target.text.replaceAll(/\$[({]MAKE[)}]/g, 'make').replace(/^.*\n?/, ''), folder);
      }
    }
  }
}

/** Longer texts, and more files, are of the product. */
const LONGEST = 100_000;
const MOST_FILES = 500;

/** A folder that only a variable knows is taken for the file's own. */
const withoutVariables = (text: string): string =>
  text.replaceAll(/\$(?:\{[^}\n]{1,40}\}|\([^)\n]{1,60}\)|\w+)"?\/|<rootDir>\//g, './');

/** Words that may be paths. */
const wordsOf = (text: string): readonly string[] => [
  ...new Set((text.match(/[\w.@:*/-]+/g) ?? []).map((word) => word.replace(/^\/+/, ''))),
];

const pythonModules = (text: string): readonly string[] =>
  [...text.matchAll(/^[ \t]*(?:from[ \t]+\.?([\w.]{1,200})[ \t]+import|import[ \t]+([\w.]{1,200}))/gm)].flatMap(
    ([, from, name]) => {
      const place = (from ?? name ?? '').replaceAll('.', '/');
      return [`${place}.py`, `${place}/__init__.py`];
    },
  );

/** A path from a folder, without `./` and `../`. */
function joinPath(folder: string, written: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${written}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** A gate that runs the product does not make it a definition. */
const isProduct = (path: string): boolean =>
  /(?:^|\/)(?:src|lib|app|cmd|internal|docs|public|examples?)\//.test(path) && !TOOLS.test(path) && !SETS_UP.test(path);

const TOOLS = /(?:^|\/)(?:scripts?|tools?|tooling|ci|\.ci|build|hack|dev|\.?config|gates?|checks?|qa|mk)\//;

/** A file that another one loads is a tool by its folder, or by a name that the product does not have. */
const isTool = (path: string): boolean =>
  TOOLS.test(path) ||
  /check|test|spec|gate|lint|verif|runner|harness|assert|setup|teardown|reporter|environment|preset|config|\bbase\b|hook|rules?\b|plugin|fixture|mock|loader|register/i.test(
    path.slice(path.lastIndexOf('/') + 1),
  );

const SETS_UP = /(?:setup|teardown|reporter|environment)[\w-]*\.\w+$/i;
const FLAGGED =
  /(?:^|\s)(?:-[cfrp]|--(?:config|file|require|import|project|rcfile|configuration|settings|setup|conf))[ =]["']?([\w./-]+)/g;
/** The first word of a command, and the file that an interpreter is given. */
const PROGRAM =
  /(?:^|[;&|(`"'\n]|\b(?:exec|time|env|then|do|else)[ \t])[ \t@+-]*(?:\w+=\S*[ \t]+){0,9}["']?([\w./-]+)/g;
const INTERPRETED =
  /(?:\b(?:(?:ba|da|z|k)?sh|node|nodejs|python[\d.]*|ruby|perl|php|tsx|ts-node|deno|bun|source|Rscript)|(?<![\w./])\.)[ \t]+(?:(?:-[\w-]+(?:=\S+)?|run)[ \t]+){0,9}(?=["']?([\w./-]+))/g;
const ENTERS = /\b(?:cd|pushd)\s+["']?([\w./-]+)|(?:^|\s)(?:-C|--prefix|--cwd|--dir|--directory)[ =]([\w./-]+)/g;
const MODULE = /\bpython[\d.]*\s+(?:-\w\s+)*-m\s+([\w.]+)/g;
const PACKAGE_RUNNER =
  /\b(?:npm|pnpm|yarn|bun|turbo|nx|lerna|rush|ultra|wsrun|run-[spz]|npm-run-all2?|concurrently|wireit)\b|--run\b/;
const EVERY_PACKAGE =
  /(?:^|\s)(?:-w|-ws|-r|-F|--workspaces?|--recursive|--filter)\b|\b(?:workspaces?|recursive|turbo|nx|lerna|rush|ultra|wsrun)\b/;
const MAKE = /\b(?:g?make|just|task|invoke|rake)\b/;
const INCLUDES = /^(?:-|s)?(?:include|import\??|mod)[ \t]+(.{1,500})$/gm;
const SHELL = /\.(?:sh|bash|zsh)$/;
/** Files that may name others in turn. */
const RUNS = /\.(?:[cm]?[jt]s|sh|bash|zsh|py|rb|pl)$/;
const PROSE = /\.(?:md|markdown|rst)$/i;
const ENDS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.tsx', '.json', '/index.js', '/index.ts'];
