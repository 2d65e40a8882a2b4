import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The words for bwrap that close them; they come after its `--proc`. */
export function kernelMounts(): readonly string[] {
  const { readOnly, masked } = kernelFiles();
  return [
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...masked.flatMap((path) => ['--ro-bind', '/dev/null', path]),
  ];
}

/** What of `/proc` a cage shows, though it is the machine's. */
interface KernelFiles {
  /** May be seen and not written: whoever is root on the machine may change the kernel's settings there, in a cage too. */
  readonly readOnly: readonly string[];
  /** Not even seen. */
  readonly masked: readonly string[];
}

/**
 * Entries of `/proc` that belong to the machine, not to a process: folders and what may be written, and what only root may
 * read. Names alone are listed: for a process that ends meanwhile the kernel says no type, Node looks for it, and it is gone.
 */
function kernelFiles(proc = '/proc'): KernelFiles {
  const all = readdirSync(proc)
    .filter((name) => !/^\d+$/.test(name)) // processes
    .map((name) => join(proc, name))
    .flatMap((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat === undefined || stat.isSymbolicLink()
        ? []
        : [{ path, isFolder: stat.isDirectory(), mode: stat.mode }]; // `self` and what leads there
    });
  const masked = all.filter(({ isFolder, mode }) => !isFolder && (mode & 0o4) === 0);
  const readOnly = all.filter((one) => !masked.includes(one) && (one.isFolder || (one.mode & 0o222) !== 0));
  return { readOnly: readOnly.map(({ path }) => path), masked: masked.map(({ path }) => path) };
}
