import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The arguments of bwrap that hide the machine's part of `/proc`; they follow its `--proc`. Folders and writable files
 * become read-only, because root may change the kernel's settings there even in a cage. Files that only root may read
 * are hidden. Only names are listed: Node fails on a process that ends meanwhile, whose type the kernel no longer
 * gives.
 */
export function kernelMounts(): readonly string[] {
  const all = readdirSync('/proc')
    .filter((name) => !/^\d+$/.test(name)) // processes
    .map((name) => join('/proc', name))
    .flatMap((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat === undefined || stat.isSymbolicLink()
        ? []
        : [{ path, isFolder: stat.isDirectory(), mode: stat.mode }]; // `self` and what leads there
    });
  const masked = all.filter(({ isFolder, mode }) => !isFolder && (mode & 0o4) === 0);
  const readOnly = all.filter((one) => !masked.includes(one) && (one.isFolder || (one.mode & 0o222) !== 0));
  return [
    ...readOnly.flatMap(({ path }) => ['--ro-bind', path, path]),
    ...masked.flatMap(({ path }) => ['--ro-bind', '/dev/null', path]),
  ];
}
