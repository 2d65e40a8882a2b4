import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

/** Folders under the home folder that hold programs, not secrets; shown read-only where they exist. */
const TOOLCHAINS = [
  '.nvm/versions',
  '.fnm',
  '.volta',
  '.pyenv',
  '.rbenv',
  '.asdf',
  '.rustup/toolchains',
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
  '.local/bin',
  '.local/share/mise',
  '.local/share/fnm',
  '.local/share/uv/python',
  '.local/share/uv/tools',
  '.sdkman',
  'go/bin',
  'n',
];

/** What the cage hides and shows. */
export interface CageWorld {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Folders that must look empty inside: the user's checkout, andon's state and configuration. */
  readonly hide: readonly string[];
  /** Further folders that the user's own configuration shows read-only (`cage.read`). */
  readonly read: readonly string[];
}

/** The folders that must look empty inside: everything secret, the outermost only, and none by a symbolic link. */
export function hiddenFolders(world: CageWorld): readonly string[] {
  const wanted = [world.home, '/run', '/tmp', '/var/tmp', ...world.hide]
    .filter((folder) => folder !== '/' && existsSync(folder))
    .map((folder) => realpathSync(folder));
  return [...new Set(wanted)].filter(
    (folder) => !wanted.some((other) => other !== folder && folder.startsWith(other + sep)),
  );
}

/** What is shown read-only all the same: toolchains, folders of PATH, what the user names, and how names are resolved. */
export function shownPaths(world: CageWorld, network: boolean): readonly string[] {
  const tools = TOOLCHAINS.map((folder) => join(world.home, folder));
  const programs = (world.environment['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => (isHidden(folder, world) ? [folder] : []));
  const names = network ? resolverFiles() : [];
  const paths = [...tools, ...programs, ...world.read, ...names]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));
  return [...new Set(paths)].toSorted();
}

/** A folder of PATH that a hidden place would take away; shown only when it is a folder of programs. */
function isHidden(folder: string, world: CageWorld): boolean {
  const covered = [world.home, '/run', '/tmp', ...world.hide].some(
    (place) => place !== '/' && (folder === place || folder.startsWith(place + sep)),
  );
  return (
    covered &&
    folder !== world.home &&
    existsSync(folder) &&
    statSync(folder).isDirectory() &&
    readdirSync(folder).length > 0
  );
}

/** Name resolution often lives in /run. */
function resolverFiles(): readonly string[] {
  return ['/run/systemd/resolve', '/run/resolvconf'].filter((path) => existsSync(path));
}
