import { dirname } from 'node:path';
import type { CagedCommand, CagedResult, ProjectTool } from '../../sandbox/cage.ts';
import type { Needs } from '../services/services.ts';

/** How a command ended, where it ran, and the texts of the results that it wrote. */
interface RanInPlace extends CagedResult {
  readonly folder: string;
  readonly written?: readonly string[] | undefined;
}

/**
 * Runs commands on a commit; each finds the commit's files as in git, and no files of another command.
 * `results` is a file, or a folder of `.xml` files, that the command writes; what was there before is removed first.
 */
export type GatePlace = (command: Omit<CagedCommand, 'tree' | 'discards'>, results?: string) => Promise<RanInPlace>;

/**
 * Prepares the tree on which gates of a task run. Where the cage discards writes, the tree is checked out once; else, and
 * where a command writes a results file, each command gets a new tree.
 */
export function prepareGateTree(
  services: Needs<'cage' | 'folders' | 'repository'>,
  taskId: string,
  name: string,
  commit: string,
): GatePlace {
  const folder = services.folders.tree(taskId, name);
  let prepared: Promise<boolean> | undefined;
  let tools: Promise<readonly string[]> | undefined;
  const programs = (): Promise<readonly string[]> => (tools ??= listToolFolders(services, commit));
  const prepare = async (): Promise<boolean> => {
    const keeps = await services.cage.keepsTrees(dirname(folder));
    if (keeps) await services.repository.checkOut(commit, folder);
    return keeps;
  };
  const writing = async (command: Omit<CagedCommand, 'tree'>, results: string): Promise<RanInPlace> => {
    const own = services.folders.tree(taskId, `${name}.results`);
    await services.repository.checkOutAnew(commit, own);
    services.folders.clear(own, results);
    const result = await services.cage.run({ ...command, programs: await programs(), tree: own, discards: false });
    return { ...result, folder: own, written: services.folders.written(own, results) };
  };
  return async (command, results) => {
    if (results !== undefined) return writing(command, results);
    const discards = await (prepared ??= prepare());
    if (!discards) await services.repository.checkOutAnew(commit, folder);
    return { ...(await services.cage.run({ ...command, programs: await programs(), tree: folder, discards })), folder };
  };
}

/** The versions of tools that the files of a commit ask for, with their folders on this machine. */
export async function findProjectTools(
  { cage, repository }: Needs<'cage' | 'repository'>,
  commit: string,
): Promise<readonly ProjectTool[]> {
  return cage.tools === undefined ? [] : cage.tools.find(await repository.read(commit, cage.tools.files));
}

/** The folders of those tools, which come first on the PATH of gates and setup. */
export const listToolFolders = async (
  services: Needs<'cage' | 'repository'>,
  commit: string,
): Promise<readonly string[]> =>
  (await findProjectTools(services, commit)).flatMap(({ folder }) => (folder === undefined ? [] : [folder]));
