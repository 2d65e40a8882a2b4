import type { FilePatch } from './told.ts';

/** Takes a patch of git apart into its files, in the order in which git tells them; a hunk's lines are counted, nothing is parsed twice. */
export function splitPatch(patch: string): readonly FilePatch[] {
  const files: FilePatch[] = [];
  for (let from = patch.startsWith(HEAD) ? 0 : patch.indexOf(`\n${HEAD}`) + 1; from < patch.length;) {
    if (!patch.startsWith(HEAD, from)) break;
    const next = patch.indexOf(`\n${HEAD}`, from);
    const end = next === -1 ? patch.length : next + 1;
    files.push(fileOf(patch.slice(from, end)));
    from = end;
  }
  return files;
}

const HEAD = 'diff --git ';

function fileOf(text: string): FilePatch {
  let [added, deleted] = [0, 0];
  let name = text.slice(HEAD.length, text.indexOf('\n'));
  let inHunk = false;
  for (let at = text.indexOf('\n') + 1; at > 0 && at < text.length; at = text.indexOf('\n', at) + 1) {
    const first = text.charCodeAt(at);
    if (first === AT_SIGN) inHunk = true;
    else if (!inHunk) name = namedIn(text.slice(at, Math.max(at, text.indexOf('\n', at)))) ?? name;
    else if (first === PLUS) added += 1;
    else if (first === MINUS) deleted += 1;
  }
  return { name, added, deleted, text };
}

const [AT_SIGN, PLUS, MINUS] = ['@', '+', '-'].map((sign) => sign.charCodeAt(0));

/** The new path, or of a file that was deleted the old one. */
const namedIn = (row: string): string | undefined => /^(?:\+\+\+ b|--- a)\/([^\t]+)/.exec(row)?.[1];
