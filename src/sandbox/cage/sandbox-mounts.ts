import { existsSync, lstatSync, readdirSync, realpathSync, opendirSync } from 'node:fs';
import { delimiter, join, basename, dirname } from 'node:path';
import type { CageLimits } from '../cage-limits.ts';
import type { CagedCommand } from '../cage.ts';
import { findSystemSecrets, findSockets } from './system-secrets.ts';
import { isWithin, listLinks, isWithinAny, type SymbolicLink } from './resolve-path.ts';

/** The settings and surroundings of a cage. */
export interface CageWorld {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Folders to show empty: the user's checkout, andon's state and configuration. */
  readonly hide: readonly string[];
  /** Further folders that the user's own configuration shows read-only (`cage.read`). */
  readonly read: readonly string[];
  /** The limits of a command; default: andon's limits for this machine. */
  readonly limits?: CageLimits;
  /** Proxy variables, for commands with network. */
  readonly proxies?: Readonly<Record<string, string>>;
}

/** The environment of one command: the project's tools come first on PATH, and only one with network gets the proxies. */
export function buildCommandEnvironment(
  { environment, proxies = {} }: Pick<CageWorld, 'environment' | 'proxies'>,
  { programs = [], network }: Pick<CagedCommand, 'programs' | 'network'>,
): Readonly<Record<string, string>> {
  const path = [...programs, ...(environment['PATH'] ?? '').split(delimiter)].filter((folder) => folder !== '');
  return { ...(network ? proxies : {}), ...environment, PATH: path.join(delimiter) };
}

/** The visible paths of a cage, as real paths; all others do not exist inside. */
export interface VisiblePaths {
  /** Read-only folders and files. */
  readonly shown: readonly string[];
  /** Empty, writable, temporary folders: home and scratch. */
  readonly own: readonly string[];
  /** Visible folders that appear empty. */
  readonly hidden: readonly string[];
  /** Visible files that cannot be opened: secrets of the machine, sockets of its services. */
  readonly masked: readonly string[];
  /** Symbolic links that give visible paths their other names. */
  readonly links: readonly SymbolicLink[];
}

/** Programs, libraries and settings of the system; the rest of the disk (`/var`, `/srv`, `/mnt`, `/run`) is hidden. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix/store',
  '/nix/var/nix/profiles',
  '/gnu/store',
  '/var/guix/profiles',
  '/home/linuxbrew/.linuxbrew',
  '/run/current-system/sw',
  '/var/lib/gems',
  '/var/lib/ghc',
  '/var/lib/texmf',
  '/var/lib/ca-certificates',
  '/var/cache/fontconfig',
];

/** Folders in which a command may write without visible effect. */
const TEMPORARY = ['/run', '/tmp', '/var/tmp'];

/**
 * Decides what a cage shows: the system's programs without its secrets, toolchains, the user's paths, and name
 * resolution.
 */
export function visiblePaths(services: CageWorld, network: boolean): VisiblePaths {
  const system = SYSTEM.filter((path) => existsSync(path));
  const read = services.read.filter((path) => path !== '/' && existsSync(path));
  const names = network ? RESOLVER.filter((path) => existsSync(path)) : [];
  const wanted = [...system, ...findToolchains(services, system), ...read, ...names];
  const places = wanted.map(real);
  const shown = outermost(places);
  const hide = services.hide.filter((path) => path !== '/' && existsSync(path)).map(real);
  const readable = read.map(real);
  const hidden = outermost(hide).filter((path) => !isWithinAny(path, readable) && isWithinAny(path, shown));
  const own = outermost([services.home, ...TEMPORARY].filter((path) => path !== '/' && existsSync(path)).map(real));
  const again = places.filter((path) => isWithinAny(path, hidden) || own.some((folder) => isWithin(path, folder)));
  const secrets = findSystemSecrets();
  const links = [...wanted, services.home, ...TEMPORARY].flatMap(listLinks);
  return {
    shown: [...new Set([...shown, ...again])],
    own: own.filter((path) => !isWithinAny(path, readable)),
    hidden: [...hidden, ...secrets.folders.filter((path) => !isWithinAny(path, readable))],
    masked: [...secrets.files.filter((path) => !isWithinAny(path, readable)), ...findSockets(shown)].filter(
      (path) => !isWithinAny(path, hidden) && existsSync(path),
    ),
    links: links.filter(
      ([path], at) => !isWithinAny(path, shown) && links.findIndex(([other]) => other === path) === at,
    ),
  };
}

/** Links that often lead to `/run`; only these files are shown, since services listen beside them. */
const RESOLVER = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'];

/**
 * What a cage must hide that begins with the whole disk: everything that is not visible; on macOS, with its other
 * paths, a fixed list.
 */
export function hiddenPaths({ shown }: VisiblePaths, services: CageWorld): readonly string[] {
  if (process.platform !== 'linux') return services.hide.filter((path) => existsSync(path)).map(real);
  const kernel = ['proc', 'dev', 'sys'];
  return readdirSync('/')
    .filter((name) => !kernel.includes(name))
    .map((name) => join('/', name))
    .filter((path) => !shown.includes(path) && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false);
}

const real = (path: string): string => realpathSync.native(path);

/** Without paths inside another of them. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isWithin(path, other)));
}

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

/** Program folders outside the system's own: in the home folder, on PATH, and behind links of PATH. */
function findToolchains({ home, environment, hide }: CageWorld, system: readonly string[]): readonly string[] {
  const secret = [home, '/run', '/tmp', ...hide].filter(existsSync).map((path) => real(path));
  const own = IN_HOME.map((name) => join(home, name)).filter(existsSync);
  const onPath = [...new Set((environment['PATH'] ?? '').split(delimiter))].filter((folder) =>
    isFullFolder(folder, home),
  );
  const folders = onPath.map((folder) => real(folder));
  const known = [...system, ...own.map((path) => real(path)), ...folders];
  const led = folders
    .filter((folder) => isWithin(folder, '/usr/local') || !isWithinAny(folder, system))
    .flatMap((folder) => resolveLinks(folder))
    .filter((file) => !isWithinAny(file, known) && !isWithinAny(file, hide))
    .map((file) => prefixOf(dirname(file), secret) ?? file);
  return [...own, ...onPath, ...folders.flatMap((folder) => prefixOf(folder, secret) ?? []), ...led];
}

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
function resolveLinks(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => join(folder, entry.name))
    .filter((path) => existsSync(path))
    .map((path) => real(path));
}
