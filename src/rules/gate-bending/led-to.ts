import { isTestPath } from './test-paths.ts';

/** The paths of a tree. */
interface Tree {
  has(path: string): boolean;
}

/** What the task itself is about is no definition of its gate, though the gate runs it. */
export const isProduct = (path: string): boolean =>
  /(?:^|\/)(?:src|lib|app|cmd|internal|docs|public|examples?)\//.test(path) && !isTooling(path);

/**
 * The files of a tree that one of them leads to and that decide like itself: what it imports, includes or names by a
 * path. What it imports may as well be the product; of that only counts what lies with the tools, or is named like one.
 */
export function ledTo(path: string, text: string, tree: Tree): readonly string[] {
  const folder = folderOf(path);
  const found = path.endsWith('.py')
    ? pythonModules(text).flatMap((name) => moduleFiles(join(folder, name), tree))
    : /\.(?:[cm]?[jt]sx?|jsonc?|ya?ml)$|(?:^|\/)\.[\w-]+rc$/.test(path)
      ? namedPaths(text).flatMap((name) => scriptFiles(join(name.startsWith('/') ? '' : folder, name), tree))
      : [];
  return [...new Set(found)].filter((one) => one !== path && !isTestPath(one) && isDecider(one));
}

/** The files that a script of the shell sources or runs from the folder it lies in, however it finds that out. */
export function besideShell(path: string, text: string, tree: Tree): readonly string[] {
  const folder = folderOf(path);
  const named = [...text.matchAll(/(?:\$\(dirname [^)\n]{1,60}\)|\$\w+|\$\{[^}\n]{1,40}\})"?\/([\w./-]{1,200})/g)];
  return named
    .map(([, name = '']) => join(folder, name))
    .filter((one) => one !== path && tree.has(one) && !isTestPath(one) && !isProduct(one));
}

/** The files of a tree that a text names, from the project's root or from its own folder, and that are neither product nor prose. */
export function namedIn(path: string, text: string, tree: Tree): readonly string[] {
  const folder = folderOf(path);
  const words = text.match(/(?<![\w./-])[\w.@-][\w.@/-]{2,200}/g) ?? [];
  const places = [...new Set(words)].flatMap((word) => [join('', word), join(folder, word)]);
  return [...new Set(places)].filter(
    (one) => one !== path && tree.has(one) && !isProduct(one) && !/\.(?:md|markdown|rst)$/i.test(one),
  );
}

/** The files that a Makefile or justfile includes. */
export const included = (text: string, folder: string, tree: Tree): readonly string[] =>
  [...text.matchAll(/^(?:-|s)?(?:include|import\??|mod)[ \t]+(.{1,500})$/gm)]
    .flatMap(([, names = '']) => names.split(/\s+/))
    .map((name) => join(folder, name.replace(/^["']|["']$/g, '')))
    .filter((path) => tree.has(path));

/** The files that `python -m NAME` runs, and those that would stand before an installed module of that name. */
export function moduleOf(
  name: string,
  folder: string,
  tree: Tree,
): { readonly runs: readonly string[]; readonly shadows: readonly string[] } {
  const place = join(folder, name.replaceAll('.', '/'));
  const files = [`${place}.py`, `${place}/__main__.py`, `${place}/__init__.py`];
  const there = files.filter((path) => tree.has(path));
  if (there.length > 0) return { runs: there.filter(isDecider), shadows: [] };
  const top = join(folder, name.replace(/\..*/, ''));
  return { runs: [], shadows: [`${top}.py`, `${top}/__main__.py`, `${top}/__init__.py`] };
}

/** A path as it is written, from a folder; `./` and `../` are taken out. */
export function join(folder: string, written: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${written}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** It lies where a project keeps its tools. */
const isTooling = (path: string): boolean =>
  /(?:^|\/)(?:scripts?|tools?|tooling|ci|\.ci|build|hack|dev|\.?config|gates?|checks?|qa|mk)\//.test(path);

/** A tool by its place, or by a name that the product does not have. */
const isDecider = (path: string): boolean =>
  isTooling(path) || (DECIDES.test(path.slice(path.lastIndexOf('/') + 1)) && (!isProduct(path) || SETS_UP.test(path)));

const DECIDES =
  /check|test|spec|gate|lint|verif|runner|harness|assert|setup|teardown|reporter|environment|preset|config|\bbase\b|hook|rules?\b|plugin|fixture|mock|loader|register/i;
const SETS_UP = /(?:setup|teardown|reporter|environment)[\w-]*\.\w+$|[\w-]*(?:setup|teardown)\.\w+$/i;

const pythonModules = (text: string): readonly string[] =>
  [...text.matchAll(/^[ \t]*(?:from[ \t]+(\.?[\w.]{1,200})[ \t]+import|import[ \t]+([\w.]{1,200}))/gm)].map(
    ([, from, name]) => (from ?? name ?? '').replace(/^\./, '').replaceAll('.', '/'),
  );

const moduleFiles = (place: string, tree: Tree): readonly string[] =>
  [`${place}.py`, `${place}/__init__.py`].filter((path) => tree.has(path));

/** Paths in quotes, or bare in YAML, that begin at the file's folder (`./`, `../`) or at the project's (`<rootDir>/`). */
const namedPaths = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^|[\s"'`=:,[(])(\.{1,2}\/|<rootDir>\/|\$\{configDir\}\/)([\w@.-][\w@./-]{0,200})/gm)].map(
    ([, start = '', rest = '']) => (start.startsWith('.') ? `${start}${rest}` : `/${rest}`),
  );

function scriptFiles(place: string, tree: Tree): readonly string[] {
  const ends = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.tsx', '.json', '/index.js', '/index.ts'];
  const file = ends.map((end) => `${place}${end}`).find((path) => tree.has(path));
  return file === undefined ? [] : [file];
}
