import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The root of andon's own files: `bin/`, `stand-ins/` and `shipped/` are beside `src/` in a clone and beside `dist/` in
 * the package.
 */
export function installRoot(from: string = import.meta.url): string {
  for (let folder = dirname(fileURLToPath(from)); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'bin', 'andon.mjs'))) return folder;
  throw new Error('bin/andon.mjs is missing from this installation');
}

/** A shipped text, by its path below `shipped/`. */
export const shippedText = (name: string): string => readFileSync(join(installRoot(), 'shipped', name), 'utf8');

/** The names in a folder below `shipped/`. */
export const shippedNames = (folder: string): readonly string[] =>
  readdirSync(join(installRoot(), 'shipped', folder)).toSorted();

/**
 * A built file of the board's page: `page/` is beside the bundle of `from`, and below `dist/` in a clone. Undefined
 * where it was not built.
 */
export function builtPage(name: string, from: string): Uint8Array<ArrayBuffer> | undefined {
  const own = dirname(fileURLToPath(from));
  const folders = [join(own, 'page'), join(own, '..', 'page'), join(installRoot(from), 'dist', 'page')];
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  return found === undefined ? undefined : new Uint8Array(readFileSync(found));
}

/** The style sheet of the board, which pages for files carry in them; in a clone its sources, where it was not built. */
export function pageStyle(from: string): string {
  const built = builtPage('app.css', from);
  if (built !== undefined) return new TextDecoder().decode(built);
  const sources = ['page/static/app.css', 'app/views/views.css'].map((name) => join(installRoot(from), 'src', name));
  return sources.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join('');
}
