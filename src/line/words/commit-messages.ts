import { toOneLine } from '../../base/fault.ts';
import { toBranchName, ANDON_IDENTITY } from '../../base/names.ts';
import { toTerminal, toTerminalLine } from '../../base/plain-text.ts';
import type { TaskContract } from '../../project/contract/task-contract.ts';
import { describeWeakening } from '../../rules/model/weakening.ts';
import { fillTemplate, IDENTITY } from '../../project/config/fill-template.ts';
import type { HistorySettings } from '../../project/config/history-settings.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { listApprovals } from '../core/grants.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';

/** Characters of a subject that `git log --oneline` shows in full. */
const SUBJECT_LENGTH = 72;
/** The most of a title elsewhere; more only of a requirement that serves as one. */
const TITLE_LENGTH = 500;
/** A longer list of requirements is cut; the contract has the rest. */
const MOST_REQUIREMENTS = 8000;

export function commitMessages(
  record: TaskRecord,
  history: HistorySettings,
  { coAuthors, signedOffBy }: Pick<CommitPeople, 'coAuthors' | 'signedOffBy'>,
  /** The configuration came from the checkout, uncommitted. */
  isTrial = false,
) {
  const { subject, body } = subjectAndBody(record, history);
  const signed = [
    ...coAuthors.map((who) => `Co-authored-by: ${who}`),
    ...(signedOffBy === undefined ? [] : [`Signed-off-by: ${signedOffBy}`]),
  ];
  const trial = isTrial ? ['Andon-Configuration: files of the checkout, not committed (--working-config)'] : [];
  const receipt = [...receiptTrailers(record), ...trial, ...signed];
  const own = [...taskTrailers(record), ...signed];
  const message = (first: string, trailers: readonly string[]): string =>
    `${[first, ...(body === '' ? [] : [body]), trailers.join('\n')].join('\n\n')}\n`;
  return {
    merge: message(
      `Merge task/${record.taskId}: ${shorten(getContractTitle(record.contract), SUBJECT_LENGTH)}`,
      receipt,
    ),
    /** Of the one commit that a merge commit brings; it is no receipt of a merge. */
    change: message(subject, own),
    squash: message(subject, receipt),
  };
}

/** The title of a contract, or the first line of its first requirement. */
export function getContractTitle({
  taskId,
  title,
  specification,
}: Pick<TaskContract, 'taskId' | 'title' | 'specification'>): string {
  const [first = ''] = (title ?? specification.requirements[0] ?? '').trim().split('\n');
  return shorten(toTerminal(first).replace(/\s+/g, ' ').trim(), TITLE_LENGTH) || taskId;
}

/** Whole words and a sign that some are missing: half a sentence may mean something else. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf(' ', length - 1);
  return `${end > 0 ? text.slice(0, end) : text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const CONVENTIONAL = /^(feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert)(?:\(([^()]+)\))?(!)?: (\S.*)$/;

function subjectAndBody(record: TaskRecord, history: HistorySettings): { subject: string; body: string } {
  const { contract, taskId, target, change, attempt } = record;
  const whole = getContractTitle(contract);
  const requirements = requirementsList(contract.specification.requirements);
  const plainSubject = shorten(whole, SUBJECT_LENGTH);
  const bodyBelow = (subject: string): string => (requirements === `- ${subject}` ? '' : requirements); // it says the only one
  if (history.template === undefined) return { subject: plainSubject, body: bodyBelow(plainSubject) };
  const [, type = history.type, scope = history.scope, isBreaking, title = whole] = CONVENTIONAL.exec(whole) ?? [];
  const plain = (text: string): string => toTerminalLine(text, 100);
  const values = {
    title,
    type,
    scope: plain(scope),
    task_id: taskId,
    project: plain(contract.project),
    requirements,
    attempt: String(change?.attempt ?? attempt),
    target: plain(toBranchName(target)),
  };
  const [first = '', ...rest] = history.template.split('\n');
  const room = Math.max(20, SUBJECT_LENGTH - fillTemplate(first, { ...values, title: '' }).length);
  const filled = fillTemplate(first, { ...values, title: shorten(title, room) }).trim();
  const subject = isBreaking !== undefined || filled === '' ? plainSubject : filled;
  return { subject, body: rest.length === 0 ? bodyBelow(subject) : fillTemplate(rest.join('\n'), values).trim() };
}

/** A list with indented continuation lines, so that no line of a requirement reads as a trailer. */
function requirementsList(requirements: readonly string[]): string {
  const rows: string[] = [];
  let left = MOST_REQUIREMENTS;
  for (const [at, requirement] of requirements.entries()) {
    const row = `- ${toTerminal(requirement)
      .trim()
      .replace(/\n/g, '\n  ')
      .replace(/[ \t]+$/gm, '')}`;
    left -= row.length;
    if (left < 0) return [...rows, `- and ${requirements.length - at} more, in the contract`].join('\n');
    rows.push(row);
  }
  return rows.join('\n');
}

