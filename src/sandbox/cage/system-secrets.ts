import { existsSync, lstatSync, readFileSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isWithinAny } from './resolve-path.ts';

/** Secrets of the machine by name, readable or not. */
const NAMED = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssl/private',
  '/etc/pki/tls/private',
  '/etc/letsencrypt',
  '/etc/krb5.keytab',
  '/etc/kubernetes',
  '/etc/rancher',
  '/etc/docker',
  '/etc/wireguard',
  '/etc/openvpn',
  '/etc/NetworkManager/system-connections',
];

/** What a cage must hide of `/etc`. */
interface Secrets {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The result is cached this long: it inspects a thousand files, and gates follow each other. */
const BELIEVED_MS = 30_000;
let known: (Secrets & { readonly at: number }) | undefined;

/** Secret files and folders of `/etc`: by name, and those that not every user may read. */
export function findSystemSecrets(): Secrets {
  if (known !== undefined && performance.now() - known.at < BELIEVED_MS) return omitGone(known);
  const found = { files: [] as string[], folders: [] as string[], at: performance.now() };
  if (existsSync('/etc') && !lstatSync('/etc').isSymbolicLink()) collect('/etc', found);
  return (known = found);
}

/** Without removed and replaced paths, which cannot be covered as before. */
function omitGone({ files, folders }: Secrets): Secrets {
  const now = (path: string) => lstatSync(path, { throwIfNoEntry: false });
  return {
    files: files.filter((path) => now(path)?.isDirectory() === false && now(path)?.isSymbolicLink() === false),
    folders: folders.filter((path) => now(path)?.isDirectory()),
  };
}

function collect(folder: string, found: { readonly files: string[]; readonly folders: string[] }): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) continue; // its target is judged at its own path
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o777;
    const isSecret = NAMED.includes(path);
    if (entry.isDirectory()) {
      if (isSecret || (mode & 0o5) !== 0o5) found.folders.push(path);
      else collect(path, found);
    } else if (isSecret || (mode & 0o4) === 0) found.files.push(path);
  }
}

/** A folder that andon cannot read is also unreadable for a caged command. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Unix sockets in these folders with a listening process: a read-only mount does not close them. */
export function findSockets(folders: readonly string[]): readonly string[] {
  try {
    const rows = readFileSync('/proc/net/unix', 'utf8').split('\n');
    const paths = rows.flatMap((row) => /^(?:\S+\s+){7}(\/.*)$/.exec(row)?.[1] ?? []);
    return [...new Set(paths)].filter((path) => isWithinAny(path, folders) && existsSync(path));
  } catch {
    return [];
  }
}
