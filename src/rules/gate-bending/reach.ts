import { besideShell, included, namedIn, isProduct, join, ledTo, moduleOf } from './led-to.ts';
import { isObeyed } from './configurations.ts';
import { MAKEFILES, targetsReached } from './make-targets.ts';
import { baseName, commandsIn, fileBehind } from './shell-commands.ts';
import { scriptsOf, scriptsRun } from './package-scripts.ts';
import { tokensOf } from './tokens.ts';
import { isTestPath } from './test-paths.ts';

/** What the gates lead to on the base: the definition of what decides about a change. */
export interface Reach {
  /** Scripts of package.json, with their `pre` and `post`. */
  readonly scripts: ReadonlySet<string>;
  /** Packages below the root count as well. */
  readonly everyPackage: boolean;
  /** Targets of make, just and task; an empty name is the first one. */
  readonly targets: ReadonlySet<string>;
  /** The folders in which they are made. */
  readonly makeFolders: ReadonlySet<string>;
  /** Files that are run, or that a flag names as configuration, and what those lead to. */
  readonly files: ReadonlySet<string>;
  /** Files that are not there and would be run in place of what is installed. */
  readonly shadows: ReadonlySet<string>;
  /** Files that those name, such as what they read, and that are not the product: they judge when gates are asked twice. */
  readonly named: ReadonlySet<string>;
  /** Every word of every command, to know which programs work. */
  readonly words: ReadonlySet<string>;
}

/** What is known of the base: its paths, and the texts that were read so far. */
export interface Base {
  readonly paths: Pick<ReadonlySet<string>, 'has'>;
  readonly texts: ReadonlyMap<string, string>;
  /** The files that runners and checkers find by their names. */
  readonly configurations: readonly string[];
}

/** Follows the gates' commands through scripts, targets and the files that they run; `wanted` is what must be read to follow further. */
export function reachOf(
  gates: readonly string[],
  base: Base,
): { readonly reach: Reach; readonly wanted: readonly string[] } {
  const walk: Walk = {
    base,
    scripts: new Set(),
    targets: new Set(),
    makeFolders: new Set(),
    files: new Set(),
    shadows: new Set(),
    named: new Set(),
    words: new Set(),
    everyPackage: false,
    wanted: new Set(),
    done: new Set(),
  };
  for (const gate of gates) follow(walk, gate, '', 0);
  for (const path of base.configurations) if (isObeyed(path, walk.words)) leads(walk, path, 0);
  const { wanted, base: _base, done: _done, ...reach } = walk;
  return {
    reach,
    wanted: [...wanted].filter((path) => !base.texts.has(path)),
  };
}

/** What was reached so far. */
type Reached = { -readonly [Part in keyof Reach]: Reach[Part] extends boolean ? boolean : Set<string> };

interface Walk extends Reached {
  readonly base: Base;
  readonly wanted: Set<string>;
  readonly done: Set<string>;
}

/** Commands within commands (`sh -c "…"`), scripts within scripts: so deep they are followed. */
const DEEPEST = 6;

function follow(walk: Walk, command: string, folder: string, depth: number): void {
  if (depth > DEEPEST || command.length > LONGEST || walk.done.has(`${folder}\0${command}`)) return;
  walk.done.add(`${folder}\0${command}`);
  let here = folder;
  for (const words of commandsIn(tokensOf(command, 'shell'))) {
    for (const word of words) {
      walk.words.add(baseName(word));
      if (/\s/.test(word) || word.startsWith('npm:')) follow(walk, word.replace(/^npm:/, 'npm run '), here, depth + 1);
    }
    const plain = words.filter(
      (word, at) =>
        !(
          at === 0 &&
          /^(?:!|then|do|else|if|while|time|exec|command|sudo|env|npx|bunx|pnpx|dotenv|cross-env|xvfb-run|nice)$/.test(
            word,
          )
        ) && !/^\w+=/.test(word),
    );
    const program = baseName(plain[0] ?? '');
    if (program === 'cd' && plain[1] !== undefined) {
      here = join(here, plain[1]);
      continue;
    }
    runs(walk, program, plain, here, depth);
  }
}

const LONGEST = 100_000;

function runs(walk: Walk, program: string, words: readonly string[], folder: string, depth: number): void {
  const rest = words.slice(1);
  if (
    /^(?:npm|pnpm|yarn|bun|node|turbo|nx|lerna|rush|ultra|wsrun|run-s|run-p|run-z|npm-run-all|npm-run-all2|concurrently|wireit)$/.test(
      program,
    )
  )
    packageScripts(walk, program, rest, folder, depth);
  if (/^(?:make|gmake|just|task|invoke|rake)$/.test(program)) makeTargets(walk, rest, folder, depth);
  for (const [at, word] of words.entries()) {
    const file = at === 0 ? undefined : fileBehind(program, word, words[at + 1]);
    if (file !== undefined) known(walk, file, folder, depth, true);
  }
  const isInterpreter =
    /^(?:sh|bash|dash|zsh|ksh|node|nodejs|python\d?(?:\.\d+)?|ruby|perl|php|tsx|ts-node|deno|bun|source|\.|lua|osascript|pwsh|Rscript)$/.test(
      program,
    );
  if (!isInterpreter) return known(walk, words[0] ?? '', folder, depth, false);
  if (program.startsWith('python') && rest.includes('-m'))
    return pythonModule(walk, rest[rest.indexOf('-m') + 1] ?? '', folder, depth);
  if (rest.some((word) => /^-(?:m|e|c|r)$|^--(?:test|eval|print)$/.test(word))) return;
  const file = rest.find((word) => !word.startsWith('-') && word !== 'run');
  if (file !== undefined) known(walk, file, folder, depth, true);
}

