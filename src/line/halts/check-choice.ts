import { toShellWord } from '../../base/shell-word.ts';
import { toBranchName, toTaskBranch, FILES, HANDOFF } from '../../base/names.ts';
import { describeSendBack, createSendBackPath } from '../core/send-back.ts';
import type { GivenComment, HumanComment } from '../../project/requests/comment.ts';
import { checkComments } from './check-comments.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Halt, Path } from '../record/trip.ts';
import type { Resume } from '../core/machine.ts';
import { resumeCommand, resumeEither } from '../core/resume-command.ts';
import { toSentence } from '../../base/to-sentence.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { refuseLostEdits } from '../documents/own-papers.ts';
import { amendChoice, type AmendedChoice } from '../core/amend-choice.ts';
import type { ChoiceChanges } from '../../project/requests/request.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { takeUpCommits } from './human-commits.ts';
import type { Needs } from '../services/services.ts';

/** A person's choice at a halt, as a surface passes it on. */
export interface HaltChoice extends ChoiceChanges {
  readonly taskId: string;
  /** Undefined for an answer by comments, which sends the change back. */
  readonly path: 1 | 2 | undefined;
  readonly comments?: readonly GivenComment[] | undefined;
  /** The halt that the person read; undefined = the current one. */
  readonly haltId: string | undefined;
  /** The tree and the contract that the person read; undefined = those of the halt. */
  readonly tree?: string | undefined;
  readonly contractDigest?: string | undefined;
  /** Set for an answer in `DECISION.json`, with the nonce that it names. */
  readonly file?: { readonly nonce: string | undefined } | undefined;
  /** The task id as typed, where the path requires it. */
  readonly confirm?: string | undefined;
  readonly by: string;
  readonly how: string;
  readonly reason?: string | undefined;
}

/** A valid choice, as the line takes it. */
export type CheckedChoice = Pick<Resume, 'reason' | 'choice' | 'change'>;

/**
 * Checks a choice against its halt; throws a Problem for an outdated, impossible or lossy one. Commits that a person made
 * meanwhile go with it.
 */
export async function checkChoice(
  services: Needs<'digest' | 'handoff' | 'journal' | 'repository' | 'say'>,
  record: TaskRecord,
  given: HaltChoice,
): Promise<CheckedChoice> {
  const choice = maskWords(given);
  const { halt, path } = chosenPath(services, record, choice);
  const comments = await commentsOf(services, record, choice);
  const { effect, shown } = amendPath(record, path, choice);
  const taken = await takeUpCommits(services, record, { ...path, effect });
  return {
    reason: [choiceInWords(choice, path.title, comments), ...shown].join('; '),
    choice: {
      halt: halt.id,
      ...(choice.path === undefined ? { comments: [...comments] } : { path: choice.path }),
      by: choice.by,
      how: choice.how,
      ...(choice.reason === undefined ? {} : { reason: choice.reason }),
      ...(choice.say === undefined ? {} : { say: choice.say }),
      effect: taken?.effect ?? effect,
    },
    ...(taken === undefined ? {} : { change: taken.change }),
  };
}

/** A person's words stay in the journal and go to agents. */
const maskWords = ({ say, reason, ...choice }: HaltChoice): HaltChoice => ({
  ...choice,
  ...(say === undefined ? {} : { say: withoutSecrets(say) }),
  ...(reason === undefined ? {} : { reason: withoutSecrets(reason) }),
});

async function commentsOf(
  services: Needs<'repository'>,
  record: TaskRecord,
  { comments = [] }: HaltChoice,
): Promise<readonly HumanComment[]> {
  if (comments.length === 0) return [];
  const checked = await checkComments(services, record, comments);
  const head = await services.repository.resolve(toTaskBranch(record.taskId));
  if (head !== undefined && head !== record.change?.commit)
    throw new Problem(
      'outdated-choice',
      `${toBranchName(toTaskBranch(record.taskId))} has commits that the comments are not about (${head.slice(0, 12)})`,
      `take a path, which has your commits checked: ${resumeEither(record.taskId, record.halt?.id)}`,
    );
  return checked;
}

function amendPath(record: TaskRecord, { effect, title }: Path, choice: HaltChoice): AmendedChoice {
  const { say, allow, model, budget_usd: usd, budget_minutes: minutes, max_diff: diff } = choice;
  const said = say === undefined ? '' : ` --say ${toShellWord(say) ?? '"…"'}`;
  const again = resumeCommand(record.taskId, choice.path ?? 1, record.halt?.id) + said;
  const other = resumeCommand(record.taskId, choice.path === 2 ? 1 : 2, record.halt?.id) + said;
  const hasChanges = [allow, model, usd, minutes, diff].some((one) => one !== undefined);
  if (effect.to === 'abandoned' && (hasChanges || say !== undefined)) {
    const what = `path ${choice.path} ("${title}") ends the task, so nothing can be said or changed for it`;
    // Never the command that ends it: it would be pasted.
    throw createUsageError(what, other);
  }
  const refused = [...(record.lastFacts.scopeRefused ?? []), ...(record.lastFacts.protectedRefused ?? [])];
  if (
    record.halt?.trip.breaker === 'scope' &&
    effect.paths === undefined &&
    allow?.some((one) => refused.includes(one))
  )
    throw createUsageError(
      `path ${choice.path} ("${title}") keeps the scope, so it cannot allow ${toTerminalLine(allow.join(', '), 200)}`,
      other,
    );
  if (effect.contract === 'edited' && hasChanges)
    throw createUsageError(`path ${choice.path} ("${title}") takes the limits of the edited contract alone`, again);
  const amended = amendChoice(record, effect, choice);
  if (!amended.ok)
    throw createUsageError(`Invalid value: ${amended.why.option}. ${toSentence(amended.why.why)}.`, again);
  return amended.value;
}

