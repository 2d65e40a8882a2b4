import { decodeUtf8 } from '../../base/decode-file-text.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { ShownFile } from '../../line/stations/brief.ts';
import { listConventionPaths } from '../../line/stations/fence.ts';
import type { Needs } from '../../wiring/services.ts';
import { indexTree } from '../git/tree-index.ts';

/** The conventions of the project for a task, as its tree has them (AGENTS.md, CLAUDE.md). */
export async function readConventions(
  { repository, settings }: Needs<'repository' | 'settings'>,
  { contract, grants }: LineRecord,
  head: string,
): Promise<readonly ShownFile[]> {
  if (settings.conventions.length === 0) return [];
  const { byPath } = indexTree(await repository.files(head));
  const { targetFile } = contract.specification;
  const scope = [
    ...(targetFile === undefined ? [] : [targetFile]),
    ...contract.constraints.allowedPaths,
    ...grants.paths,
  ];
  const paths = listConventionPaths(settings.conventions, scope, (path) => byPath.has(path));
  const contents = await repository.read(head, paths);
  return paths.flatMap((path) => {
    const bytes = contents.get(path);
    const text = bytes === undefined || bytes.includes(0) ? undefined : decodeUtf8(bytes);
    return text === undefined || text.trim() === '' ? [] : [{ path, text }];
  });
}
