import { existsSync, opendirSync, readdirSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { isWithin, isWithinAny } from './resolve-path.ts';

/** Folders under the home folder that hold programs, not secrets; shown read-only where they exist. */
const IN_HOME = [
  '.nvm/versions',
  '.fnm',
  '.volta',
  '.nodenv',
  '.proto',
  '.pyenv',
  '.rbenv',
  '.rvm',
  '.goenv',
  '.jenv',
  '.phpenv',
  '.plenv',
  '.asdf',
  '.sdkman',
  '.ghcup',
  '.elan',
  '.juliaup',
  '.dotnet',
  '.linuxbrew',
  '.rustup/toolchains',
  '.rustup/settings.toml',
  '.rustup/update-hashes', // rustup makes it where it is missing
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
  '.local/bin',
  '.local/lib',
  '.local/share/mise',
  '.local/share/fnm',
  '.local/share/pnpm',
  '.cache/node/corepack',
  '.local/share/pypoetry',
  '.local/share/uv/python',
  '.local/share/uv/tools',
  '.local/share/pipx',
  '.local/pipx',
  'go/bin',
  'n',
  'miniconda3',
  'miniforge3',
  'anaconda3',
];

/** The machine whose toolchains are searched. */
export interface Workshop {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Folders to show empty: the user's checkout, andon's state and configuration. */
  readonly hide: readonly string[];
}

/** Program folders outside the system's own: in the home folder, on PATH, and behind links of PATH. */
export function findToolchains(shop: Workshop, system: readonly string[]): readonly string[] {
  const secret = [shop.home, '/run', '/tmp', ...shop.hide].filter(existsSync).map((path) => real(path));
  const own = IN_HOME.map((name) => join(shop.home, name)).filter(existsSync);
  const onPath = [...new Set((shop.environment['PATH'] ?? '').split(delimiter))].filter((folder) =>
    isFullFolder(folder, shop.home),
  );
  const folders = onPath.map((folder) => real(folder));
  const known = [...system, ...own.map((path) => real(path)), ...folders];
  const led = folders
    .filter((folder) => isWithin(folder, '/usr/local') || !isWithinAny(folder, system))
    .flatMap((folder) => leadsTo(folder))
    .filter((file) => !isWithinAny(file, known) && !isWithinAny(file, shop.hide))
    .map((file) => prefixOf(dirname(file), secret) ?? file);
  return [...own, ...onPath, ...folders.flatMap((folder) => prefixOf(folder, secret) ?? []), ...led];
}

const real = (path: string): string => realpathSync.native(path);

/** Whether a path is a folder of programs; a home folder in PATH is not. */
function isFullFolder(path: string, home: string): boolean {
  if (!path.startsWith('/') || path === '/' || path === home) return false;
  try {
    const folder = opendirSync(path);
    const isFull = folder.readSync() !== null;
    folder.closeSync();
    return isFull;
  } catch {
    return false;
  }
}

/** The libraries beside an installation's `bin`. Never a checkout or a folder with secrets. */
function prefixOf(folder: string, secret: readonly string[]): string | undefined {
  const prefix = dirname(folder);
  const has = (name: string): boolean => existsSync(join(prefix, name));
  if (!['bin', 'sbin'].includes(basename(folder)) || prefix === '/' || basename(prefix) === '.local') return undefined;
  if (has('.git') || !(has('lib') || has('lib64') || has('libexec'))) return undefined;
  return secret.some((place) => isWithin(place, prefix)) ? undefined : prefix;
}

/** The targets of links in a folder. */
function leadsTo(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => join(folder, entry.name))
    .filter((path) => existsSync(path))
    .map((path) => real(path));
}
