import { toShellWord } from '../../base/shell-word.ts';
import { toBranchName, toTaskBranch, FILES, HANDOFF, STOP_FILE } from '../../base/names.ts';
import { explainComments, createCommentPath } from '../core/comment-path.ts';
import type { GivenComment, HumanComment } from '../../project/requests/comment.ts';
import { checkComments } from './check-comments.ts';
import type { Admitted } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Halt, Path } from '../record/trip.ts';
import type { Resume } from '../core/machine.ts';
import { resumeCommand, resumeEither } from '../halts/resume-command.ts';
import { toSentence } from '../../base/to-sentence.ts';
import { describeFault } from '../../base/fault.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { refuseLostEdits } from '../documents/own-papers.ts';
import { amendChoice } from '../halts/amend-choice.ts';
import { admitContract } from '../intake/admit.ts';
import { checkWorkers } from '../intake/check-workers.ts';
import type { ChoiceChanges } from '../../project/requests/request.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { openTaskServices } from '../services/configuration.ts';
import { nameAnswer } from './interpret-decision.ts';
import { takeUpCommits } from './human-commits.ts';
import type { LineServices, Needs } from '../services/services.ts';

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
  /** Set for an answer in `DECISION.json`: the nonce that it names, and the path of the file as people know it. */
  readonly file?: { readonly nonce: string | undefined; readonly shown: string } | undefined;
  /** The task id as typed, where the path requires it. */
  readonly confirm?: string | undefined;
  readonly by: string;
  readonly how: string;
  readonly reason?: string | undefined;
}

/** A valid choice, as the line takes it; with the edited contract, where its path takes that. */
export interface CheckedChoice extends Pick<Resume, 'reason' | 'choice' | 'change'> {
  readonly edited?: Admitted;
}

/**
 * Checks a choice against its halt; throws a Problem for an outdated, impossible or lossy one. Commits that a person made
 * meanwhile go with it. Nothing has changed until the line takes it.
 */
export async function checkChoice(
  services: LineServices,
  record: TaskRecord,
  given: HaltChoice,
): Promise<CheckedChoice> {
  const choice = maskWords(given);
  const answer = findAnswer(services, record, choice);
  const why = PRECONDITIONS.map((explain) => explain(answer)).find((problem) => problem !== undefined);
  if (why !== undefined) throw why;
  refuseLostEdits(services, record);
  const comments = await commentsOf(services, record, choice);
  const amended = amendChoice(record, answer.path.effect, choice);
  if (!amended.ok)
    throw createUsageError(`Invalid value: ${amended.why.option}. ${toSentence(amended.why.why)}.`, answer.again);
  if (choice.model !== undefined) await refuseUnknownModel(services, record, choice.model, answer.again);
  const { effect, shown } = amended.value;
  const edited = effect.contract === 'edited' ? await admitEdited(services, record) : undefined;
  const taken = await takeUpCommits(services, record, { ...answer.path, effect });
  return {
    reason: [choiceInWords(choice, answer.path.title, comments), ...shown].join('; '),
    choice: {
      halt: answer.halt.id,
      ...(choice.path === undefined ? { comments: [...comments] } : { path: choice.path }),
      by: choice.by,
      how: choice.how,
      ...(choice.reason === undefined ? {} : { reason: choice.reason }),
      ...(choice.say === undefined ? {} : { say: choice.say }),
      effect: taken?.effect ?? effect,
    },
    ...(taken === undefined ? {} : { change: taken.change }),
    ...(edited === undefined ? {} : { edited }),
  };
}

/** A person's words stay in the journal and go to agents. */
const maskWords = ({ say, reason, ...choice }: HaltChoice): HaltChoice => ({
  ...choice,
  ...(say === undefined ? {} : { say: withoutSecrets(say) }),
  ...(reason === undefined ? {} : { reason: withoutSecrets(reason) }),
});

