import type { ProjectTool } from '../../ports/cage.ts';
import type { Needs } from '../../wiring/services.ts';

/** The versions of tools that the files of a commit ask for, with their folders on this machine. */
export async function findProjectTools(
  { cage, repository }: Needs<'cage' | 'repository'>,
  commit: string,
): Promise<readonly ProjectTool[]> {
  if (cage.tools === undefined) return [];
  return cage.tools.find(await repository.read(commit, cage.tools.files));
}

/** The folders of those tools, which come first on the PATH of gates and setup. */
export const listToolFolders = async (
  services: Needs<'cage' | 'repository'>,
  commit: string,
): Promise<readonly string[]> =>
  (await findProjectTools(services, commit)).flatMap(({ folder }) => (folder === undefined ? [] : [folder]));
