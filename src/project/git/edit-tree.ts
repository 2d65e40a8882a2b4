import { GitFailure } from './run-git.ts';

/** A file of the new tree by path; without an id it is removed. */
interface TreeEdit {
  readonly path: string;
  readonly mode: string;
  readonly oid: string | undefined;
}

/** Where trees are read and written. */
interface TreeStore {
  read(oid: string): Promise<Uint8Array>;
  write(content: Uint8Array): string;
}

/**
 * The id of a tree after these edits, in order. New trees are written bottom up; other entries stay unchanged, byte for
 * byte. As in git, a file gives way to a folder of its name and the other way round, and an empty folder disappears.
 */
export async function editTree(root: string, edits: readonly TreeEdit[], store: TreeStore): Promise<string> {
  const top = await open(root, store);
  for (const { path, mode, oid } of edits) {
    const names = path.split('/').map(nameOf);
    const last = names.pop() ?? '';
    let folder: Folder | undefined = top;
    for (const name of names) folder = folder && (await enter(folder, name, oid !== undefined, store));
    if (oid === undefined) folder?.delete(last);
    else folder?.set(last, { mode, oid });
  }
  return write(top, store) ?? store.write(new Uint8Array());
}

/** Names as bytes, one character each. */
type Folder = Map<string, { readonly mode: string; readonly oid: string } | Folder>;

const FOLDER = '40000';

function nameOf(segment: string): string {
  if (['', '.', '..', '.git'].includes(segment.toLowerCase()) || segment.includes('\0'))
    throw new GitFailure(`a tree of git takes no file or folder called ${JSON.stringify(segment)}`);
  return Buffer.from(segment).toString('latin1');
}

/** The folder of this name; a missing one is made, or is undefined. */
async function enter(above: Folder, name: string, make: boolean, store: TreeStore): Promise<Folder | undefined> {
  const found = above.get(name);
  if (found instanceof Map) return found;
  const isThere = found?.mode === FOLDER;
  if (!isThere && !make) return undefined;
  const folder: Folder = isThere ? await open(found.oid, store) : new Map();
  above.set(name, folder);
  return folder;
}

/** Parses a tree object: mode, name and the bytes of an id, repeated. */
async function open(oid: string, store: TreeStore): Promise<Folder> {
  const bytes = Buffer.from(await store.read(oid));
  const folder: Folder = new Map();
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, blank);
    const next = end + 1 + oid.length / 2;
    if (blank === -1 || end === -1 || next > bytes.length) throw new GitFailure(`the tree ${oid} cannot be read`);
    folder.set(bytes.toString('latin1', blank + 1, end), {
      mode: bytes.toString('latin1', at, blank),
      oid: bytes.toString('hex', end + 1, next),
    });
    at = next;
  }
  return folder;
}

/** Writes non-empty folders, children first. */
function write(folder: Folder, store: TreeStore): string | undefined {
  const rows: { readonly key: string; readonly row: Buffer }[] = [];
  for (const [name, entry] of folder) {
    const oid = entry instanceof Map ? write(entry, store) : entry.oid;
    if (oid === undefined) continue;
    const mode = entry instanceof Map ? FOLDER : entry.mode;
    const row = Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]);
    rows.push({ key: mode === FOLDER ? `${name}/` : name, row }); // git's order: a folder sorts as if it ended in /
  }
  rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  return rows.length === 0 ? undefined : store.write(Buffer.concat(rows.map(({ row }) => row)));
}
