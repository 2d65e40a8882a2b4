import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { installRoot } from '../install-root.ts';
import { findOnPath } from './resolve-path.ts';

/** The package `@anthropic-ai/sandbox-runtime`, and andon's own script that runs it. */
export interface SandboxRuntime {
  readonly folder: string;
  readonly entry: string;
  readonly script: string;
}

const PACKAGE = '@anthropic-ai/sandbox-runtime';

/**
 * Finds the package beside andon, or says how to install it. The project's own `node_modules` is ignored: a repository
 * must not bring its own cage.
 */
export function findSandboxRuntime(from: string = import.meta.url): SandboxRuntime | string {
  const place = installRoot(from);
  const file = found(from);
  if (file === undefined) return `${PACKAGE} is not installed beside andon: install it (\`${installLine(place)}\`)`;
  const { main } = JSON.parse(readFileSync(file, 'utf8')) as { readonly main?: unknown };
  const folder = dirname(file);
  const entry = join(folder, typeof main === 'string' ? main : 'index.js');
  if (!existsSync(entry)) return `${PACKAGE} in ${folder} is damaged: install it again (\`${installLine(place)}\`)`;
  return { folder, entry, script: join(place, 'bin', 'in-sandbox-runtime.mjs') };
}

/** Programs that the package needs, with their packages for apt-get and dnf; none on macOS. */
const PROGRAMS = [
  ['bwrap', 'bubblewrap', 'bubblewrap'],
  ['socat', 'socat', 'socat'],
  ['rg', 'ripgrep', 'ripgrep'],
  ['which', 'debianutils', 'which'],
  ...(process.getuid?.() === 0 ? ([['setpriv', 'util-linux', 'util-linux']] as const) : []),
] as const;

/** The message about programs missing on PATH; undefined when none is. */
export function describeMissingPrograms(path: string | undefined): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const lacking = PROGRAMS.filter(([program]) => findOnPath(program, path) === undefined);
  if (lacking.length === 0) return undefined;
  const [programs, apt, dnf] = ([0, 1, 2] as const).map((column) => lacking.map((row) => row[column]));
  return `sandbox-runtime needs ${programs?.join(', ')}: install it (\`apt-get install ${apt?.join(' ')}\`, \`dnf install ${dnf?.join(' ')}\`)`;
}

function found(from: string): string | undefined {
  try {
    return findPackageJSON(PACKAGE, from);
  } catch {
    return undefined;
  }
}

/** A clone installs it into itself; an installed andon beside itself. */
function installLine(place: string): string {
  const beside = dirname(place);
  if (basename(beside) !== 'node_modules') return `npm install --prefix ${place} --no-save ${PACKAGE}`;
  const prefix = dirname(beside);
  return basename(prefix) === 'lib' ? `npm install -g ${PACKAGE}` : `npm install --prefix ${prefix} ${PACKAGE}`;
}
