/** Whether a file or folder is one of the paths, or in a folder among them. */
export const isAmong = (paths: readonly string[], file: string): boolean =>
  paths.some((path) => path === file || isFolderOf(path, file));

export const isFolderOf = (folder: string, path: string): boolean =>
  folder.endsWith('/') && path !== folder && path.startsWith(folder);

export const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)];
