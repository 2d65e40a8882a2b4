import { formatCount } from '../../base/format-count.ts';
import { formatPlace } from '../../base/format-place.ts';
import { toOneLine } from '../../base/fault.ts';
import { extractFailures } from '../../base/failure-excerpt.ts';
import { fitRedGates } from '../words/describe-red-gates.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { describeStrike, type PartialAnswer } from '../record/facts.ts';
import { fenceText } from '../../agents/fence-text.ts';

/** The feedback for the implementer: red gates, required fixes, refused answers, strikes; empty on the first try. */
export function renderFeedback(record: TaskRecord, nonce: string, characters: number): readonly string[] {
  // A prompt that was too long is andon's concern: this prompt is shorter.
  const strike = record.strikes.findLast(({ kind }) => kind !== 'too-long');
  const last = strike?.isPast === true ? undefined : strike;
  if (record.feedback.length === 0 && record.comments.length === 0 && last === undefined) return [];
  return [
    'Something is to be put right. Required fixes:',
    ...renderComments(record, nonce),
    ...record.feedback.map(({ from, text }) =>
      fenceText(
        from === 'answer' && last !== undefined ? REFUSED_BEFORE : HEADINGS[from],
        from === 'gates' ? fitRedGates(text, characters) : from === 'answer' ? extractFailures(text, characters) : text,
        nonce,
      ),
    ),
    ...(last === undefined
      ? []
      : [fenceText('your last try failed', extractFailures(describeStrike(last), characters), nonce)]),
    ...leftOpen(record, nonce),
  ];
}

function renderComments({ comments }: TaskRecord, nonce: string): readonly string[] {
  if (comments.length === 0) return [];
  const rows = comments.map(({ about, file, line, quote, text }) => {
    const place = file === undefined ? 'the whole change' : formatPlace(file, line);
    const quoted = quote === undefined ? '' : ` (the line: ${quote})`;
    return `- attempt ${about}, ${place}${quoted}: ${text.replaceAll(/\s*\n\s*/g, '\n  ')}`;
  });
  return [fenceText('Required fixes by a human', rows.join('\n'), nonce)];
}

/** The turn-boundary reminder: checklist items without evidence from git, gates or the implementer's words. */
function leftOpen({ todos = [] }: TaskRecord, nonce: string): readonly string[] {
  const pending = todos.filter(({ state }) => state === 'pending').map(({ text }) => text);
  if (pending.length === 0 || pending.length === todos.length) return [];
  return [
    fenceText(
      'what of the task nothing shows to be done yet',
      `[SYSTEM] Remaining: ${pending.length} items. Next: ${pending[0] ?? ''}`,
      nonce,
    ),
  ];
}

export function renderRejectedAttempts({ rejected }: TaskRecord): string {
  if (rejected.length === 0) return '';
  const rows = rejected.slice(-5).map(({ attempt, by }) => `- attempt ${attempt} (tree rejected by ${by})`);
  return `Earlier attempts that were rejected; do not return to them:\n${rows.join('\n')}`;
}

/** Soft hooks: they may be ignored with a reason. */
export function renderReminders(
  reminders: readonly { readonly rule: string; readonly says: string }[],
  nonce: string,
): string {
  if (reminders.length === 0) return '';
  const rows = reminders.slice(0, MOST_REMINDERS).map(({ rule, says }) => `- ${rule}: ${toOneLine(says, 300)}`);
  return [
    'Reminders by the rules of this project, which you may ignore:',
    fenceText('reminders', rows.join('\n'), nonce),
    'Answer each in a line of your notes: "COMPLY <rule>", or "IGNORE <rule>: why".',
  ].join('\n');
}

const MOST_REMINDERS = 10;

/** Requests corrected blocks only, without the accepted ones. */
export function askAgain({ kept, failed }: PartialAnswer, nonce: string, characters: number): readonly string[] {
  const share = Math.floor(characters / failed.length);
  const taken = kept.map((edit) =>
    edit.kind === 'replace'
      ? `${edit.path}: ${formatCount(edit.blocks.length, 'block')}`
      : `${edit.path}: ${edit.kind === 'write' ? 'the whole file' : 'deleted'}`,
  );
  const blocks = failed.flatMap(({ path, search, replace, why }, at) => [
    fenceText(`block ${at + 1} of your last answer, for ${path}`, renderBlock(search, replace, share), nonce),
    fenceText(`why block ${at + 1} was not taken`, extractFailures(why, share), nonce),
  ]);
  return [
    `Of your last answer ${formatCount(failed.length, 'block')} could not be applied, because the SEARCH text must stand in the file exactly once, line by line. The files are shown as they were before your answer.`,
    taken.length === 0 ? '' : fenceText('taken from your last answer; do not repeat', taken.join('\n'), nonce),
    ...blocks,
    `Answer with ${failed.length === 1 ? 'this one block' : 'these blocks'} only, corrected. Copy the SEARCH lines from the file as it is shown, without line numbers.${taken.length === 0 ? '' : ' If nothing more is needed: "NO CHANGE: <reason>"; what was taken is kept.'}`,
  ].filter((part) => part !== '');
}

/** Why an answer was refused whose blocks were corrected in vain; now the whole change is asked for. */
export const renderRefusal = ({ failed }: PartialAnswer, nonce: string, characters: number): string =>
  fenceText(
    HEADINGS.answer,
    extractFailures(failed.map(({ path, why }) => `${path}: ${why}`).join('\n'), characters),
    nonce,
  );

const HEADINGS = {
  rules: 'rules of this project that the last attempt breaks',
  gates: 'Gates that failed',
  weakening: 'what your last attempt did to tests and gates, and may not do',
  reviewer: 'Required fixes by the reviewer',
  judge: 'Required fixes by the judge',
  answer: 'Your last answer was refused',
  strike: 'Your last try failed',
  human: 'A human decided',
};

/** Only the newest failure is called the last one. */
const REFUSED_BEFORE = 'An answer before that was refused';

/** A block as the model wrote it; a long one is cut. */
function renderBlock(search: string, replace: string, characters: number): string {
  const whole = `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE`;
  return whole.length <= characters ? whole : `it begins with:\n${whole.slice(0, Math.min(characters, BEGINNING))}`;
}

const BEGINNING = 400;
