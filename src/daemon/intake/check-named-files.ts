import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { createFault } from '../../base/fault.ts';
import type { Fault } from '../../base/fault.ts';
import { listParents } from '../../base/list-folders.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import type { TreeIndex } from '../git/tree-index.ts';
import type { Services } from '../../wiring/services.ts';

/** What is wrong with the files that a contract names, as the target branch has them; they must be plain text that andon can show and write. */
export async function checkNamedFiles(
  services: Services,
  contract: TaskContract,
  commit: string,
  { byPath: tree, spelledLike }: TreeIndex,
): Promise<readonly Fault[]> {
  const { sourceFiles, targetFile } = contract.specification;
  const named: readonly Named[] = [
    ...sourceFiles.map(({ path, sha256 }, at) => ({ path, sha256, place: `$.specification.source_files[${at}]` })),
    ...(targetFile === undefined
      ? []
      : [{ path: targetFile, sha256: undefined, place: '$.specification.target_file' }]),
  ];
  const plain = named.filter(({ path }) => tree.get(path)?.mode.startsWith('100'));
  const contents = await services.repository.read(
    commit,
    plain.map(({ path }) => path),
  );
  return [
    ...named.flatMap((one) => kindFaults(one, tree)),
    ...plain.flatMap((one) => contentFaults(services, one, contents.get(one.path))),
    ...(await targetFaults(services, targetFile, commit, { byPath: tree, spelledLike })),
  ];
}

interface Named {
  readonly path: string;
  readonly sha256: string | undefined;
  readonly place: string;
}

/** Links and submodules are never followed, neither by the file's own name nor on the way to it. */
function kindFaults({ path, place }: Named, tree: TreeIndex['byPath']): readonly Fault[] {
  const found = [...listParents(path), path].flatMap((part) => {
    const kind = KINDS[tree.get(part)?.mode ?? ''];
    return kind === undefined ? [] : [`${path}: ${part} is ${kind}`];
  });
  return found.map((what) => createFault(place, what, 'a plain file of this repository; name the file itself'));
}

/** A source file that is no text cannot be shown; one that is not what the contract was written for shows both hashes. */
function contentFaults(
  services: Pick<Services, 'digest'>,
  { path, sha256, place }: Named,
  bytes: Uint8Array | undefined,
): readonly Fault[] {
  if (bytes === undefined) return [];
  const text = textOf(bytes);
  if (text === undefined)
    return [createFault(place, path, 'a text file in UTF-8; this one is binary or in another encoding')];
  if (text.startsWith(LFS_POINTER))
    return [createFault(place, path, 'a file whose content lies in git; this one is a pointer of git-lfs')];
  const found = services.digest(bytes);
  return sha256 === undefined || sha256 === found
    ? []
    : [
        createFault(
          `${place}.hash`,
          `sha256-${sha256}`,
          `sha256-${found}, which is the hash of ${path} on the target branch; andon contract hash ${path} prints that of the file as it lies here`,
          `sha256-${found}`,
        ),
      ];
}

/** A target that could not be written as it is meant: a filter would be left out, or there would be twins. */
async function targetFaults(
  services: Pick<Services, 'repository'>,
  target: string | undefined,
  commit: string,
  { byPath: tree, spelledLike }: Pick<TreeIndex, 'byPath' | 'spelledLike'>,
): Promise<readonly Fault[]> {
  if (target === undefined) return [];
  const place = '$.specification.target_file';
  const filter = (await services.repository.filtered(commit, [target])).get(target);
  if (filter !== undefined)
    return [
      createFault(
        place,
        target,
        `a file that no filter of .gitattributes changes; this one goes through ${filter}, which andon does not run`,
      ),
    ];
  if (tree.has(target)) return [];
  const twin = spelledLike(target).find((path) => tree.has(path));
  return twin === undefined
    ? []
    : [createFault(place, target, `a name that differs from ${twin} in more than its spelling`, twin)];
}

function textOf(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  return text?.includes('\0') === true ? undefined : text;
}

const KINDS: Readonly<Record<string, string | undefined>> = { '120000': 'a symbolic link', '160000': 'a submodule' };
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';
