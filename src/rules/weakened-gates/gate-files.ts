import { isScriptCalledTest, isTestPath, TOOLS } from './test-paths.ts';
import { parseJsonObject } from '../../base/json-object.ts';

export interface GateFiles {
  /** Files that define a gate: scripts that it runs, and what those run or load. */
  readonly definitions: ReadonlySet<string>;
  /** Scripts of package.json, with their `pre` and `post`. */
  readonly scripts: ReadonlySet<string>;
  /** Other files that definitions name, such as data: they are check files of the second look. */
  readonly named: ReadonlySet<string>;
}

/** The known part of the base: its paths, and the texts that were read so far. */
export interface Base {
  readonly paths: Pick<ReadonlySet<string>, 'has'>;
  readonly texts: ReadonlyMap<string, string>;
  /** The files that runners find by their names. */
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
  for (const gate of gates) search.command(gate, ['']);
  for (const path of base.configurations) search.open(path);
  return { gateFiles: search, wanted: [...search.wanted].filter((path) => !base.texts.has(path)) };
}

class GateFileSearch implements GateFiles {
  readonly definitions = new Set<string>();
  readonly scripts = new Set<string>();
  readonly named = new Set<string>();
  readonly wanted = new Set<string>();
  private readonly base: Base;
  private readonly done = new Set<string>();
  /** Where packages begin: product, wherever it is. */
  private readonly entries: ReadonlySet<string>;

  constructor(base: Base) {
    this.base = base;
    if (base.paths.has('package.json')) this.wanted.add('package.json');
    this.entries = new Set(
      [...base.texts].flatMap(([path, text]) => (/(?:^|\/)package\.json$/.test(path) ? entriesOf(path, text) : [])),
    );
  }

  /** A command line, or a script of the shell, which runs in one of the folders. */
  command(text: string, folders: readonly string[]): void {
    const key = `\0${text}`; // no path
    if (text.length > LONGEST || this.done.has(key) || this.done.size > MOST_FILES) return;
    this.done.add(key);
    const words = wordsOf(text);
    const ran = new Set([...text.matchAll(PROGRAM), ...text.matchAll(INTERPRETED)].map(([, file = '']) => file));
    // Code that a command only names is the product that it checks.
    const meant = words.filter((word) => ran.has(word) || isTool(word) || !RUNS.test(word));
    const entered = [...text.matchAll(ENTERS)].map(([, to, other]) => joinPath('', to ?? other ?? ''));
    const places = [...new Set([...folders, ...entered])].slice(0, MOST_FOLDERS);
    const ends = /\bpython/.test(text) ? ['', ...MODULE_ENDS] : [''];
    for (const place of places) {
      for (const word of meant) this.meet(word, place, ends, ran.has(word));
      for (const file of MAKE.test(text) ? MAKEFILES : []) this.open(joinPath(place, file));
    }
    if (PACKAGE_RUNNER.test(text)) for (const place of places) this.packageScripts(words, place);
  }

  /** A file that decides; its text is followed once it is known. */
  open(path: string): void {
    if (!this.base.paths.has(path)) return;
    this.wanted.add(path);
    const text = this.base.texts.get(path);
    if (text === undefined || text.length > LONGEST || this.done.has(path)) return;
    this.done.add(path);
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const isShell = /\.(?:ba|z)?sh$|\.mk$/.test(path) || MAKEFILES.includes(path.slice(path.lastIndexOf('/') + 1));
    if (isShell || /^#!.*\b(?:ba|da|z)?sh\b/.test(text)) return this.command(text, ['', folder]);
    const ends = path.endsWith('.py') ? ['', ...MODULE_ENDS] : ENDS;
    for (const word of wordsOf(text)) for (const place of new Set([folder, ''])) this.meet(word, place, ends);
  }

  /** A word that may be a path: nothing where the base has no such file, or where it is product or prose. */
  private meet(word: string, folder: string, ends: readonly string[], isRun = false): void {
    for (const end of ends) {
      const path = joinPath(folder, MODULE_ENDS.includes(end) ? word.replaceAll('.', '/') + end : word + end);
      if (!this.base.paths.has(path) || isProduct(path) || this.entries.has(path) || PROSE.test(path)) continue;
      if (this.definitions.size + this.named.size > MOST_FILES) return;
      const isTest = this.isTest(path);
      const isDefinition = (isTool(path) || (isRun && end === '' && RUNS.test(path))) && !isTest;
      (isDefinition ? this.definitions : this.named).add(path);
      // The files that a test names may be the product.
      if (!isTest && (isDefinition || RUNS.test(path))) this.open(path);
    }
  }

  private isTest(path: string): boolean {
    if (!isTestPath(path)) return false;
    if (!isScriptCalledTest(path, '')) return true;
    this.wanted.add(path);
    const text = this.base.texts.get(path);
    return text === undefined || !isScriptCalledTest(path, text);
  }

  private packageScripts(words: readonly string[], folder: string): void {
    const path = joinPath(folder, 'package.json');
    this.wanted.add(path);
    const scripts = scriptsOf(this.base.texts.get(path) ?? this.base.texts.get('package.json'));
    for (const word of words) {
      const name = /^(?:t|tst)$/.test(word) ? 'test' : word.replace(/^npm:/, '');
      for (const meant of Object.keys(scripts).filter((one) => one === name || isBelow(one, name)))
        for (const hook of [`pre${meant}`, meant, `post${meant}`]) {
          this.scripts.add(hook);
          this.command(scripts[hook] ?? '', [folder]);
        }
    }
  }
}

/** `build:*` names every script of that beginning. */
const isBelow = (script: string, name: string): boolean => name.endsWith('*') && script.startsWith(name.slice(0, -1));

/** Longer texts, and more files, are of the product. */
const LONGEST = 100_000;
const MOST_FILES = 500;
const MOST_FOLDERS = 8;

/** Words that may be paths; a folder that only a variable knows is taken for the file's own. */
const wordsOf = (text: string): readonly string[] => {
  const plain = text.replaceAll(/\$(?:\{[^}\n]{1,40}\}|\([^)\n]{1,60}\)|\w+)"?\/|<rootDir>\//g, './');
  return [...new Set((plain.match(/[\w.@:*/-]+/g) ?? []).map((word) => word.replace(/^\/+/, '')))];
};

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

