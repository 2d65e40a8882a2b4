import { decodeUtf8 } from '../../base/decode-file-text.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { ShownFile } from '../stations/describe-contract.ts';
import { selectFiles, type FilesInQuestion } from '../stations/files-in-question.ts';
import { type ImplementerView, listConventionPaths } from '../stations/brief-implementer.ts';
import { rankNames, rankNeighbours } from '../stations/rank-neighbours.ts';
import { computeRework } from '../stations/rework.ts';
import { indexTree, type TreeIndex } from '../git/tree-index.ts';
import type { Needs } from '../services/services.ts';

/** Bytes of all files in question together that are read for a brief. */
const READ_BYTES = 2_000_000;
/** Neighbours that are looked into, bytes of one, and those whose signatures are offered. */
const CANDIDATES = 200;
const NEIGHBOUR_BYTES = 100_000;
const NEIGHBOURS = 40;

/** What the implementer may be shown: the files in question, and its neighbours, nearest first. */
export async function selectImplementerFiles(
  services: Needs<'nonce' | 'repository'>,
  record: TaskRecord,
  head: string,
  window: number | undefined,
): Promise<Omit<ImplementerView, 'conventions' | 'reminders' | 'rules'>> {
  const rework = computeRework(record, head);
  const { byPath, plain, meantBy } = indexTree(await services.repository.files(head));
  const question = selectFiles(record, rework, plain, meantBy, (path) => byPath.get(path)?.size ?? 0);
  const read = async (paths: readonly string[]): Promise<readonly ShownFile[]> => {
    const contents = await services.repository.read(head, paths);
    return paths.flatMap((path) => {
      const text = textOf(contents.get(path));
      return text === undefined ? [] : [{ path, text }];
    });
  };
  const paths = [...question.targets, ...question.others];
  const small = withinBytes(paths, byPath, READ_BYTES);
  const shown = new Map((await read(small)).map((file) => [file.path, file]));
  const pick = (paths: readonly string[]): readonly ShownFile[] => paths.flatMap((path) => shown.get(path) ?? []);
  const neighbours = await nearest(record, [...shown.values()], question, { byPath, plain }, read);
  return {
    head,
    window,
    nonce: services.nonce(),
    targets: pick(question.targets),
    inQuestion: pick(question.others),
    neighbours: neighbours.chosen,
    leftOut: [
      ...paths
        .filter((path) => !shown.has(path))
        .map((what) => ({ what, why: small.includes(what) ? 'is not text' : 'is too large' })),
      ...question.dropped.map((what) => ({ what, why: 'left out after the last try' })),
      ...(neighbours.others > 0 ? [{ what: `${neighbours.others} other files`, why: 'further away' }] : []),
    ],
  };
}

/** The nearest neighbours with their texts: names decide who is looked into, texts who is near. */
async function nearest(
  { contract }: TaskRecord,
  inQuestion: readonly ShownFile[],
  { isNeighbour, inScope }: FilesInQuestion,
  { byPath, plain }: Pick<TreeIndex, 'byPath' | 'plain'>,
  read: (paths: readonly string[]) => Promise<readonly ShownFile[]>,
): Promise<{ readonly chosen: ImplementerView['neighbours']; readonly others: number }> {
  const { targetFile, requirements } = contract.specification;
  // A target that is yet to be written has a name and a place already.
  const known = targetFile === undefined ? inQuestion : [{ path: targetFile }, ...inQuestion];
  const task = requirements.join('\n');
  // Names alone say who is near at first; who names the files in question is only seen in the texts.
  const near: string[] = [];
  for (const path of rankNames(plain, known, task)) {
    if (near.length >= CANDIDATES) break;
    if ((byPath.get(path)?.size ?? 0) <= NEIGHBOUR_BYTES && isNeighbour(path)) near.push(path);
  }
  const texts = await read(near);
  const byText = new Map(texts.map((file) => [file.path, file]));
  const chosen = rankNeighbours(texts, known, task)
    .filter(({ path, tie }) => tie !== 'elsewhere' || inScope.has(path))
    .slice(0, NEIGHBOURS);
  const shown = new Set(chosen.map(({ path }) => path));
  return {
    chosen: chosen.flatMap(({ path, tie }) => {
      const file = byText.get(path);
      // Where nothing is in question, the nearest files are all there is to read.
      const isTied = (tie !== 'elsewhere' && tie !== 'same folder') || (known.length === 0 && inScope.has(path));
      return file === undefined ? [] : [{ ...file, isTied, mayChange: inScope.has(path) }];
    }),
    others: [...inScope].filter((path) => !shown.has(path) && isNeighbour(path)).length,
  };
}

function withinBytes(paths: readonly string[], byPath: TreeIndex['byPath'], most: number): readonly string[] {
  let left = most;
  return paths.filter((path) => {
    const size = byPath.get(path)?.size ?? 0;
    if (size > left) return false;
    left -= size;
    return true;
  });
}

/** The text of a file; undefined for a binary one. */
const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined || bytes.includes(0) ? undefined : decodeUtf8(bytes);

/** The conventions of the project for a task, as its tree has them (AGENTS.md, CLAUDE.md). */
export async function readConventions(
  { repository, settings }: Needs<'repository' | 'settings'>,
  { contract, grants }: TaskRecord,
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
    const text = textOf(contents.get(path));
    return text === undefined || text.trim() === '' ? [] : [{ path, text }];
  });
}
