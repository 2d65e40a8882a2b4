import type { MessageContext } from '../../rules/guards/check-message.ts';
import { compareWithRecords, type ReviewRecords } from '../../rules/guards/review-records.ts';
import { isBlockingFinding } from '../../rules/model/finding.ts';
import { getScope } from '../core/grants.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { LocalOpinion } from '../panel/settle.ts';
import type { JudgeReport } from '../record/review.ts';
import type { RuledFinding, RuledMoment, Ruling } from '../../rules/model/ruling.ts';
import { standardMessages, type MessageSettings } from '../../project/config/message-settings.ts';
import type { Phase } from '../../rules/model/rule-words.ts';
import { reminderOf, trackTodos } from '../../rules/guards/todo-tracker.ts';
import { wrongCitations, type LineCounts, isSame, namedFiles } from '../../rules/guards/named-files.ts';
import { checkRelevance } from '../../rules/response/check-relevance.ts';
import { isFileMissed, plainPath } from './missed-file.ts';
import { evidenceIn, type ReviewEvidence } from '../../rules/guards/review-evidence.ts';
import { readProse } from '../../rules/guards/prose.ts';
import { withoutHidden } from '../../rules/text/words.ts';
import { PRAISE_DELIVERED, PRAISE_REFUSED, validateResponse } from '../../rules/guards/response-validator.ts';
import { APPROVE_REFUSED, DOWNGRADED } from '../../rules/guards/review-gate.ts';

/** The project's settings; absent: the defaults. */
interface WithSettings {
  readonly settings?: MessageSettings;
}

/** The message of each phase, parsed, and what andon knows about it. */
export interface Messages {
  readonly change: {
    readonly message:
      | { readonly kind: 'no-change'; readonly reason: string }
      | { readonly kind: 'change'; readonly edits?: readonly { readonly path: string }[]; readonly notes?: string };
    /** The number and files of kept edits of an earlier answer. */
    readonly evidence: { readonly kept: number; readonly keptPaths?: readonly string[] } & WithSettings;
  };
  readonly review: {
    readonly message: LocalOpinion;
    readonly evidence: {
      /** Every path of the change's tree; absent: findings are not compared with them. */
      readonly paths?: readonly string[];
      /** All that the reviewer could read; absent: code that findings quote is not looked for. */
      readonly shown?: string;
      readonly beside?: string;
      readonly lines?: LineCounts | undefined;
    } & WithSettings;
  };
  readonly report: {
    readonly message: JudgeReport;
    /** The file with the change, where the judge's program logged its reads without it. */
    readonly evidence: {
      readonly unopened: string | undefined;
      /** The change as git shows it; absent: the report is not compared with it. */
      readonly diff?: string;
      readonly lines?: LineCounts | undefined;
    } & WithSettings;
  };
}
export type MessagePhase = keyof Messages & RuledMoment;

interface MessageCheck<At extends MessagePhase> {
  readonly id: string;
  readonly question: string;
  /** Why the message does not count, in words for its author; undefined when it does. */
  readonly check: (
    message: Messages[At]['message'],
    record: TaskRecord,
    evidence: Messages[At]['evidence'],
  ) => string | undefined;
}