/** A file of the base that is run or read as configuration; a script of the shell is followed, what it runs in turn too. */
function known(walk: Walk, written: string, folder: string, depth: number, isPlain: boolean): void {
  if (!isPlain && !written.includes('/') && !/\.\w+$/.test(written)) return;
  const path = join(folder, written);
  if (!walk.base.paths.has(path) || isProduct(path) || isTestPath(path)) return;
  if (walk.files.has(path)) return;
  walk.files.add(path);
  leads(walk, path, depth, folder);
}

/** What a file of the base leads to decides as well: what a script of the shell runs, what another imports or names. */
function leads(walk: Walk, path: string, depth: number, folder = ''): void {
  walk.wanted.add(path);
  const text = walk.base.texts.get(path);
  if (text === undefined || text.length > LONGEST) return;
  const isShell = /\.(?:sh|bash|zsh)$|(?:^|\/)[^.]+$/.test(path) || text.startsWith('#!/bin');
  for (const next of namedIn(path, text, walk.base.paths)) {
    if (walk.named.has(next) || walk.named.size > MOST_FILES) continue;
    walk.named.add(next);
    if (RUNS.test(next)) leads(walk, next, depth, folder);
  }
  if (isShell) follow(walk, text, folder, Math.max(depth + 1, DEEPEST - 1));
  for (const next of isShell ? besideShell(path, text, walk.base.paths) : ledTo(path, text, walk.base.paths)) {
    if (walk.files.has(next) || walk.files.size > MOST_FILES) continue;
    walk.files.add(next);
    leads(walk, next, depth);
  }
}

/** Files that may name others in turn. */
const RUNS = /\.(?:[cm]?[jt]s|sh|bash|zsh|py|rb|pl)$/;

/** What leads to more is a product, not a gate. */
const MOST_FILES = 500;

function pythonModule(walk: Walk, name: string, folder: string, depth: number): void {
  if (!/^[\w.]+$/.test(name)) return;
  const { runs: files, shadows } = moduleOf(name, folder, walk.base.paths);
  for (const path of files) known(walk, path, '', depth, true);
  for (const path of shadows) walk.shadows.add(path);
}

function packageScripts(walk: Walk, program: string, words: readonly string[], folder: string, depth: number): void {
  const { names, beside, everyPackage } = scriptsRun(program, words);
  const here = join(folder, beside);
  if (everyPackage || here !== '') walk.everyPackage = true;
  for (const name of names) script(walk, name, here, depth);
}

function script(walk: Walk, name: string, folder: string, depth: number): void {
  if (name === '') return;
  const path = join(folder, 'package.json');
  walk.wanted.add(path);
  const scripts = scriptsOf(walk.base.texts.get(path) ?? walk.base.texts.get('package.json'));
  const meant = name.includes('*')
    ? Object.keys(scripts).filter((one) =>
        new RegExp(`^${name.replace(/[^\w*:-]/g, '').replace(/\*+/g, '.*')}$`).test(one),
      )
    : [name];
  for (const one of meant)
    for (const hook of [`pre${one}`, one, `post${one}`]) {
      walk.scripts.add(hook);
      const command = scripts[hook];
      if (typeof command === 'string') follow(walk, command, folder, depth + 1);
    }
}

function makeTargets(walk: Walk, words: readonly string[], folder: string, depth: number): void {
  const bare = words.filter(
    (word, place) =>
      !word.startsWith('-') && !word.includes('=') && !/^(?:-[fC]|--directory)$/.test(words[place - 1] ?? ''),
  );
  const names = bare.length === 0 ? [''] : bare;
  const at = words.findIndex((word) => /^(?:-C|--directory)$/.test(word));
  const here = at === -1 ? folder : join(folder, words[at + 1] ?? '');
  walk.makeFolders.add(here);
  for (const name of names) walk.targets.add(name);
  for (const file of MAKEFILES) {
    const path = join(here, file);
    if (!walk.base.paths.has(path)) continue;
    walk.wanted.add(path);
    const own = walk.base.texts.get(path);
    if (own === undefined) continue;
    const parts = included(own, here, walk.base.paths);
    for (const part of parts) {
      walk.files.add(part);
      walk.wanted.add(part);
    }
    const text = [own, ...parts.map((part) => walk.base.texts.get(part) ?? '')].join('\n');
    for (const block of targetsReached(text, names)) {
      walk.targets.add(block.name);
      for (const line of block.text.split('\n').slice(1))
        follow(
          walk,
          line
            .trim()
            .replace(/^[@+-]+/, '')
            .replace(/\$[({]MAKE[)}]/g, 'make'),
          here,
          depth + 1,
        );
    }
  }
}
