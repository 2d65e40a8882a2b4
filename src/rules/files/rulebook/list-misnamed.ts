import { CONFIG } from '../../../project/config/read-settings.ts';
import { findNearestWord } from '../../../base/find-nearest-word.ts';
import { BASELINE_FILE } from '../../load/baseline-file.ts';
import { WAIVERS_FILE } from '../../load/waiver-file.ts';
import { openDir } from '../../../base/system/safe-fs.ts';

/** Files in `.andon/` with nearly the right name: their author believes that they count. */
export function listMisnamed(root: string): readonly string[] {
  return namesIn(root).flatMap((name) => {
    if (KNOWN.includes(name) || LEFTOVER.test(name)) return [];
    const stem = name.replace(/\.[a-z]+$/i, '').toLowerCase();
    const meant = KNOWN.find((known) => known.replace(/\.[a-z]+$/, '') === stem) ?? findNearestWord(name, KNOWN);
    return meant === undefined ? [] : [`.andon/${name} is not read; andon reads .andon/${meant}`];
  });
}

const KNOWN = [CONFIG, WAIVERS_FILE, BASELINE_FILE, '.andon/rules'].map((path) => path.slice('.andon/'.length));
/** What editors and copies leave behind. */
const LEFTOVER = /(?:~|\.(?:bak|orig|old|swp|tmp|lock))$/i;

function namesIn(root: string): readonly string[] {
  try {
    return openDir(root)
      .entries('.andon')
      .map(({ name }) => name)
      .toSorted();
  } catch {
    return [];
  }
}
