import type { ChangedFile } from '../../record/change.ts';

/** What a change does to files beside their lines, one sentence a file: no line of a diff shows it, so it is said. */
export const kindsInWords = (files: readonly ChangedFile[]): readonly string[] =>
  files.flatMap(({ path, status, oldMode, newMode }) => {
    if (status === 'deleted' || oldMode === newMode) return [];
    const [was, is] = [KINDS[oldMode], KINDS[newMode]];
    if (is !== undefined) return [status === 'added' ? `${path} is new, and is ${is}` : `${path} becomes ${is}`];
    return was === undefined ? [] : [`${path} is not ${was} any more`];
  });

/** What git can keep beside plain files, by its modes. */
const KINDS: Readonly<Record<string, string>> = {
  '100755': 'executable',
  '120000': 'a link',
  '160000': 'a submodule',
};
