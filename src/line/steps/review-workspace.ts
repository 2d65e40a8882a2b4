import { getScope } from '../core/grants.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { listTodoRows, formatTodos } from '../record/facts.ts';
import { classifyPath, mayBeAllowed } from '../../base/paths.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { renderReviewRequest } from '../reports/review-request.ts';
import { renderEarlierRounds, renderFindings, renderGateEvidence, renderRebuttal } from '../reports/reports.ts';
import { describeContract } from '../stations/describe-contract.ts';
import type { SpokenAnswer } from '../../agents/json-objects.ts';
import { listCitedFiles } from '../panel/create-question.ts';
import { DESK, quoteWeigher, toProjectPath, type WeighQuote } from '../stations/weigh-quotes.ts';
import { indexTree } from '../git/tree-index.ts';
import type { Needs } from '../services/services.ts';

/** Lays out what a judge may read: papers and the judged tree. */
export async function prepareJudgeDir(
  services: Needs<'folders' | 'repository'>,
  record: TaskRecord,
  place: string,
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

/** The contract's items, each with what is known of it. An open item is no finding: it is only unproven. */
function checklistFor({ todos = [] }: TaskRecord): string {
  if (todos.length === 0) return '';
  return `\nChecklist, as far as andon can tell (${formatTodos(todos)}; an open item need not be missing):\n${listTodoRows(
    todos,
  )
    .map((row) => `- ${row}`)
    .join('\n')}\n`;
}

/** The request in `_handoff/` for the judge, without secrets of the change. */
export async function reviewRequest(services: Needs<'repository'>, record: TaskRecord): Promise<string> {
  const diff = await services.repository.patch(record.base, record.change?.commit ?? record.base);
  return withoutSecrets(renderReviewRequest(record, { diff, shownGates: acceptanceGates(record) }));
}

/**
 * Looks quotes up in the change, in every file of its tree that an answer names, and in the output of gates: of all, or for
 * a judge of those that the contract names.
 */
export async function loadQuotes(
  { repository }: Needs<'repository'>,
  record: TaskRecord,
  answer: SpokenAnswer,
  of: 'all gates' | 'acceptance gates',
): Promise<WeighQuote> {
  const commit = record.change?.commit ?? record.base;
  const changed = (record.change?.files ?? []).filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const { byPath } = indexTree(await repository.files(commit));
  const wanted = [...changed, ...listCitedFiles(answer).map(toProjectPath)].filter((path) => byPath.has(path));
  const contents = await repository.read(commit, [...new Set(wanted)]);
  const named = acceptanceGates(record);
  return quoteWeigher({
    patch: await repository.patch(record.base, commit),
    linesOf: (path) => linesIn(contents.get(path)),
    changed,
    gates: new Map(
      (record.gates?.results ?? []).flatMap(({ name, output }) =>
        of === 'all gates' || named.has(name) ? [[name, output]] : [],
      ),
    ),
  });
}

/** The gates that the contract names: what they print shows whether it is met. */
const acceptanceGates = ({ contract: { gates, holdout } }: TaskRecord): ReadonlySet<string> =>
  new Set([...gates, ...holdout.gates].map(({ name }) => name));

/** The judge sees what changed, what was given, and everything that was allowed to change (names that are UTF-8). */
async function pathsForJudge(services: Needs<'repository'>, record: TaskRecord, commit: string): Promise<string[]> {
  const { specification } = record.contract;
  const sources = new Set(specification.sourceFiles.map(({ path }) => path));
  const changed = new Set((record.change?.files ?? []).map(({ path }) => path));
  const scope = { ...getScope(record), forbiddenPaths: [] };
  const files = await services.repository.files(commit);
  const { plain, meantBy } = indexTree(files);
  return [...new Set([...sources, ...changed, ...meantBy(scope.allowedPaths)])].filter(
    (path) =>
      plain.has(path) &&
      !path.includes('\ufffd') &&
      (sources.has(path) ||
        changed.has(path) ||
        (mayBeAllowed(path, scope) && classifyPath(path, scope) === 'allowed')),
  );
}

const linesIn = (bytes: Uint8Array | undefined): readonly string[] | undefined =>
  bytes === undefined ? undefined : new TextDecoder().decode(bytes).split('\n');
