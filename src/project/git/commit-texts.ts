import type { CommitText } from './repository-facts.ts';
import { askGit, type GitCall } from './git.ts';

/** Messages, authors and notes of the commits in `to` and not in `without`, and their tags. */
export async function readCommitTexts(
  repository: GitCall,
  to: string,
  without: readonly string[],
  most: number,
): Promise<readonly CommitText[] | undefined> {
  const range = ['--end-of-options', to, ...without.map((commit) => `^${commit}`), '--'];
  const logged = await fieldsOf(
    repository,
    [
      'log',
      '--no-show-signature',
      '--encoding=UTF-8',
      '--notes=*',
      '--format=%H%x00%an <%ae>%n%cn <%ce>%n%B%x00%N%x00',
      ...range,
    ],
    most,
  );
  if (logged === undefined) return undefined;
  const texts: CommitText[] = [];
  const commits = new Set<string>();
  for (let at = 0; at + 2 < logged.length; at += 3) {
    const [commit = '', message = '', note = ''] = logged.slice(at, at + 3);
    commits.add(commit.trim());
    texts.push({ commit: commit.trim(), kind: 'message', name: '', text: message });
    if (note.trim() !== '') texts.push({ commit: commit.trim(), kind: 'note', name: '', text: note });
  }
  const tags = await fieldsOf(
    repository,
    ['for-each-ref', '--format=%(objectname)%00%(*objectname)%00%(refname:strip=2)%00%(contents)%00', 'refs/tags'],
    most,
  );
  if (tags === undefined) return undefined;
  for (let at = 0; at + 3 < tags.length; at += 4) {
    const [own = '', peeled = '', name = '', contents = ''] = tags.slice(at, at + 4);
    const commit = peeled === '' ? own.trim() : peeled;
    // For a tag without a message, git prints that of the commit.
    if (commits.has(commit))
      texts.push({ commit, kind: 'tag', name, text: peeled === '' ? name : `${name}\n${contents}` });
  }
  return texts;
}

/** git's output between zero bytes; undefined where it exceeds `most` bytes. */
async function fieldsOf(
  { gitDir }: GitCall,
  words: readonly string[],
  most: number,
): Promise<readonly string[] | undefined> {
  const { stdout, isCut } = await askGit(words, { gitDir, most });
  return isCut === true ? undefined : stdout.toString('utf8').split('\0');
}
