import { CONFIG } from '../../../project/config/read-settings.ts';
import { findNearestWord } from '../../../base/find-nearest-word.ts';
import { BASELINE_FILE } from '../../load/baseline-file.ts';
import { RULE_ENDINGS, holdsRules } from '../../load/parse-rule-file.ts';
import { WAIVERS_FILE } from '../../load/waiver-file.ts';
import { openDir } from '../../../base/system/safe-fs.ts';
import { RULE_FOLDERS } from '../../model/rule-words.ts';

/** Files in `.andon/` with nearly the right name, and files beside rules that hold none: their author believes that they count. */
export function listMisnamed(root: string): readonly string[] {
  const misnamed = namesIn(root, '.andon').flatMap((name) => {
    if (KNOWN.includes(name) || LEFTOVER.test(name)) return [];
    const stem = name.replace(/\.[a-z]+$/i, '').toLowerCase();
    const meant = KNOWN.find((known) => known.replace(/\.[a-z]+$/, '') === stem) ?? findNearestWord(name, KNOWN);
    return meant === undefined ? [] : [`.andon/${name} is not read; andon reads .andon/${meant}`];
  });
  const unread = RULE_FOLDERS.flatMap((folder) =>
    namesIn(root, folder, 'files')
      .filter((name) => !holdsRules(name) && !LEFTOVER.test(name) && !BESIDE_RULES.test(name))
      .map((name) => `${folder}/${name} is not read; rules are written in ${RULE_ENDINGS}`),
  );
  return [...misnamed, ...unread];
}

const KNOWN = [CONFIG, WAIVERS_FILE, BASELINE_FILE, '.andon/rules'].map((path) => path.slice('.andon/'.length));
/** What editors and copies leave behind. */
const LEFTOVER = /(?:~|\.(?:bak|orig|old|swp|tmp|lock))$/i;
/** Files of any folder, which no one takes for rules. */
const BESIDE_RULES = /^(?:\.|README|LICENSE|CHANGELOG|CODEOWNERS)/i;

function namesIn(root: string, folder: string, kind?: 'files'): readonly string[] {
  try {
    return openDir(root)
      .entries(folder)
      .filter((entry) => kind === undefined || entry.isFile())
      .map(({ name }) => name)
      .toSorted();
  } catch {
    return [];
  }
}
