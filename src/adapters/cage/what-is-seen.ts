import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { CageLimits } from '../../config/cage-limits.ts';
import { secretsOfSystem, socketsIn } from './secrets-of-system.ts';
import { toolchains } from './toolchains.ts';
import type { Workshop } from './toolchains.ts';
import { isWithin, linksOnTheWay, within } from './way-to.ts';
import type { Link } from './way-to.ts';

/** What the cage hides and shows. */
export interface CageWorld extends Workshop {
  /** Further folders that the user's own configuration shows read-only (`cage.read`). */
  readonly read: readonly string[];
  /** What a command may use; default: what andon says on this machine. */
  readonly limits?: CageLimits;
  /** The version of control groups that andon may make here. */
  readonly groups?: () => 1 | 2 | undefined;
}

/** What of a machine is seen in a cage; whatever is not named here is not there. Places are real ones. */
export interface Sight {
  /** Folders and files that are seen, read-only. */
  readonly shown: readonly string[];
  /** Folders that look empty, in which a command may write what is gone with it: home and temporary ones. */
  readonly own: readonly string[];
  /** Folders in what is shown that look empty. */
  readonly hidden: readonly string[];
  /** Files in what is shown that cannot be opened: secrets of the machine, and sockets of its services. */
  readonly masked: readonly string[];
  /** Symbolic links by which what is shown is reached by its other names. */
  readonly links: readonly Link[];
}

/** Programs, libraries and settings of the system; `/var`, `/srv`, `/mnt`, `/run` and the rest of the disk are not there. */
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

/** Decides what a cage shows: the system's programs without its secrets, toolchains, what the user names, and how names are resolved. */
export function sightOf(services: CageWorld, network: boolean): Sight {
  const system = SYSTEM.filter((path) => existsSync(path));
  const read = services.read.filter((path) => path !== '/' && existsSync(path));
  const names = network ? RESOLVER.filter((path) => existsSync(path)) : [];
  const wanted = [...system, ...toolchains(services, system), ...read, ...names];
  const places = wanted.map(real);
  const shown = outermost(places);
  const hide = services.hide.filter((path) => path !== '/' && existsSync(path)).map(real);
  const readable = read.map(real);
  const hidden = outermost(hide).filter((path) => !within(path, readable) && within(path, shown));
  const own = outermost([services.home, ...TEMPORARY].filter((path) => path !== '/' && existsSync(path)).map(real));
  const again = places.filter((path) => within(path, hidden) || own.some((folder) => isWithin(path, folder)));
  const secrets = secretsOfSystem();
  const links = [...wanted, services.home, ...TEMPORARY].flatMap(linksOnTheWay);
  return {
    shown: [...new Set([...shown, ...again])],
    own: own.filter((path) => !within(path, readable)),
    hidden: [...hidden, ...secrets.folders.filter((path) => !within(path, readable))],
    masked: [...secrets.files.filter((path) => !within(path, readable)), ...socketsIn(shown)].filter(
      (path) => !within(path, hidden) && existsSync(path),
    ),
    links: links.filter(([path], at) => !within(path, shown) && links.findIndex(([other]) => other === path) === at),
  };
}

/** Links that often lead to `/run`, from where only the files themselves are taken: services listen beside them. */
const RESOLVER = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'];

/**
 * What a cage must hide that begins with the whole disk: everything that is not visible; on macOS, with its other
 * paths, a fixed list.
 */
export function unseen({ shown }: Sight, services: CageWorld): readonly string[] {
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
