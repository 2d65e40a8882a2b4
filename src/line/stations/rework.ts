import type { TaskRecord } from '../record/task-record.ts';
import type { PartialAnswer } from '../record/facts.ts';
import type { ImplementerAnswer, Block, Edit } from './answer-formats/answer.ts';
import type { EditRefusal } from './answer-formats/apply-answer.ts';

/** How the next brief differs from the first one, after the previous tries. */
export type Rework = ReturnType<typeof computeRework>;

/** Refused answers in a row after which only the failed blocks are asked again. */
const MOST_CORRECTIONS = 2;

/** The next brief shows less where its length may be why the last try failed. */
export function computeRework(record: TaskRecord, head: string) {
  const own = record.strikes.filter(({ station }) => station === 'implementer');
  const tooLong = own.filter(({ kind }) => kind === 'too-long').length;
  // A program that crashed did not read too much, and a person's answer begins anew.
  const strikes = own.filter(({ kind, isAnswered }) => kind !== 'crash' && isAnswered !== true);
  // An implementer that corrects blocks in vain is asked for the whole change again, also after a halt.
  const isStuck = record.refusedAnswers > MOST_CORRECTIONS;
  const last = record.partial?.head === head ? record.partial : undefined;
  const partial = isStuck ? undefined : last;
  const onlyTarget = strikes.length > 1 || strikes.some(({ kind }) => kind === 'too-long');
  const isAgain = strikes.length > 0 || (record.refusedAnswers > 0 && !isAnsweredSince(record));
  return {
    // Whether to include neighbours.
    neighbours: !isAgain && partial === undefined,
    // Whether to include only the target and files named by findings, of the change, or named by red gates.
    onlyTarget,
    // The used share of the window: halved for each prompt that was too long.
    share: 0.5 ** tooLong,
    // Accepted edits; only the rest is requested again.
    partial,
    // Blocks that were corrected in vain: their files and the reasons are shown.
    givenUp: isStuck ? last : undefined,
    // The difference in words, for the journal.
    words: words(strikes.at(-1)?.kind, onlyTarget, partial, isAgain),
  };
}

/** Whether a person answered a halt after the last refused answer. */
function isAnsweredSince({ history }: TaskRecord): boolean {
  const answered = history.findLastIndex(({ event }) => event === 'resume' || event === 'sent_back');
  return answered > history.findLastIndex(({ event }) => event === 'answer_refused');
}

function words(
  strike: string | undefined,
  onlyTarget: boolean,
  partial: PartialAnswer | undefined,
  isAgain: boolean,
): string | undefined {
  const why = strike === undefined ? 'the last answer was refused' : `the last try failed (${strike})`;
  if (partial !== undefined) return `only what found no place is asked again, because ${why}`;
  if (onlyTarget) return `only the target, the change and what findings name, because ${why}`;
  return isAgain ? `without related files, because ${why}` : undefined;
}

type Change = Extract<ImplementerAnswer, { kind: 'change' }>;

/** The accepted part of an answer with unmatched blocks; undefined when it has any other fault. */
export function keepPartialAnswer(
  { edits }: Change,
  refusals: readonly EditRefusal[],
  head: string,
  unanswered: PartialAnswer['failed'] = [],
): PartialAnswer | undefined {
  const missed = new Set<Block>();
  const failed = [...unanswered];
  for (const { path, block, detail } of refusals) {
    if (block === undefined) return undefined;
    if (!missed.has(block)) failed.push({ path, ...block, why: detail });
    missed.add(block);
  }
  const kept = edits.flatMap((edit): PartialAnswer['kept'] => {
    if (edit.kind === 'write') return [{ kind: edit.kind, path: edit.path, content: edit.content }];
    if (edit.kind === 'delete') return [edit];
    const blocks = edit.blocks.filter((block) => !missed.has(block));
    return blocks.length === 0 ? [] : [{ ...edit, blocks }];
  });
  return failed.length === 0 || failed.length > MOST_FAILED ? undefined : { head, kept, failed };
}

/** An answer with more failed blocks is wrong as a whole. */
const MOST_FAILED = 12;

/** An answer merged with the kept part of the previous one, and its unanswered blocks. */
export interface MergedAnswer {
  readonly answer: Change;
  readonly unanswered: PartialAnswer['failed'];
}

/** Adds corrected blocks to the accepted ones; a whole file replaces everything kept of it. */
export function mergeAnswer({ kept, failed }: PartialAnswer, answer: ImplementerAnswer): MergedAnswer {
  if (answer.kind === 'no-change')
    return { answer: { kind: 'change', edits: kept, notes: answer.reason }, unanswered: [] };
  const fresh = new Map(answer.edits.map((edit) => [edit.path, edit]));
  const paths = new Set([...kept.map(({ path }) => path), ...fresh.keys()]);
  const edits = [...paths].flatMap((path): readonly Edit[] => {
    const old = kept.find((edit) => edit.path === path);
    const now = fresh.get(path);
    if (old?.kind === 'replace' && now?.kind === 'replace')
      return [{ ...now, blocks: [...old.blocks.filter((block) => !isAmong(block, now.blocks)), ...now.blocks] }];
    return [now ?? old].filter((edit) => edit !== undefined);
  });
  return { answer: { ...answer, edits }, unanswered: unanswered(kept, failed, fresh) };
}

/**
 * The failed blocks without a correction. A corrected block is matched by its new text; if the number of other blocks
 * equals the number of open ones, they are paired.
 */
function unanswered(
  kept: PartialAnswer['kept'],
  failed: PartialAnswer['failed'],
  fresh: ReadonlyMap<string, Edit>,
): PartialAnswer['failed'] {
  return [...Map.groupBy(failed, ({ path }) => path)].flatMap(([path, misses]) => {
    const edit = fresh.get(path);
    if (edit === undefined) return misses;
    if (edit.kind !== 'replace') return [];
    const taken = kept.flatMap((old) => (old.kind === 'replace' && old.path === path ? old.blocks : []));
    const open = misses.filter(({ replace }) => !hasText(edit.blocks, replace));
    const others = edit.blocks.filter((block) => !isAmong(block, taken) && !hasText(misses, block.replace));
    return others.length < open.length ? open : [];
  });
}

const hasText = (blocks: readonly Block[], replace: string): boolean =>
  blocks.some((block) => block.replace === replace);

/** Whether a block is repeated: same place, any replacement. */
const isAmong = ({ search }: Block, blocks: readonly Block[]): boolean =>
  blocks.some((block) => block.search === search);