const SETS_UP = /(?:setup|teardown|reporter|environment)[\w-]*\.\w+$/i;

/** A tool by its folder, or by a name that the product does not have. */
const isTool = (path: string): boolean =>
  TOOLS.test(path) ||
  /check|test|spec|gate|lint|verif|runner|harness|assert|setup|teardown|reporter|hook|rules?\b|plugin|\.(?:ba|z)?sh$|\.mk$/i.test(
    path.slice(path.lastIndexOf('/') + 1),
  );

/** The first word of a command, and the file that an interpreter is given. */
const PROGRAM =
  /(?:^|[;&|(`"'\n]|\b(?:exec|time|env|then|do|else)[ \t])[ \t@+-]*(?:\w+=\S*[ \t]+){0,9}["']?([\w./-]+)/g;
const INTERPRETED =
  /\b(?:(?:ba|da|z|k)?sh|node|python[\d.]*|ruby|perl|php|tsx|ts-node|deno|bun|source)[ \t]+(?:(?:-[\w-]+(?:=\S+)?|run)[ \t]+){0,9}(?=["']?([\w./-]+))/g;
const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile', '.justfile'];
const MAKE = /\b(?:g?make|just)\b/;
const ENTERS =
  /\b(?:cd|pushd)\s+["']?([\w./-]+)|(?:^|\s)(?:-C|-w|--prefix|--cwd|--dir|--directory|--workspace)[ =]([\w./-]+)/g;
const PACKAGE_RUNNER =
  /\b(?:npm|pnpm|yarn|bun|turbo|nx|lerna|rush|ultra|wsrun|run-[spz]|npm-run-all2?|concurrently|wireit)\b|--run\b/;
/** Files that may name others in turn. */
const RUNS = /\.(?:[cm]?[jt]s|(?:ba|z)?sh|py|rb|pl)$/;
const PROSE = /\.(?:md|markdown|rst)$/i;
const ENDS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.tsx', '.json', '/index.js', '/index.ts'];
/** A dotted name of Python's. */
const MODULE_ENDS = ['.py', '/__main__.py', '/__init__.py'];

export const keysOf = (text: string | undefined): Readonly<Record<string, unknown>> =>
  parseJsonObject<Record<string, unknown>>(text ?? '{}', []) ?? {};

/** The modules that a package.json offers to others. */
function entriesOf(path: string, text: string): readonly string[] {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const { main = 'index.js', module, browser, exports } = keysOf(text);
  const stringsIn = (value: unknown): readonly string[] =>
    typeof value === 'string'
      ? [value]
      : Object.values(Object(value ?? {}) as Record<string, unknown>).flatMap((inner) => stringsIn(inner));
  return [main, module, browser, exports].flatMap((value) =>
    stringsIn(value).flatMap((entry) => ['', '.js', '/index.js'].map((end) => joinPath(folder, entry + end))),
  );
}

export function scriptsOf(text: string | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(Object(keysOf(text)['scripts']) as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
