import { formatNightCeiling, formatNightReport } from '../../agents/budget/night-facts.ts';
import { replaceTimes } from '../../base/local-time.ts';
import { toSingleLine } from '../../base/plain-text.ts';
import { toShellWord } from '../../base/shell-word.ts';
import { formatCount } from '../../base/format-count.ts';
import {
  formatBudgetUse,
  formatDuration,
  formatPrice,
  formatTokens,
  shortId,
} from '../reports/task-report/format-figures.ts';
import { joinReason, STATUS_PHRASES } from '../words/view-activity.ts';
import { HALT_WORDS } from '../halts/halt-words.ts';
import type { BreakerId } from '../record/trip.ts';
import type { Digest, MergedTask, SentBack, SuggestedCommand, UsedAmount, BudgetUse } from './digest.ts';

export interface OutlineCommand {
  readonly title: string;
  /** In typing order: into the folder, where needed, and the command. */
  readonly commands: readonly string[];
}

export interface OutlineItem {
  readonly name: string;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly lines: readonly string[];
  readonly ways: readonly OutlineCommand[];
}

export interface Section {
  readonly id: string;
  /** With the number of its items, where useful. */
  readonly title: string;
  readonly items: readonly OutlineItem[];
}

/** A digest before rendering: text, page and board share its sentences. */
export type Outline = ReturnType<typeof outlineDigest>;

/** How it is shown: the format of times, and the folder in which commands need no `cd`. */
export interface OutlineOptions {
  readonly when: (at: string) => string;
  /** The same with the day; default: `when`. A digest may be read on another day. */
  readonly whenDated?: (at: string) => string;
  readonly here: string | undefined;
  /** A note before all else. */
  readonly note?: string | undefined;
}

