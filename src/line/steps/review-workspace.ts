import type { TaskRecord } from '../record/task-record.ts';
import { listTodoRows, formatTodos } from '../record/facts.ts';
import { classifyPath, mayBeAllowed } from '../../base/paths.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { renderReviewRequest } from '../reports/review-request.ts';
import { renderEarlierRounds, renderFindings, renderGateEvidence, renderRebuttal } from '../reports/reports.ts';
import { describeContract } from '../stations/brief.ts';
import { DESK, quoteWeigher, type WeighQuote } from '../stations/evidence.ts';
import { indexTree } from '../git/tree-index.ts';
import type { Needs } from '../services/services.ts';

/** Lays out what the judge may read: papers and the judged tree; in a folder of its own (`place`) for each of several. */
export async function prepareJudgeDir(
  services: Needs<'folders' | 'repository'>,
  record: TaskRecord,
  place = record.taskId,
): Promise<string> {
  const { change } = record;
  if (change === undefined) throw new Error('there is no change to judge');
  const files = new Map<string, string>([
    [DESK.contract, `${describeContract(record, true)}\n${checklistFor(record)}`],
    [DESK.diff, await services.repository.patch(record.base, change.commit)],
    [DESK.gates, `${renderGateEvidence(record.gates, record.weakeningReport, acceptanceGates(record))}\n`],
    [DESK.findings, `${renderFindings(record)}\n`],
    [DESK.rounds, `${renderEarlierRounds(record)}\n`],
  ]);
  if (record.rebuttal.length > 0) files.set(DESK.rebuttal, renderRebuttal(record));
  const folder = services.folders.desk(place, files, [DESK.tree]);
  await services.repository.checkOut(
    change.commit,
    `${folder}/${DESK.tree}`,
    await pathsForJudge(services, record, change.commit),
  );
  return folder;
}

/** The contract's items that are known to be met. An open item is no finding: it is only unproven. */
function checklistFor({ todos = [] }: TaskRecord): string {
  if (todos.length === 0) return '';
  return `\nChecklist, as far as andon can tell (${formatTodos(todos)}; what is open here was not shown, which need not mean that it is missing):\n${listTodoRows(todos).join('\n')}\n`;
}

/** The request in `_handoff/` for the judge, without secrets of the change. */
export async function reviewRequest(services: Needs<'repository'>, record: TaskRecord): Promise<string> {
  const diff = await services.repository.patch(record.base, record.change?.commit ?? record.base);
  return withoutSecrets(renderReviewRequest(record, { diff, shownGates: acceptanceGates(record) }));
}

/** The judge's quotes, compared with the change, the judged tree and the output of acceptance gates. */
export async function checkQuotes(services: Needs<'repository'>, record: TaskRecord): Promise<WeighQuote> {
  const commit = record.change?.commit ?? record.base;
  const changed = (record.change?.files ?? []).filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const contents = await services.repository.read(commit, [
    ...new Set([...changed, ...(await pathsForJudge(services, record, commit))]),
  ]);
  const wanted = acceptanceGates(record);
  return quoteWeigher({
    patch: await services.repository.patch(record.base, commit),
    linesOf: (path) => linesIn(contents.get(path)),
    changed,
    gates: new Map(
      (record.gates?.results ?? []).filter(({ name }) => wanted.has(name)).map(({ name, output }) => [name, output]),
    ),
  });
}

/** The gates that the contract names: what they print shows whether it is met. */
const acceptanceGates = ({ contract: { gates, holdout } }: TaskRecord): ReadonlySet<string> =>
  new Set([...gates, ...holdout.gates].map(({ name }) => name));

/** The judge sees what changed, what was given, and everything that was allowed to change (names that are UTF-8). */
async function pathsForJudge(services: Needs<'repository'>, record: TaskRecord, commit: string): Promise<string[]> {
  const { constraints, specification } = record.contract;
  const sources = new Set(specification.sourceFiles.map(({ path }) => path));
  const changed = new Set((record.change?.files ?? []).map(({ path }) => path));
  const allowedPaths = [...constraints.allowedPaths, ...record.grants.paths];
  const scope = { allowedPaths, forbiddenPaths: [], protectedPaths: constraints.protectedPaths };
  const files = await services.repository.files(commit);
  const known = JUDGED.get(files);
  if (known?.contract === record.contract && known.change === record.change && known.grants === record.grants)
    return known.paths;
  const { plain, meantBy } = indexTree(files);
  const paths = [...new Set([...sources, ...changed, ...meantBy(scope.allowedPaths)])].filter(
    (path) =>
      plain.has(path) &&
      !path.includes('\ufffd') &&
      (sources.has(path) ||
        changed.has(path) ||
        (mayBeAllowed(path, scope) && classifyPath(path, scope) === 'allowed')),
  );
  const { contract, change, grants } = record;
  JUDGED.set(files, { contract, change, grants, paths });
  return paths;
}

/** What was worked out for the desk is the same for the quotes. */
const JUDGED = new WeakMap<object, Pick<TaskRecord, 'contract' | 'change' | 'grants'> & { readonly paths: string[] }>();

const linesIn = (bytes: Uint8Array | undefined): readonly string[] | undefined =>
  bytes === undefined ? undefined : new TextDecoder().decode(bytes).split('\n');
