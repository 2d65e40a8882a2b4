import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { listCacheFolders } from '../../base/cache-folders.ts';
import { maskKnown } from '../../base/known-secrets.ts';
import type { TextPiece } from './text-piece.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { moveToTrash } from '../../base/system/trash.ts';
import { tailName } from './live-tails.ts';
import { clearPlace, forgetOldest, folderFingerprint, readInside } from './work-files.ts';
import { takeFileLock } from '../locks/kernel-lock.ts';

/** Runs of gates on base trees that are remembered; every merge makes a new tree. */
const MOST_BASE_RUNS = 400;

/** Remembered opinions of models about a rule and a text: some bytes to some kilobytes each. */
const MOST_OPINIONS = 2000;

/** More than a prompt, an answer or the results of a gate. */
const LARGEST = 256 * 1024 * 1024;

/** Suffix of files with unprocessed answers. */
const RECEIVED = '.received.json';

/** A text of a call of an agent. */
type CallText = 'prompt' | 'answer';

/** The work folders of one repository, below its state folder. */
export type WorkFolders = ReturnType<typeof createWorkFolders>;

export function createWorkFolders(state: string) {
  const door = openDir(state);
  const made = (name: string): string => {
    const folder = door.place(name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  const text = (name: string): string | undefined => {
    const read = door.read(name, LARGEST);
    if (!read.ok) throw new Error(`${join(state, name)} ${read.why}`);
    return read.value === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.value);
  };
  const forget = (taskId: string, kept?: string): void => {
    for (const { name } of door.entries(`calls/${taskId}`))
      if (name.endsWith(RECEIVED) && name !== kept) door.remove(`calls/${taskId}/${name}`);
  };
  return {
    /** A folder for a tree of this task; `checkOut` fills it. */
    tree(taskId: string, name: string) {
      return join(made(`trees/${taskId}`), name);
    },
    /** Makes the judge's folder from scratch and returns it; the content of `keep` stays. */
    desk(taskId: string, files: ReadonlyMap<string, string>, keep: readonly string[]) {
      failpoint('folders.desk.before-write');
      const folder = made(`desks/${taskId}`);
      for (const { name } of door.entries(`desks/${taskId}`))
        if (!keep.some((kept) => name === kept || name === `${kept}.index`))
          rmSync(join(folder, name), { recursive: true, force: true });
      for (const [name, content] of files) door.put(`desks/${taskId}/${name}`, content);
      return folder;
    },
    /** An empty folder for programs that need none. */
    empty: (taskId: string) => made(`desks/${taskId}.empty`),
    /** Keeps a request to an agent and its answer, for people to read. */
    keepCall(taskId: string, call: number, what: CallText, kept: string) {
      failpoint('folders.call.before-write');
      door.put(`calls/${taskId}/${call}.${what}.txt`, maskKnown(kept), 0o600);
      failpoint('folders.call.after-write');
    },
    readCall: (taskId: string, call: number, what: CallText) => text(`calls/${taskId}/${call}.${what}.txt`),
    /** Whole characters of at most `most` bytes from byte `from` on; undefined when the text is gone. */
    pieceOfCall(taskId: string, call: number, what: CallText, { from, most }: Record<'from' | 'most', number>) {
      const name = `calls/${taskId}/${call}.${what}.txt`;
      const found = door.piece(name, from, most);
      if (!found.ok) throw new Error(`${join(state, name)} ${found.why}`);
      return found.value === undefined ? undefined : trimToWholeCharacters(found.value, from);
    },
    /** Lends the last lines of a running call to boards in other processes; not durable, and overwritten each time. */
    lendTail: (taskId: string, call: number, tail: string) => door.put(tailName(taskId, call), tail, 0o600),
    removeTail: (taskId: string, call: number) => door.remove(tailName(taskId, call)),
    /** Keeps an answer verbatim and durably before it is processed; those of earlier calls are removed. */
    keepReceived(taskId: string, call: number, received: Uint8Array) {
      made(`calls/${taskId}`);
      door.write(`calls/${taskId}/${call}${RECEIVED}`, received);
      forget(taskId, `${call}${RECEIVED}`);
    },
    forgetReceived: (taskId: string) => forget(taskId),
    readReceived: (taskId: string, call: number) => text(`calls/${taskId}/${call}${RECEIVED}`),
    /** The prepared base tree for a digest, and whether `setup` has already run in it. */
    prepared(digest: string) {
      return { folder: join(made('setup'), digest), done: door.stat(`setup/${digest}.done`) !== undefined };
    },
    /** The lock of all prepared trees, since setups share caches: one run of this user holds it, and it is free when that process ends. */
    lockPrepared: () => takeFileLock(door.plain('setup.lock')),
    /** Notes that `setup` has run. */
    markPrepared: (digest: string) => door.put(`setup/${digest}.done`, ''),
    shared: findShared,
    markOf: folderFingerprint,
    /** The kept run of a gate on a base, by digest. */
    readBaseRun: (digest: string) => text(`base-runs/${digest}`),
    keepBaseRun(digest: string, run: string) {
      const folder = made('base-runs');
      door.write(`base-runs/${digest}`, run);
      forgetOldest(folder, MOST_BASE_RUNS);
    },
    forgetBaseRun: (digest: string) => door.remove(`base-runs/${digest}`),
    /** A model's opinion of a rule and a text, by digest; the oldest are forgotten. */
    readOpinion: (digest: string) => text(`opinions/${digest}`),
    keepOpinion(digest: string, opinion: string) {
      const folder = made('opinions');
      door.put(`opinions/${digest}`, maskKnown(opinion), 0o600);
      forgetOldest(folder, MOST_OPINIONS);
    },
    clear: clearPlace,
    written: readInside,
    /** Removes trees and desk of a task that has ended. */
    tidy(taskId: string) {
      failpoint('folders.tidy.before-remove');
      for (const place of [`trees/${taskId}`, `desks/${taskId}`, `desks/${taskId}.empty`])
        void moveToTrash(door.at(place));
      forget(taskId);
      failpoint('folders.tidy.after-remove');
    },
  };
}

/**
 * The real path of a shared path; undefined when it does not exist, or a link leads it out of `folder`. Folders for the
 * caches of tools are made in it, since a cage can mount an empty one only where a folder is.
 */
function findShared(folder: string, path: string): string | undefined {
  if (!existsSync(join(folder, path))) return undefined;
  const real = realpathSync(join(folder, path));
  if (!real.startsWith(realpathSync(folder) + sep)) return undefined;
  for (const cache of listCacheFolders(real)) {
    try {
      mkdirSync(cache, { recursive: true });
    } catch {
      // It may not be written, or a file has that name: then a tool that writes there fails.
    }
  }
  return real;
}

/** The longest UTF-8 character, in bytes. */
const LONGEST = 4;

/** The whole characters in some bytes of a text; a cut character belongs to the next piece. */
export function trimToWholeCharacters(
  { bytes, total }: { readonly bytes: Uint8Array; readonly total: number },
  start: number,
): TextPiece {
  const from = Math.min(start, total);
  const end = from + bytes.length < total ? bytes.length - cutAtEnd(bytes) : bytes.length;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end));
  return { text, from, to: from + end, total };
}

/** How many bytes at the end begin an incomplete character; 0 where the bytes are not UTF-8. */
function cutAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0;
  }
  return 0;
}

const lengthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2);
