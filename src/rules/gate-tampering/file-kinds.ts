import type { ChangedFile } from '../../record/change.ts';

/** Describes changed file modes, one sentence a file: no line of a diff shows them. */
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