export const messageChecks: { readonly [At in MessagePhase]: readonly MessageCheck<At>[] } = {
  change: [
    {
      id: 'no_change',
      question: 'Does the implementer say NO CHANGE although nothing was done yet?',
      check: (message, _record, { kept }) =>
        message.kind === 'no-change' && kept === 0
          ? `You answered NO CHANGE (${message.reason}), but the requirements are not met yet.`
          : undefined,
    },
    {
      id: 'untrue_notes',
      question: 'Do the implementer’s notes say that a file was changed which the answer leaves alone?',
      check: findUntrueNotes,
    },
    {
      id: 'open_todo',
      question: 'Do the implementer’s notes say that something of the task is not done?',
      check: findOpenTodo,
    },
  ],
  review: [
    {
      id: 'no_finding',
      question: 'Does the local reviewer say FAIL and name nothing?',
      check: ({ verdict, findings }) =>
        verdict === 'FAIL' && findings.length === 0 ? 'the reviewer said FAIL and named no finding' : undefined,
    },
    {
      id: 'ungrounded_finding',
      question: 'Is everything that the local reviewer blocks for about files or code that are not there?',
      check: findUngrounded,
    },
    {
      id: 'praising_review',
      question: 'Does the local reviewer praise the change instead of reviewing it?',
      check: ({ verdict, findings }, record, { beside = '', settings = standardMessages() }) =>
        verdict === 'PASS' && mayGoBack(record, settings)
          ? onlyPraise([beside, ...findings.map(({ description }) => description)].join('\n'), settings)
          : undefined,
    },
    {
      // Gates that ran are evidence of a silent PASS; one whose own words deny or contradict it has none.
      id: 'unfounded_pass',
      question: 'Do the local reviewer’s own words withdraw the evidence of its PASS, or contradict the record?',
      check: ({ verdict }, record, { beside = '', lines, settings = standardMessages() }) =>
        verdict === 'PASS' && mayGoBack(record, settings)
          ? findUnfoundedPass(beside, reviewRecordsOf(record, lines), settings)
          : undefined,
    },
  ],
  report: [
    {
      id: 'unopened_change',
      question: 'Does the judge say PASS to a change that its program has not opened?',
      check: ({ verdict }, _record, { unopened }) =>
        verdict === 'PASS' && unopened !== undefined
          ? `the judge says PASS, but its program's log does not show that it opened ${unopened}, the change`
          : undefined,
    },
    {
      id: 'off_topic_report',
      question: 'Does the judge speak of something else than the contract and the change?',
      check: findOffTopic,
    },
    {
      id: 'unfounded_report',
      question: 'Does the judge’s summary of a PASS praise, deny that anything was checked, or contradict the record?',
      check: findUnfoundedReport,
    },
  ],
};

export const MESSAGE_CHECK_IDS: readonly string[] = Object.values(messageChecks).flatMap((checks) =>
  checks.map(({ id }) => id),
);

/** Asks every check of a phase about a message; a ruling where one of them objects, undefined where the message counts. */
export function ruleOnMessage<At extends MessagePhase>(
  moment: At,
  message: Messages[At]['message'],
  record: TaskRecord,
  evidence: Messages[At]['evidence'],
): Ruling | undefined {
  const found = messageChecks[moment].flatMap((one): readonly RuledFinding[] => {
    const why = one.check(message, record, evidence);
    return why === undefined ? [] : [toObjection(one.id, one.question, moment, why)];
  });
  return found.length === 0 ? undefined : { moment, phase: PHASES[moment], score: 0, found: [...found], unchecked: [] };
}

const toObjection = (rule: string, title: string, phase: MessagePhase, message: string): RuledFinding => ({
  rule,
  title,
  priority: 'P1',
  handler: 'QUICK_FIX',
  hard: false,
  does: 'quick_fix',
  message,
  fingerprint: `${phase}:${rule}`,
});

const PHASES: Readonly<Record<MessagePhase, Phase>> = { change: 'IMPLEMENTATION', review: 'REVIEW', report: 'REVIEW' };

/** A forgotten block is asked for before a gate runs. */
function findUntrueNotes(
  message: Messages['change']['message'],
  record: TaskRecord,
  { keptPaths = [] }: Messages['change']['evidence'],
): string | undefined {
  if (message.kind === 'no-change' || message.edits === undefined) return undefined;
  const changed = [
    ...message.edits.map(({ path }) => path),
    ...keptPaths,
    ...(record.change?.files ?? []).flatMap(({ path, from = path }) => [path, from]),
  ];
  const untrue = (message.notes ?? '')
    .split(/(?<=[.!?])\s+|\n+|[;,]\s*(?:and\s+|but\s+)?(?=(?:I|we)\b)|\band\s+(?=(?:I|we)\b)/)
    .filter((clause) => !PROPOSES.test(clause) && !OTHER_TIME.test(clause))
    .flatMap((clause) => namedFiles(CHANGED.exec(clause)?.[1] ?? ''))
    .filter((file) => changed.every((one) => !isSame(one, file)));
  if (untrue.length === 0) return undefined;
  const files = [...new Set(untrue)].slice(0, MOST_REASONS).join(', ');
  return `Your notes say that you changed ${files}, but your answer holds nothing for it: give its block, or say what you really changed.`;
}

