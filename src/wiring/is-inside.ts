import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder or lies in it, by their names alone: where links matter, both are given as they really are. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
