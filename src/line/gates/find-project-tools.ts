import type { ProjectTool } from '../../sandbox/cage.ts';
import type { Needs, Services } from '../services/services.ts';

/** The versions of tools that the files of a commit ask for, with their folders on this machine. */
export async function findProjectTools(
  { cage, repository }: Needs<'cage' | 'repository'>,
  commit: string,
): Promise<readonly ProjectTool[]> {
  return cage.tools === undefined ? [] : cage.tools.find(await readOnce(repository, commit, cage.tools.files));
}

/** The folders of those tools, which come first on the PATH of gates and setup. */
export const listToolFolders = async (
  services: Needs<'cage' | 'repository'>,
  commit: string,
): Promise<readonly string[]> =>
  (await findProjectTools(services, commit)).flatMap(({ folder }) => (folder === undefined ? [] : [folder]));

type Contents = ReturnType<Services['repository']['read']>;
const READ = new WeakMap<object, Map<string, Contents>>();
/** A gate run asks about its base and its change, several times each. */
const MOST_COMMITS = 8;

/** Files of a commit never change; the tools on this machine may, so only the files are kept. */
function readOnce(
  repository: Pick<Services['repository'], 'read'>,
  commit: string,
  files: readonly string[],
): Contents {
  const known = READ.get(repository) ?? new Map<string, Contents>();
  READ.set(repository, known);
  const before = known.get(commit);
  if (before !== undefined) return before;
  const read = repository.read(commit, files);
  const [oldest] = known.size < MOST_COMMITS ? [] : known.keys();
  if (oldest !== undefined) known.delete(oldest);
  known.set(commit, read);
  read.catch(() => known.delete(commit));
  return read;
}