/** A digest as sentences, in the order useful in the morning. */
export function outlineDigest(digest: Digest, manner: OutlineOptions) {
  const { when, whenDated = when, here, note } = manner;
  const names = new Map(digest.repositories.map(({ name, root }) => [root, name]));
  const isOne = digest.repositories.length === 1;
  const since = (at: string | null): string => (at === null ? '' : `, since ${when(at)}`);
  const called = (repository: string | null, what: string | null): string => {
    const name = repository === null ? undefined : (names.get(repository) ?? repository);
    return [...(isOne || name === undefined ? [] : [name]), ...(what === null ? [] : [what])].join(': ');
  };
  const show = (repository: string, { title, does, command }: SuggestedCommand): OutlineCommand => {
    const text = does === '' ? title : `${title}. ${does}`;
    if (repository === here) return { title: text, commands: [command] };
    const folder = toShellWord(repository);
    return folder === undefined
      ? { title: `${text} Type it in ${toSingleLine(repository)}:`, commands: [command] }
      : { title: text, commands: [`cd ${folder}`, command] };
  };
  const item = (name: string, text: string, more: Partial<OutlineItem> = {}): OutlineItem => ({
    name,
    text,
    tone: 'plain',
    lines: [],
    ways: [],
    ...more,
  });
  const needs = digest.needs_you.map((need) =>
    item(called(need.repository, need.task_id), `${need.what}${since(need.since)}`, {
      tone: 'bad',
      lines: [need.why],
      ways: need.ways.map((way) => show(need.repository, way)),
    }),
  );
  const [merged, undone] = splitMerged(digest.merged).map((rows) =>
    rows.map((one) =>
      item(called(one.repository, one.task_id), `${formatMerge(one)} (${when(one.undone_at ?? one.at)})`, {
        tone: one.undone_as === null && one.held !== false ? 'good' : 'bad',
        lines: [
          ...(one.wanted === '' ? [] : [`wanted: ${one.wanted}`]),
          ...one.approved,
          ...(one.widened.length === 0 ? [] : [`allowed at a halt: ${one.widened.join(', ')}`]),
          ...one.weakened.map((what) => `weakened, as allowed: ${what}`),
          ...one.not_sure,
        ],
        ways:
          one.undo === null ? [] : [show(one.repository, { title: 'To take it back:', does: '', command: one.undo })],
      }),
    ),
  ) as [OutlineItem[], OutlineItem[]];
  const [back, refused] = [digest.sent_back, digest.answers_refused].map((rows) =>
    rows.map((one) =>
      item(called(one.repository, one.task_id), formatSentBack(one), { lines: formatRejectionReasons(one) }),
    ),
  ) as [OutlineItem[], OutlineItem[]];
  const given = digest.given_up.map(({ repository, task_id, at, why }) =>
    item(called(repository, task_id), `given up (${when(at)}): ${why}`),
  );
  const { together, tasks, ceilings } = digest.spent;
  const spent = [
    item('all', formatUsed(together)),
    ...tasks.map((one) => item(called(one.repository, one.task_id), `${formatUsed(one)}; ${formatBudget(one.budget)}`)),
  ];
  const over = ceilings.map((one) => {
    // An earlier night is not this one.
    const ceiling = one.until < digest.to ? one.ceiling.replace('this night', 'the night') : one.ceiling;
    const used = formatNightCeiling({ ...one, ceiling });
    return item('', `all repositories, ceiling ${used} (from ${when(one.from)} to ${when(one.until)})`);
  });
  const nights = digest.nights.map((one) =>
    item('andon night', formatNightReport(one, when), {
      tone: one.went === 'cut short' ? 'bad' : 'plain',
      lines: [
        ...(one.what === null ? [] : [replaceTimes(one.what, when)]),
        ...(one.could_not_begin ?? []).map((text) => `could not begin: ${replaceTimes(text, when)}`),
      ],
      ways:
        one.goes_on === undefined
          ? []
          : [show(one.goes_on.repository, { title: 'Go on with it', does: '', command: one.goes_on.command })],
    }),
  );
  const waits = digest.waits.map((one) =>
    item(called(one.repository, one.task_id ?? one.file), `${joinReason(one)}${since(one.since)}`, {
      ways: one.command === null ? [] : [show(one.repository, { title: 'Now', does: '', command: one.command })],
    }),
  );
  const unknown = digest.not_known.map(({ repository, task_id, what, remedy }) =>
    item(called(repository, task_id), what, { lines: remedy === null ? [] : [remedy] }),
  );
  const [from, to] = [whenDated(digest.from), whenDated(digest.to)];
  const period = from === to ? `Within a minute, at ${to}` : `From ${from} to ${to}`;
  return {
    lead: `${note === undefined ? '' : `${note} `}${period}${isOne ? '' : `, in ${digest.repositories.length} repositories`}: ${digestHeadline(digest)}.`,
    sections: [
      counted('needs', 'Needs you', needs),
      counted('merged', 'Merged', merged),
      ...(undone.length === 0 ? [] : [counted('undone', 'Taken out again', undone)]),
      counted('back', 'Sent back by the line', back),
      ...(refused.length === 0 ? [] : [counted('refused', 'Calls without a usable answer', refused)]),
      ...(given.length === 0 ? [] : [counted('given', 'Given up', given)]),
      { id: 'spent', title: 'Spent', items: [...(tasks.length === 0 ? [] : spent), ...over] },
      ...(nights.length === 0 ? [] : [counted('nights', 'Nights', nights)]),
      counted('waits', 'Waits', waits),
      ...(unknown.length === 0 ? [] : [counted('unknown', 'Missing data', unknown)]),
    ],
  };
}

const counted = (id: string, title: string, items: readonly OutlineItem[]): Section => ({
  id,
  title: items.length === 0 ? title : `${title} (${items.length})`,
  items,
});

/** The whole digest in one sentence without its full stop. */
export function digestHeadline({
  needs_you,
  merged,
  sent_back,
  answers_refused,
  given_up,
  waits,
  spent,
}: Digest): string {
  const gone = given_up.length === 0 ? [] : [`${given_up.length} given up`];
  const [kept, undone] = splitMerged(merged);
  const mergedBack = sent_back.filter(({ status, undone_as }) => status === 'merged' && undone_as === null).length;
  const unmerged = answers_refused.filter(({ status }) => status !== 'merged');
  const problems = needs_you.filter(({ kind }) => ['stopped', 'unwatched', 'unwell'].includes(kind)).length;
  const tasks = needs_you.length - problems;
  const kinds =
    problems === 0
      ? ''
      : ` (${tasks === 0 ? '' : `${formatCount(tasks, 'task')}, `}${formatCount(problems, 'problem')})`;
  const counts = [
    `${needs_you.length} ${needs_you.length === 1 ? 'needs' : 'need'} you${kinds}`,
    `${kept.length} merged${mergedBack === 0 ? '' : ` (${mergedBack} of them after being sent back)`}`,
    ...(undone.length === 0 ? [] : [`${undone.length} taken out again`]),
    ...(sent_back.length === mergedBack
      ? []
      : [`${sent_back.length - mergedBack} ${mergedBack === 0 ? '' : 'more '}sent back`]),
    ...(unmerged.length === 0 ? [] : [`${unmerged.length} without a usable answer`]),
    ...gone,
    `${waits.length} under way or queued`,
  ];
  return `${counts.join(', ')}; spent: ${formatPrice(spent.together)}`;
}

