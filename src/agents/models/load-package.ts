import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where optional packages are looked for. */
export interface PackageSource {
  readonly projectRoot: string;
  /** Why a found package must not be loaded; undefined when it may. */
  readonly whyNotLoaded: (found: FoundPackage) => Promise<string | undefined>;
}

/** An installed package, with its folder. */
export interface FoundPackage {
  readonly folder: string;
  readonly entry: string;
}

/**
 * Finds an optional package: beside andon first, then in the project's own `node_modules`; undefined where it is not
 * installed.
 */
export function findPackage(name: string, projectRoot: string): FoundPackage | undefined {
  for (const from of [import.meta.url, pathToFileURL(join(projectRoot, 'package.json')).href]) {
    const found = packageFrom(name, from);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const loadPackage = ({ entry }: FoundPackage): Promise<Record<string, unknown>> =>
  import(pathToFileURL(entry).href) as Promise<Record<string, unknown>>;

function packageFrom(name: string, from: string): FoundPackage | undefined {
  try {
    const file = findPackageJSON(name, from);
    if (file === undefined) return undefined;
    const { exports, module, main } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const folder = dirname(file);
    const entry = entryOf(exports) ?? (typeof module === 'string' ? module : main);
    return typeof entry === 'string' ? { folder, entry: join(folder, entry) } : undefined;
  } catch {
    return undefined; // not installed, or too damaged to load
  }
}

/** What `import` of the package itself means. */
function entryOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const choices = exports as Readonly<Record<string, unknown>>;
  for (const key of ['.', 'node', 'import', 'default']) {
    const entry = Object.hasOwn(choices, key) ? entryOf(choices[key]) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}