const taskTrailers = ({ taskId, change, attempt }: TaskRecord): readonly string[] => [
  `Andon-Task: ${taskId}`,
  `Andon-Attempt: ${change?.attempt ?? attempt}`,
];

function receiptTrailers(record: TaskRecord): readonly string[] {
  const report = record.report;
  return [
    ...taskTrailers(record),
    `Andon-Report: sha256-${report?.digest ?? 'none'}`,
    `Andon-Contract: sha256-${record.contractDigest}`,
    ...(report?.outside === true ? ['Andon-Judge: external, quotes checked'] : []),
    ...(record.sided === 'PASS' ? ['Andon-Decided-By: human'] : []),
    ...listApprovals(record).map(
      ({ breaker, halt, by }) => `Andon-Approved: ${breaker ?? 'unknown'}; halt ${halt}; by ${toOneLine(by, 60)}`,
    ),
    ...gateTrailers(record),
    ...weakeningTrailers(record),
  ];
}

function gateTrailers({ gates, grants }: TaskRecord): readonly string[] {
  if (gates?.results.length === 0) return ['Andon-Gates: none'];
  const gatesWithConsent = grants.gates.filter(({ gate, run }) =>
    gates?.results.some((one) => one.name === gate && one.run === run),
  );
  const lines = gatesWithConsent.map(
    ({ gate, way, halt }) =>
      `Andon-Gate-Consent: ${toOneLine(gate, 80)}; ${way === 'made green' ? 'not green on the base, made green' : 'not green on the base, compared test by test'}; halt ${halt ?? 'unknown'}`,
  );
  return [...new Set(lines)];
}

const weakeningTrailers = ({ weakeningReport }: TaskRecord): readonly string[] => [
  ...(weakeningReport?.weakenings ?? []).map(
    (one) => `Andon-Weakened-Gate: ${toTerminalLine(describeWeakening(one), 400)}`,
  ),
  ...(weakeningReport?.secondLook === 'off' ? ['Andon-Second-Look: off'] : []),
];

/** The names of a commit, each as `Name <email>`. */
export interface CommitPeople {
  readonly author: string;
  readonly committer: string;
  readonly coAuthors: readonly string[];
  readonly signedOffBy: string | undefined;
}

interface GitUser {
  readonly signs: boolean;
  /** user.name and user.email; undefined where they are not set. */
  readonly user: string | undefined;
}

/**
 * Determines the names of a change on the target; refuses where git lacks a required name. Signatures and sign-offs
 * need a person: then the user commits. People who committed on the task branch stay authors of their own commits, else
 * co-authors.
 */
export function commitPeople(
  { change, calls }: Pick<TaskRecord, 'change' | 'calls'>,
  history: HistorySettings,
  { signs, user }: GitUser,
): Outcome<CommitPeople, string> {
  const authors = (change?.authors ?? [ANDON_IDENTITY]).filter((who) => IDENTITY.test(who));
  const onlyByHand = authors.length > 0 && !authors.includes(ANDON_IDENTITY);
  const wanted = {
    author: history.author ?? (onlyByHand ? authors[0] : undefined) ?? 'andon',
    committer: history.committer ?? (history.signed_off_by || (signs && user !== undefined) ? 'user' : 'andon'),
  };
  const named = (who: string): string | undefined => (who === 'user' ? user : who === 'andon' ? ANDON_IDENTITY : who);
  const [author, committer] = [named(wanted.author), named(wanted.committer)];
  if (author === undefined || committer === undefined) return failure(NO_USER);
  const byHand = authors.filter((who) => who !== ANDON_IDENTITY);
  const coAuthors = [...byHand, ...agentsOf(calls, history.co_authored_by)].filter((who) => who !== author);
  return success({
    author,
    committer,
    coAuthors: [...new Set(coAuthors)],
    signedOffBy: history.signed_off_by ? committer : undefined,
  });
}

const NO_USER =
  '`history` in .andon/config.yaml asks for your own name in commits, and git has no user.name and user.email here';

/** Each entry for every implementer that answered; an entry without placeholders once. */
function agentsOf(calls: TaskRecord['calls'], entries: readonly string[]): readonly string[] {
  const implementers = calls.filter(({ station, ok }) => station === 'implementer' && ok);
  return entries.flatMap((entry) =>
    entry.includes('{')
      ? implementers.map(({ agent, model }) =>
          fillTemplate(entry, { agent: cleanIdentity(agent), model: cleanIdentity(model) }).replace(/\s+/g, ' '),
        )
      : [entry],
  );
}

const cleanIdentity = (name: string): string =>
  name
    .replace(/[<>\p{C}]/gu, '')
    .trim()
    .slice(0, 80);