/** `I changed src/b.ts`, or a change note that begins so; a name that goes `to` or `in` another file is part of that file's text. */
const CHANGED =
  /^\s*(?:[-*+•]\s+|\d+[.)]\s+|\[x\]\s+)*(?:(?:also|then|finally|and),?\s+)?(?:(?:I|we)(?:['’]ve|\s+have)?\s+(?:(?:also|then|now|just|only)\s+)?)?(?:added|created|updated|changed|modified|edited|rewrote|wrote|removed|deleted|extended|fixed|refactored)\s+(?:(?:the|a|an|new|file|test)\s+){0,3}(\S+)(?!\S|\s+(?:from|into?|on|as|at|by|to\s+(?:the|a|an|my|our)\b|to\s+\S*[./`]))/i;
/** Whose result is not in this answer. */
const OTHER_TIME =
  /\b(?:last|previous(?:ly)?|earlier|ago|before|already|back|again|revert\w*|temporar\w*|generated|ignored?)\b/i;

/** An answer that admits missing work is not reviewed. */
function findOpenTodo(
  message: Messages['change']['message'],
  record: TaskRecord,
  { settings = standardMessages() }: Messages['change']['evidence'],
): string | undefined {
  if (message.kind === 'no-change' || !settings.enabled || !settings.todo_tracker.enabled) return undefined;
  if (!mayGoBack(record, settings)) return undefined;
  const { admitted } = trackTodos(message.notes ?? '', checklistOfTask(record), settings.todo_tracker);
  if (admitted.length === 0) return undefined;
  return `${reminderOf(admitted)}\nYour notes say that this is not done; an answer brings the whole task. What you wrote was not taken: give it again, together with the rest.`;
}

/** Why every blocking finding is about a file or code that does not exist; undefined where one may hold. */
function findUngrounded(
  { findings }: Messages['review']['message'],
  { change, contract }: TaskRecord,
  { paths, shown }: Messages['review']['evidence'],
): string | undefined {
  if (paths === undefined) return undefined;
  const { targetFile = '', requirements, acceptanceCriteria } = contract.specification;
  const wanted = namedFiles([targetFile, ...requirements, ...acceptanceCriteria].join('\n'));
  const known = [...paths, ...wanted, ...(change?.files ?? []).flatMap(({ path, from = path }) => [path, from])];
  const blocking = findings.filter(isBlockingFinding);
  const why = blocking.flatMap(({ file, line = 0, description, evidence = '' }) => {
    const said = `${description}\n${evidence}`;
    // A missing file has no line to quote.
    const isQuoted = line > 1 && evidence.trim() !== '';
    if (file !== undefined && !isThere(file, known))
      return !isQuoted && isFileMissed(file, said) ? [] : [`${file} is neither in the change nor in the project`];
    const missing = shown === undefined || ABSENT.test(said) ? [] : missingCode(evidence, shown);
    return missing.length === 0 ? [] : [`${missing.join(', ')} is nowhere in what was shown`];
  });
  if (blocking.length === 0 || why.length < blocking.length) return undefined;
  return `what the review blocks for is not there: ${why.slice(0, MOST_REASONS).join('; ')}`;
}

const ABSENT =
  /\b(?:missing|absent|lack(?:s|ing)?|omit(?:s|ted)|forg[oe]t(?:s|ten)?|le(?:ft|aves?) out|nowhere|never (?:added|created|written)|(?:should|must|has to|needs? to|to) be (?:added|created|written))\b|(?:\bnot|n['’]t)\s+(?:(?:been|yet|even)\s+)*(?:there|exist|present|part|found|add|create|include|contain|come|provide|write|updat|cover|test(?:ed)?\b|document|ship|deliver)|없|누락|빠[졌진]|缺|没有|不存在|未(?:添加|创建|更新)/i;

/** The names of code in a quotation, where none of them was shown; a proposal may name what is not there yet. */
function missingCode(quoted: string, shown: string): readonly string[] {
  const names = PROPOSES.test(quoted) ? [] : [...new Set(quoted.match(CODE_NAME))];
  return names.some((name) => shown.toLowerCase().includes(name.toLowerCase())) ? [] : names;
}

/** Names as only code is written: calls, humps, underscores. */
const CODE_NAME = /(?<![\w$])(?:[A-Za-z_$][\w$]{2,}(?=\()|[a-z]+\d*[A-Z]\w*|[A-Za-z]\w*_\w+)/g;
const PROPOSES =
  /[?？]|n['’]t\b|\b(?:no|not|never|without|missing|should|could|must|needs?|instead|consider|suggest|e\.g|like)\b/i;

const MOST_REASONS = 3;

/** Reviewers write `a/src/x.ts`, `./src/x.ts:12`, or only the end of a path. */
function isThere(file: string, known: readonly string[]): boolean {
  const path = plainPath(file);
  return path === '' || known.some((one) => one === file || isSame(one, path));
}

/** A report that shares no content word with the contract or the change is about something else. */
function findOffTopic(
  report: Messages['report']['message'],
  record: TaskRecord,
  { diff }: Messages['report']['evidence'],
): string | undefined {
  const { verdict, summary, blocking, fixes } = report;
  if (verdict === 'CRITICAL_HALT' || diff === undefined || !namesNoPlace(report)) return undefined;
  const response = [summary, ...blocking.map(({ description }) => description), ...fixes].join('\n');
  const words = response.match(/[\p{L}_][\p{L}\p{N}_]{3,}/gu) ?? [];
  if (words.length < WORDS_AT_LEAST || words.some((word) => diff.includes(word))) return undefined;
  const query = record.contract.specification.requirements.join('\n');
  return checkRelevance({ query, response, threshold: ANYTHING, refusalBypass: false }).status === 'failed'
    ? 'the report speaks neither of what the contract requires nor of anything that the change holds'
    : undefined;
}

/** A quoted or named place is a topic; other checks ask whether it exists. */
export const namesNoPlace = ({ evidence, blocking }: Pick<JudgeReport, 'evidence' | 'blocking'>): boolean =>
  !evidence.some(({ found }) => found) && blocking.every(({ file }) => (file ?? '') === '');

/** One common content word is enough: a discarded report costs a whole review. */
const ANYTHING = 0.01;
/** A shorter report has no topic. */
const WORDS_AT_LEAST = 6;

/** A verdict that merges unattended must not be praise, withdrawn, or contradicted by the record. */
function findUnfoundedReport(
  { verdict, summary, suggestions }: Messages['report']['message'],
  record: TaskRecord,
  { lines, settings = standardMessages() }: Messages['report']['evidence'],
): string | undefined {
  if (verdict !== 'PASS') return undefined;
  const goesBack = record.unreadableReports < Math.min(PRAISE_GOES_BACK, settings.max_total_retries);
  return (
    (goesBack ? onlyPraise([summary, ...suggestions].join('\n'), settings) : undefined) ??
    // The third refusal halts the task: what is only to come, or of something else, denies no check.
    findUnfoundedPass(summary, reviewRecordsOf(record, lines), settings, ({ why }) => why === 'negated')
  );
}

/** The refusals for praise; then the verdict counts, because its quoted lines were proven. */
const PRAISE_GOES_BACK = 2;

/** Whether a message of this turn may still go back; later it is handed on with a warning. */
const mayGoBack = ({ refusedAnswers }: Pick<TaskRecord, 'refusedAnswers'>, settings: MessageSettings): boolean =>
  refusedAnswers < Math.min(MOST_REFUSALS, settings.max_total_retries);
const MOST_REFUSALS = 2;

/**
 * Why the words beside a pass do not carry it: they withdraw it, tell of something red, or contradict the records. Silence
 * is no objection, because the records are the evidence. Undefined when they carry it.
 */
function findUnfoundedPass(
  written: string,
  records: ReviewRecords,
  settings: MessageSettings,
  withdraws: (one: ReviewEvidence['refused'][number]) => boolean = () => true,
): string | undefined {
  if (!settings.enabled || !settings.review_gate.enabled || !settings.review_gate.require_evidence) return undefined;
  const words = withoutHidden(written);
  const { claims, failing, refused } = evidenceIn(readProse(words));
  const { confirmed, against } = compareWithRecords(claims, records);
  const why = [
    ...failing.map((one) => `it reports something red: ${one}`),
    ...against,
    ...wrongCitations(words, records.lines),
    ...(confirmed.length > 0 ? [] : refused.filter(withdraws).map((one) => `${one.why}: ${one.text}`)),
  ];
  return why.length === 0
    ? undefined
    : `${APPROVE_REFUSED}\nRefused: ${why.slice(0, MOST_REASONS).join('; ').slice(0, LONGEST)}`;
}

/** Why the words beside a verdict are only praise; otherwise undefined. */
function onlyPraise(words: string, settings: MessageSettings): string | undefined {
  if (!settings.enabled || !settings.response_validator.enabled || words.trim() === '') return undefined;
  const { valid, sentences, matched } = validateResponse(words, settings.response_validator);
  const praises = sentences.some(({ label }) => label === 'flattery');
  if (valid || !praises) return undefined;
  return `${PRAISE_REFUSED}\nRefused: ${matched
    .map((one) => `"${one}"`)
    .join(', ')
    .slice(0, LONGEST)}`;
}

/** The warning for the judge beside a pass in doubt whose retries are used up; undefined otherwise. */
export function passInDoubt(
  { beside = '', lines, settings = standardMessages() }: Messages['review']['evidence'],
  record: TaskRecord,
): string | undefined {
  if (mayGoBack(record, settings)) return undefined;
  if (findUnfoundedPass(beside, reviewRecordsOf(record, lines), settings) !== undefined) return DOWNGRADED;
  return onlyPraise(beside, settings) === undefined ? undefined : PRAISE_DELIVERED;
}

const LONGEST = 600;

/**
 * The records of a task's change: gates, the diff, commits, files shown to reviewers, and the line counts of cited files
 * where the caller has them. A gate with consent is left out: it may be red.
 */
export function reviewRecordsOf(
  { gates, change, base, rejected, merge }: Pick<TaskRecord, 'gates' | 'change' | 'base' | 'rejected' | 'merge'>,
  lines?: LineCounts,
): ReviewRecords {
  const files = change?.files.map(({ path }) => path) ?? [];
  const made = [change, ...rejected].flatMap((one) => (one === undefined ? [] : [one.commit, one.tree]));
  return {
    runs: (gates?.results ?? [])
      .filter(({ consent }) => consent === undefined)
      .map(({ name, run, outcome, output, passed }) => ({
        command: name === run ? run : `${name} (${run})`,
        isGreen: outcome === 'green',
        output,
        ...(passed === undefined ? {} : { passed }),
      })),
    ...(change === undefined ? {} : { diff: { files, added: change.added, deleted: change.deleted } }),
    lines,
    commits: [...made, base, ...(merge === undefined ? [] : [merge.commit, merge.tip])],
    read: files,
    changed: files,
  };
}

export function checklistOfTask({ contract }: Pick<TaskRecord, 'contract'>): string {
  const { requirements, acceptanceCriteria } = contract.specification;
  return [...requirements, ...acceptanceCriteria].map((item) => `- ${item.replace(/\s+/g, ' ')}`).join('\n');
}

export const readTaskContext = (record: TaskRecord, lines?: LineCounts): Omit<MessageContext, 'isDelegation'> => ({
  expectedOutcome: checklistOfTask(record),
  expectedFiles: getScope(record).allowedPaths,
  ...(record.change === undefined ? {} : { modified: record.change.files }),
  records: reviewRecordsOf(record, lines),
});