/** A choice beside the halt and the path that it is about. */
interface Answer {
  readonly record: TaskRecord;
  readonly halt: Halt;
  readonly choice: HaltChoice;
  readonly path: Path;
  /** The path by its number and its title. */
  readonly named: string;
  /** What to correct: the command to the same path, or the file with comments. */
  readonly again: string;
  /** The command that leads to the other path. */
  readonly other: string;
  /** Where the halt's report is. */
  readonly report: string;
  readonly hasStop: boolean;
}

function findAnswer({ handoff }: Needs<'handoff'>, record: TaskRecord, choice: HaltChoice): Answer {
  const { halt, taskId } = record;
  if (halt === undefined) throw createNotHalted(record, choice);
  const path = choice.path === undefined ? createCommentPath(record) : halt.paths[choice.path - 1];
  const said = choice.say === undefined ? '' : ` --say ${toShellWord(choice.say) ?? '"…"'}`;
  const answer = {
    record,
    halt,
    choice,
    named: `path ${choice.path} ("${path?.title}")`,
    again:
      choice.path === undefined
        ? `correct ${choice.file?.shown ?? `${HANDOFF}/${FILES.decision}`}`
        : resumeCommand(taskId, choice.path, halt.id) + said,
    other: resumeCommand(taskId, choice.path === 2 ? 1 : 2, halt.id) + said,
    report: handoff.shown(FILES.halt),
    hasStop: handoff.exists(FILES.stop),
  };
  if (path !== undefined) return { ...answer, path };
  throw (
    explainOutdated(answer) ??
    createUsageError(
      record.change === undefined
        ? `${taskId} has no attempt yet that could be sent back`
        : `a halt by ${halt.trip.breaker} is answered with a path, not with comments`,
      resumeEither(taskId, halt.id),
    )
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

/** What an answer must fulfil, in this order; each explains why it does not. */
const PRECONDITIONS: readonly ((answer: Answer) => Problem | undefined)[] = [
  explainOutdated,
  explainOtherFile,
  explainUnconfirmed,
  ({ record, halt, path, choice, named }) =>
    choice.path !== undefined && path.reasoned === true && (choice.reason ?? '').trim() === ''
      ? createUsageError(
          `${named} is taken only with a reason, which is recorded`,
          `${resumeCommand(record.taskId, choice.path, halt.id)} --reason "why"`,
        )
      : undefined,
  ({ record, halt, choice, hasStop }) =>
    hasStop
      ? new Problem(
          'outdated-choice',
          `${STOP_FILE} is there, so nothing may go on`,
          `remove it: then an answer in ${HANDOFF}/ counts, or type: ${choice.path === undefined ? resumeEither(record.taskId, halt.id) : resumeCommand(record.taskId, choice.path, halt.id)}`,
        )
      : undefined,
  // Never with the command that ends the task as the remedy: it would be pasted.
  ({ path, choice, named, other }) =>
    path.effect.to === 'abandoned' && (hasChanges(choice) || choice.say !== undefined)
      ? createUsageError(`${named} ends the task, so nothing can be said or changed for it`, other)
      : undefined,
  ({ record: { lastFacts }, halt, path, choice: { allow = [] }, named, other }) => {
    const refused = [...(lastFacts.scopeRefused ?? []), ...(lastFacts.protectedRefused ?? [])];
    return halt.trip.breaker === 'scope' &&
      path.effect.paths === undefined &&
      allow.some((one) => refused.includes(one))
      ? createUsageError(`${named} keeps the scope, so it cannot allow ${toTerminalLine(allow.join(', '), 200)}`, other)
      : undefined;
  },
  ({ path, choice, named, again }) =>
    path.effect.contract === 'edited' && hasChanges(choice)
      ? createUsageError(`${named} takes the limits of the edited contract alone`, again)
      : undefined,
];

const hasChanges = ({
  allow,
  model,
  budget_usd: usd,
  budget_minutes: minutes,
  max_diff_size: diff,
}: HaltChoice): boolean => [allow, model, usd, minutes, diff].some((one) => one !== undefined);

/** A choice is valid only for the halt, the tree and the contract that the person read. */
function explainOutdated({ record, halt, choice, report }: Omit<Answer, 'path'>): Problem | undefined {
  const { haltId = halt.id, contractDigest = record.contractDigest } = choice;
  const halted = halt.tree ?? 'none';
  const { tree = halted } = choice;
  const given =
    haltId !== halt.id
      ? `for halt ${toTerminalLine(haltId, 100)}; the current one is ${halt.id}`
      : tree !== halted
        ? `about the tree ${toTerminalLine(tree, 80)}; ${halt.id} is about ${halted}`
        : contractDigest !== record.contractDigest
          ? `under the contract ${toTerminalLine(contractDigest, 80)}; ${record.contractDigest} holds`
          : undefined;
  if (given === undefined) return undefined;
  const remedy = `read ${report} again, then: ${resumeEither(record.taskId, halt.id)}`;
  return new Problem('outdated-choice', `that answer was given ${given}`, remedy);
}

/** An answer in a file names the nonce of its halt. */
function explainOtherFile({ record, halt, choice: { file }, report }: Answer): Problem | undefined {
  if (file === undefined || halt.nonce === undefined || file.nonce === halt.nonce) return undefined;
  return new Problem(
    'outdated-choice',
    file.nonce === undefined
      ? 'it names no nonce, so it may have lain there before the halt'
      : `it names the nonce ${toTerminalLine(file.nonce, 40)}, which is not that of ${halt.id}`,
    `copy the JSON that ${report} shows, or type: ${resumeEither(record.taskId, halt.id)}`,
  );
}

/** Some paths require the task id, so that a slip cannot take them. */
function explainUnconfirmed({ record, halt, path, choice, named }: Answer): Problem | undefined {
  const { taskId } = record;
  const given = choice.confirm?.trim() ?? '';
  if (choice.path === undefined || given === taskId || (path.typed !== true && given === '')) return undefined;
  const how = `${resumeCommand(taskId, choice.path, halt.id)} --confirm ${taskId}`;
  return given === ''
    ? createUsageError(`${named} needs the task id as a confirmation`, how)
    : createUsageError(
        `path ${choice.path} is confirmed with "${toTerminalLine(given, 80)}"; the task is ${taskId}`,
        how,
      );
}

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

/** Refuses a model that a person names with a path and that no profile or program here has. */
async function refuseUnknownModel(
  services: LineServices,
  record: TaskRecord,
  model: string,
  again: string,
): Promise<void> {
  const { contract } = record;
  // Of a list of implementers every model is looked for; of one alone none is.
  const roles = { ...contract.roles, implementers: [model, model] };
  const faults = await checkWorkers(await openTaskServices(services, record), { ...contract, roles }, () => undefined);
  const fault = faults.find((one) => one.path.includes('implementer'));
  if (fault === undefined) return;
  const why = `Invalid value: --model ${toTerminalLine(model, 60)}. Expected ${fault.expected}.`;
  throw createUsageError(why, again);
}

/** The edited contract of a halt, admitted like any other; a Problem when it is not valid. */
async function admitEdited(services: LineServices, record: TaskRecord): Promise<Admitted> {
  const edited = record.lastFacts.tampered?.edited;
  const admitted = edited === undefined ? undefined : await admitContract(services, edited, { hasBegun: true });
  if (admitted?.ok === true) return admitted.value;
  const [fault] = admitted?.why ?? [];
  throw createUsageError(
    `the edited contract is not valid, so it cannot be taken${fault === undefined ? '' : `: ${fault.path}: ${describeFault(fault)}`}`,
    resumeCommand(record.taskId, 2, record.halt?.id),
  );
}

const choiceInWords = (
  { path, by, how, reason, say }: HaltChoice,
  title: string,
  comments: readonly HumanComment[],
): string =>
  path === undefined
    ? `${explainComments(comments)} (by ${by}, ${how})`
    : `${by} chose path ${path} (${how}): ${title}${reason === undefined || reason === '' ? '' : `, because: ${reason}`}${say === undefined ? '' : `, saying: ${toTerminalLine(say, 300)}`}`;
