import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failpoint } from '../../base/system/failpoints.ts';
import type { RefMove } from './interrupted-merge.ts';
import { readRef, readRefFile } from './refs.ts';

/**
 * Creates refs one after the other, without a process and without locks that a crash would leave: each is written in
 * full and linked to its name, which never replaces another ref. False leaves them to git: one exists, clashes with
 * another one or is locked, or the repository keeps its refs in another way.
 */
export function createRefs(commonDir: string, refs: readonly RefMove[]): boolean {
  if (!refs.every(({ ref, old }) => old === undefined && isFree(commonDir, ref))) return false;
  const at = (name: string): string => join(commonDir, name);
  const written: (readonly [temporary: string, place: string])[] = [];
  try {
    for (const { ref, to } of refs) {
      for (const name of [ref, `logs/${ref}`]) mkdirSync(dirname(at(name)), { recursive: true });
      const came = `${'0'.repeat(to.length)} ${to} andon <andon@localhost> ${Math.floor(Date.now() / 1000)} +0000`;
      appendFileSync(at(`logs/${ref}`), `${came}\tandon\n`);
      const temporary = at(`objects/tmp_obj_${randomUUID()}`); // which git itself removes after a crash
      written.push([temporary, at(ref)]);
      writeFileSync(temporary, `${to}\n`, { flag: 'wx', flush: true });
    }
    for (const [temporary, place] of written) {
      failpoint('refs.create.before-link');
      linkSync(temporary, place);
    }
    return true;
  } catch {
    return false;
  } finally {
    for (const [temporary] of written) rmSync(temporary, { force: true });
  }
}

/** Whether git would take the name, and no ref has it, locks it, is above it or is in a folder of that name. */
function isFree(commonDir: string, ref: string): boolean {
  if (MALFORMED.test(ref) || readRef(commonDir, ref) !== null) return false;
  if ([ref, `${ref}.lock`].some((name) => existsSync(join(commonDir, name)))) return false;
  const [config = '', packed = ''] = ['config', 'packed-refs'].map((name) => readRefFile(join(commonDir, name)) ?? '');
  if (/sharedrepository/i.test(config)) return false; // git gives files other modes there
  const above = ref.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'));
  return !packed.includes(` ${ref}/`) && !above.some((folder) => packed.includes(` ${folder}\n`));
}

/** A part that git refuses: it begins or ends with a dot, is a lock, or is empty. */
const MALFORMED = /(?:^|\/)(?:\.|\/|$)|\.(?:lock)?(?:\/|$)/;