/** The merges that their target keeps, and those that were taken out again. */
const splitMerged = (merged: Digest['merged']) =>
  [merged.filter(({ undone_as }) => undone_as === null), merged.filter(({ undone_as }) => undone_as !== null)] as const;

function formatMerge(merged: MergedTask): string {
  const { target, undone_as: undone } = merged;
  if (undone !== null) return `was merged into ${target} and is taken out again, as ${shortId(undone)}`;
  return [mergedAs(merged), ...listProofs(merged)].join('; ');
}

const mergedAs = ({ target, commit }: MergedTask): string => `merged into ${target} as ${shortId(commit)}`;

/** How a merge was judged and tested, in words, its commit last. */
export const formatProof = (merged: MergedTask): string => [...listProofs(merged), mergedAs(merged)].join('; ');

function listProofs({ target, held, halts, ...merged }: MergedTask): readonly string[] {
  const by = merged.decided_by === null ? '' : `, but merged on the word of ${merged.decided_by}`;
  const judged = merged.verdict === null ? 'not judged' : `judged ${merged.verdict}`;
  const outside = merged.judged_outside ? ' by an external judge, quotes checked' : '';
  const gates =
    merged.gates === 0
      ? 'no gates'
      : `${merged.gates_green} of ${merged.gates} gates green${formatSecondLook(merged.second_look_seconds)}`;
  const halted = halts.length === 0 ? [] : [`${formatCount(halts.length, 'halt')} answered (${quoteHalts(halts)})`];
  const gone = held === false ? [`but ${target} does not hold it any more`] : [];
  return [`${judged}${outside}${by}`, gates, ...halted, ...gone];
}

/** Halts that are over, by their names: each is a sentence about the time of the halt. */
const quoteHalts = (halts: readonly BreakerId[]): string =>
  [...new Set(halts)].map((one) => `“${HALT_WORDS[one].phrase}”`).join(', ');

/** That the gates ran again, with the tests of base and change swapped. */
const formatSecondLook = (seconds: number | null): string =>
  seconds === null ? '' : `, second look taken${seconds === 0 ? '' : ` (${seconds} s)`}`;

export function formatSentBack({ rounds, halts, status, undone_as: undone }: SentBack): string {
  const answered = status === 'erik_consultation' ? halts.slice(0, -1) : halts;
  const halted = answered.length === 0 ? [] : [`halted (${quoteHalts(answered)})`];
  const now = undone === null ? STATUS_PHRASES[status] : 'merged and undone';
  const answers = rounds.filter(({ of }) => of === 'answer').length;
  const changes = rounds.length - answers;
  const what = [
    ...(changes === 0 ? [] : [`sent back ${formatCount(changes, 'time')}`]),
    ...(answers === 0 ? [] : [`${formatCount(answers, 'call')} without a usable answer`]),
  ];
  return `${[...what, ...halted].join(', ')}; now ${now}`;
}

/** The distinct reasons with their counts; the reviewer's last words are quoted. */
function formatRejectionReasons({ rounds }: SentBack): readonly string[] {
  const known = new Map<string, number>();
  for (const { why } of rounds) known.set(why, (known.get(why) ?? 0) + 1);
  const last = rounds.findLast(({ says }) => says !== null);
  return [
    ...[...known].map(([why, times]) => (times === 1 ? why : `${times} times: ${why}`)),
    ...(last === undefined ? [] : [`the ${last.by === 'judge' ? 'judge' : 'local reviewer'} says: ${last.says ?? ''}`]),
  ];
}

/** Usage in both currencies; unreported usage is unknown, never zero. */
const formatUsed = (used: UsedAmount): string =>
  `${formatCount(used.calls, 'call')}, ${formatPrice(used)}, ${formatTokens(used.tokens_known, used.calls_without_tokens)}, ${formatDuration(used.minutes * 60_000)} of agents' time`;

const formatBudget = (budget: readonly BudgetUse[]): string =>
  budget.length === 0 ? 'no budget set' : `of its budget: ${budget.map(formatBudgetUse).join(', ')}`;
