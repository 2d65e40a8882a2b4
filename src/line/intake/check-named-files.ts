import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { createFault, type Fault } from '../../base/fault.ts';
import { listParents } from '../../base/list-folders.ts';
import type { TaskContract } from '../../project/contract/task-contract.ts';
import type { TreeIndex } from '../git/tree-index.ts';
import type { Needs } from '../services/services.ts';

interface NamedFile {
  readonly path: string;
  readonly sha256?: string | undefined;
  readonly place: string;
}

const TARGET = '$.specification.target_file';
const KINDS: Readonly<Record<string, string | undefined>> = { '120000': 'a symbolic link', '160000': 'a submodule' };
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** Checks the files that a contract names on the target branch: they must be plain text that andon can read and write. */
export async function checkNamedFiles(
  services: Needs<'digest' | 'repository'>,
  contract: TaskContract,
  commit: string,
  { byPath: tree, spelledLike }: TreeIndex,
): Promise<readonly Fault[]> {
  const { repository } = services;
  const { sourceFiles, targetFile } = contract.specification;
  const targets = targetFile === undefined ? [] : [targetFile];
  const named: readonly NamedFile[] = [
    ...sourceFiles.map((source, at) => ({ ...source, place: `$.specification.source_files[${at}]` })),
    ...targets.map((path) => ({ path, place: TARGET })),
  ];
  const plain = named.filter(({ path }) => tree.get(path)?.mode.startsWith('100'));
  const paths = plain.map(({ path }) => path);
  const contents = await repository.read(commit, paths);
  const filters = targets.length === 0 ? new Map<string, string>() : await repository.filtered(commit, targets);
  return [
    ...named.flatMap((one) => kindFaults(one, tree)),
    ...plain.flatMap((one) => contentFaults(services, one, contents.get(one.path))),
    ...targets.flatMap((path) => targetFaults(path, filters.get(path), tree.has(path) ? [] : spelledLike(path), tree)),
  ];
}

/** Links and submodules are never followed, neither as the file itself nor as a folder above it. */
function kindFaults({ path, place }: NamedFile, tree: TreeIndex['byPath']): readonly Fault[] {
  return [...listParents(path), path].flatMap((part) => {
    const kind = KINDS[tree.get(part)?.mode ?? ''];
    if (kind === undefined) return [];
    const expected = 'a plain file of this repository; name the file itself';
    return [createFault(place, `${path}: ${part} is ${kind}`, expected)];
  });
}

function contentFaults(
  services: Needs<'digest'>,
  { path, sha256, place }: NamedFile,
  bytes: Uint8Array | undefined,
): readonly Fault[] {
  if (bytes === undefined) return [];
  const text = decodeUtf8(bytes);
  if (text === undefined || text.includes('\0'))
    return [createFault(place, path, 'a text file in UTF-8; this one is binary or in another encoding')];
  if (text.startsWith(LFS_POINTER))
    return [createFault(place, path, 'a file whose content is in git; this one is a pointer of git-lfs')];
  const found = `sha256-${services.digest(bytes)}`;
  if (sha256 === undefined || `sha256-${sha256}` === found) return [];
  const expected = `${found}, the hash of ${path} on the target branch; run \`andon contract hash ${path}\` for the file in your checkout`;
  return [createFault(`${place}.hash`, `sha256-${sha256}`, expected, found)];
}

/** Refuses a target that git would change on writing, or that would differ from another file only in its spelling. */
function targetFaults(
  target: string,
  filter: string | undefined,
  spellings: readonly string[],
  tree: TreeIndex['byPath'],
): readonly Fault[] {
  if (filter !== undefined) {
    const expected = `a file that no filter of .gitattributes changes; this one goes through ${filter}, which andon does not run`;
    return [createFault(TARGET, target, expected)];
  }
  const twin = spellings.find((path) => tree.has(path));
  return twin === undefined
    ? []
    : [createFault(TARGET, target, `a name that differs from ${twin} in more than its spelling`, twin)];
}
