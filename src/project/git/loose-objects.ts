import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommitPlan } from './repository-facts.ts';
import { syncAll } from '../../base/system/durable.ts';
import { failpoint } from '../../base/system/failpoints.ts';

/** The kinds of objects that andon writes. */
export type Kind = 'blob' | 'tree' | 'commit';

/** The id of an object, in a repository with ids like this one. */
export const computeObjectId = (kind: Kind, content: Uint8Array, like: string): string =>
  createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(headOf(kind, content))
    .update(content)
    .digest('hex');

/** An object to write. */
export interface NewObject {
  readonly oid: string;
  readonly kind: Kind;
  readonly content: Uint8Array;
}

/** Writes objects as git does: each in a file of its own, synced before it gets its name, in this order. */
export async function writeObjects(gitDir: string, objects: readonly NewObject[]): Promise<void> {
  const written: { readonly temporary: string; readonly place: string }[] = [];
  const { deflateSync } = await import('node:zlib'); // a reading command writes none
  try {
    for (const { oid, kind, content } of objects) {
      const place = placeOf(gitDir, oid);
      if (existsSync(place)) continue;
      const temporary = beside(place);
      written.push({ temporary, place });
      failpoint('objects.write.before-write');
      const packed = deflateSync(Buffer.concat([headOf(kind, content), content]), { level: 1 });
      writeFileSync(temporary, packed, { flag: 'wx', mode: 0o444 });
    }
    await syncAll(written.map(({ temporary }) => temporary));
    for (const { temporary, place } of written) {
      failpoint('objects.write.before-rename');
      renameSync(temporary, place);
      failpoint('objects.write.after-rename');
    }
  } catch (error) {
    for (const { temporary } of written) rmSync(temporary, { force: true });
    throw error;
  }
}

/** Copies objects from one git directory to another, in this order; false when one has no file of its own. */
export async function giveObjects(from: string, to: string, oids: readonly string[]): Promise<boolean> {
  const folders: string[] = [];
  for (const oid of oids) {
    const [source, place] = [placeOf(from, oid), placeOf(to, oid)];
    folders.push(dirname(place), join(to, 'objects')); // also one that a dead andon had given
    if (existsSync(place)) continue;
    if (!existsSync(source)) return false;
    failpoint('objects.give.before-link');
    await give(source, place);
    failpoint('objects.give.after-link');
  }
  await syncAll(folders);
  return true;
}

/** The text of a commit object; the same plan makes the same commit. */
export function commitText(tree: string, { parents, author, committer = author, at, message }: CommitPlan): Buffer {
  const stamp = `${Math.floor(Date.parse(at) / 1000)} +0000`;
  const rows = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author} ${stamp}`,
    `committer ${committer} ${stamp}`,
  ];
  return Buffer.from(`${rows.join('\n')}\n\n${message.replaceAll('\0', '\ufffd')}`);
}

const headOf = (kind: Kind, content: Uint8Array): Buffer => Buffer.from(`${kind} ${content.length}\0`);

const placeOf = (gitDir: string, oid: string): string => join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2));

/** Objects never change, so files are linked, or copied where links are impossible. */
async function give(source: string, place: string): Promise<void> {
  try {
    folderFor(place);
    linkSync(source, place);
  } catch {
    const temporary = beside(place);
    try {
      copyFileSync(source, temporary);
      await syncAll([temporary]);
      renameSync(temporary, place);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

/** A temporary name, which git itself removes after a crash. */
const beside = (place: string): string => join(folderFor(place), `tmp_obj_${randomUUID()}`);

function folderFor(place: string): string {
  mkdirSync(dirname(place), { recursive: true });
  return dirname(place);
}
