/** All parent folders of these paths, each once. */
export function listFolders(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    if (path.length > 4096) continue;
    for (let at = path.lastIndexOf('/'); at > 0 && !folders.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      folders.add(path.slice(0, at));
  }
  return folders;
}

/** The folders above one path, outermost first. */
export const listParents = (path: string): readonly string[] => [...listFolders([path])].toReversed();
