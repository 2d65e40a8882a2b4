/** Where tools keep their caches in `node_modules`. */
const CACHES = ['.cache', '.tmp', '.vite', '.vite-temp'];

/** The folders in a shared folder that tools write to while they run: empty and writable in the cage. */
export const listCacheFolders = (shared: string): readonly string[] =>
  /(?:^|\/)node_modules$/.test(shared) ? CACHES.map((name) => `${shared}/${name}`) : [];