function chosenPath(
  services: Needs<'digest' | 'handoff' | 'journal'>,
  record: TaskRecord,
  choice: HaltChoice,
): { readonly halt: Halt; readonly path: Path } {
  const { halt } = record;
  if (halt === undefined) throw createNotHalted(record, choice);
  refuseOutdated(services, record, halt, choice);
  const path = pathOf(record, halt, choice);
  refuseUnconfirmed(record, path, choice);
  if (choice.path !== undefined && path.reasoned === true && (choice.reason ?? '').trim() === '')
    throw createUsageError(
      `path ${choice.path} ("${path.title}") is taken only with a reason, which is recorded`,
      `${resumeCommand(record.taskId, choice.path, halt.id)} --reason "why"`,
    );
  if (services.handoff.exists(FILES.stop))
    throw new Problem(
      'outdated-choice',
      `${HANDOFF}/${FILES.stop} is there, so nothing may go on`,
      `remove it: then an answer in ${HANDOFF}/ counts, or type: ${choice.path === undefined ? resumeEither(record.taskId, halt.id) : resumeCommand(record.taskId, choice.path, halt.id)}`,
    );
  refuseLostEdits(services, record);
  return { halt, path };
}

function pathOf(record: TaskRecord, halt: Halt, { path, comments = [] }: HaltChoice): Path {
  const { taskId } = record;
  const either = resumeEither(taskId, halt.id);
  if (path !== undefined && comments.length > 0)
    throw createUsageError('a path and comments cannot be combined: comments send the change back', either);
  if (path !== undefined) return halt.paths[path - 1] ?? halt.paths[0];
  if (comments.length === 0) throw createUsageError('there is neither a path nor a comment', either);
  const way = createSendBackPath(record);
  if (way !== undefined) return way;
  throw createUsageError(
    record.change === undefined
      ? `${taskId} has no attempt yet that could be sent back`
      : `a halt by ${halt.trip.breaker} is answered with a path, not with comments`,
    either,
  );
}

function createNotHalted({ taskId, lastChoice }: TaskRecord, { haltId }: HaltChoice): Problem {
  if (haltId === undefined || lastChoice?.halt !== haltId)
    return new Problem('not-halted', `${taskId} is not halted`, 'andon status');
  return new Problem(
    'not-halted',
    `halt ${haltId} was answered already, with ${nameAnswer(lastChoice)} by ${toTerminalLine(lastChoice.by, 80)}; ${taskId} is not halted`,
    'andon status',
  );
}

export const nameAnswer = ({ path }: { readonly path?: HaltChoice['path'] }): string =>
  path === undefined ? 'comments' : `path ${path}`;

/** A choice is valid only for the halt, the tree and the contract that the person read. */
function refuseOutdated(
  { handoff }: Needs<'handoff'>,
  record: TaskRecord,
  standing: Halt,
  { haltId, tree, contractDigest, file }: HaltChoice,
): void {
  const outdated = (what: string): Problem =>
    new Problem(
      'outdated-choice',
      `that answer was given ${what}`,
      `read ${handoff.shown(FILES.halt)} again, then: ${resumeEither(record.taskId, standing.id)}`,
    );
  if (haltId !== undefined && haltId !== standing.id)
    throw outdated(`for halt ${toTerminalLine(haltId, 100)}; the current one is ${standing.id}`);
  if (file !== undefined && standing.nonce !== undefined && file.nonce !== standing.nonce)
    throw new Problem(
      'outdated-choice',
      file.nonce === undefined
        ? 'it names no nonce, so it may have lain there before the halt'
        : `it names the nonce ${toTerminalLine(file.nonce, 40)}, which is not that of ${standing.id}`,
      `copy the JSON that ${handoff.shown(FILES.halt)} shows, or type: ${resumeEither(record.taskId, standing.id)}`,
    );
  const halted = standing.tree ?? 'none';
  if (tree !== undefined && tree !== halted)
    throw outdated(`about the tree ${toTerminalLine(tree, 80)}; ${standing.id} is about ${halted}`);
  if (contractDigest !== undefined && contractDigest !== record.contractDigest)
    throw outdated(`under the contract ${toTerminalLine(contractDigest, 80)}; ${record.contractDigest} holds`);
}

/** Some paths require the task id, so that a slip cannot take them. */
function refuseUnconfirmed({ taskId, halt }: TaskRecord, { title, typed }: Path, { path, confirm }: HaltChoice): void {
  const given = confirm?.trim() ?? '';
  if (path === undefined || given === taskId || (typed !== true && given === '')) return;
  const how = `${resumeCommand(taskId, path, halt?.id)} --confirm ${taskId}`;
  throw given === ''
    ? createUsageError(`path ${path} ("${title}") needs the task id as a confirmation`, how)
    : createUsageError(`path ${path} is confirmed with "${toTerminalLine(given, 80)}"; the task is ${taskId}`, how);
}

const choiceInWords = (
  { path, by, how, reason, say }: HaltChoice,
  title: string,
  comments: readonly HumanComment[],
): string =>
  path === undefined
    ? `${describeSendBack(comments)} (by ${by}, ${how})`
    : `${by} chose path ${path} (${how}): ${title}${reason === undefined || reason === '' ? '' : `, because: ${reason}`}${say === undefined ? '' : `, saying: ${toTerminalLine(say, 300)}`}`;
