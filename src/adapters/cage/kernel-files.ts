import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The words for bwrap that close what belongs to the machine in `/proc`, not to a process; they come after its `--proc`.
 * Folders and what may be written may be seen and not written: whoever is root on the machine may change the kernel's
 * settings there, in a cage too. What only root may read is not even seen. Names alone are listed: for a process that ends
 * meanwhile the kernel says no type, Node looks for it, and it is gone.
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
