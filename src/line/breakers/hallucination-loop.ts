import { abandon, findExcessRefusal, sideOfChange, type Breaker } from './breaker.ts';
import type { Change } from '../record/change.ts';
import { findDisguise, type Disguise, type Fingerprint } from '../../source/change-fingerprint.ts';
import type { TaskRecord, Rejected } from '../record/task-record.ts';
import type { Path } from '../record/trip.ts';
import { getNextImplementer } from '../record/implementers.ts';
import { fingerprint } from '../../base/fingerprint.ts';

/** The share of common added lines from which two changes count as the same work. */
const NEARLY_ALL = 0.9;
/** A change with fewer distinctive lines is compared by its files only: small fixes are easily alike. */
const FEW_LINES = 5;

/** Rejected code has come back: the implementer goes in circles. */
export const hallucinationLoop: Breaker = {
  question: 'Does the implementer hand in a rejected change again, even if reformatted, renamed or reordered?',
  check(record) {
    const { change } = record;
    const again = findExcessRefusal(record);
    if (again?.wants === 'rejected attempt')
      return {
        reason: `${record.refusedAnswers} answers were refused; the last repeats attempt ${change?.attempt ?? 0}, which was rejected`,
        sides: [
          { who: 'andon, about the last answer', says: again.why },
          ...record.rejected.slice(-1).map(({ by, why }) => ({ who: by, says: why })),
        ],
        paths: [startAfresh(record), abandon(record)],
      };
    if (change === undefined || record.grants.approved.some(({ tree }) => tree === change.tree)) return undefined;
    const older = record.rejected.filter(({ attempt }) => attempt < change.attempt);
    for (const before of older.toReversed()) {
      const how = likeness(change, before, older);
      if (how === undefined) continue;
      return {
        reason: `attempt ${change.attempt} ${how} attempt ${before.attempt}, which was rejected`,
        sides: [sideOfChange(change), { who: before.by, says: before.why }],
        paths: [startAfresh(record), abandon(record)],
      };
    }
    return undefined;
  },
};

function startAfresh(record: TaskRecord): Path {
  const next = getNextImplementer(record);
  return {
    title: next === undefined ? 'Start afresh' : `Start afresh with ${next}`,
    does: `${next ?? 'The implementer'} starts${next === undefined ? ' over' : ''} from the target branch, and learns which approach was rejected.`,
    effect: {
      to: 'pending_implementer',
      fresh: true,
      ...(findExcessRefusal(record) === undefined ? {} : { stallTries: 1 }),
      say: `${next === undefined ? 'You repeated a change that was' : 'A change came back that had been'} already rejected${whys(record)}. Solve the task in another way.`,
      ...(next === undefined ? {} : { nextImplementer: true }),
    },
  };
}

/** How a change resembles a rejected one; undefined when it does not. The last of `older` is its predecessor. */
function likeness(change: Change, before: Rejected, older: readonly Rejected[]): string | undefined {
  if (before.tree === change.tree) return 'is the same tree as';
  if (change.print === undefined || before.print === undefined) return undefined; // older journals lack it
  const disguises = disguisesOf(change.print, before.print);
  if (disguises !== undefined)
    return isAskedFor(disguises, change.print, before, older)
      ? undefined
      : `is, but for ${disguises.map((one) => IN_WORDS[one]).join(', ')}, the same as`;
  const last = older.at(-1);
  const [now, then] = [new Set(change.print.lines), new Set(before.print.lines)];
  if (Math.min(now.size, then.size) < FEW_LINES) return undefined;
  const common = [...now].filter((line) => then.has(line)).length;
  if (common < NEARLY_ALL * Math.max(now.size, then.size)) return undefined;
  // A refinement repeats most of its predecessor; a return loses the changes in between.
  const improved = (last?.print?.lines ?? []).filter((line) => !then.has(line));
  const kept = improved.filter((line) => now.has(line)).length;
  return improved.length > 0 && kept <= (1 - NEARLY_ALL) * improved.length
    ? `goes back to ${Math.floor((100 * common) / Math.max(now.size, then.size))} % of the lines of`
    : undefined;
}

const IN_WORDS: Readonly<Record<Disguise, string>> = {
  spacing: 'spacing and quotes',
  comments: 'comments',
  names: 'names',
  order: 'order',
};

/** What must be ignored in all files to equate two changes; undefined when they differ in more. */
function disguisesOf(now: Fingerprint, before: Fingerprint): readonly Disguise[] | undefined {
  const paths = Object.keys(now.files);
  if (paths.length === 0 || paths.length !== Object.keys(before.files).length) return undefined;
  const found = new Set<Disguise>();
  for (const path of paths) {
    const [one, other] = [now.forms?.[path], before.forms?.[path]];
    const disguises =
      one !== undefined && other !== undefined
        ? findDisguise(one, other)
        : now.files[path] === before.files[path]
          ? (['spacing'] as const)
          : undefined;
    if (disguises === undefined) return undefined;
    for (const disguise of disguises) found.add(disguise);
  }
  if (found.size > 1) found.delete('spacing');
  return [...found];
}

/** Words with which a rejection asks for just such a change. */
const ASKS: Readonly<Record<Disguise, RegExp>> = {
  spacing:
    /\b(?:format|indent|spac(?:e|ing)|white ?space|prettier|lint|quote|semicolon|newline|line (?:end|break|length)|crlf|style|max_diff_size|short|fewer lines)/i,
  comments: /\b(?:comment|doc(?:string|ument|s?\b)|explain|todo|jsdoc|licen[cs]e|header|annotat)/i,
  names: /\b(?:name|naming|rename|identifier|called|spell|typo|convention|camel|snake|pascal|variable|abbreviat)/i,
  order:
    /\b(?:order(?! to\b)|before|after|sort|move|above|below|earlier|later|sequence|top|bottom|alphabet|preced|until)|\b(?:first|last)\b(?=[^\p{L}\p{N}]*(?:$|[.,;:!?]|and\b|then\b)|.{1,60}\bthen\b)/iu,
};

/** Whether a rejection since then asked for the difference, which makes the change an answer to it. */
function isAskedFor(
  disguises: readonly Disguise[],
  now: Fingerprint,
  before: Rejected,
  older: readonly Rejected[],
): boolean {
  const since = older.filter(({ attempt }) => attempt >= before.attempt);
  // What a person asks for in a sentence is not guessed from its words: gates and reviewers see whether it was done.
  if (since.some(({ inWords }) => inWords === true)) return true;
  // Formatters, linters and rules ask for such changes without these words, and check again themselves.
  const byCode = since.some(({ by }) => by === 'gates' || by === 'rules');
  if (byCode && disguises.every((one) => one !== 'names')) return true;
  return since.some(
    ({ why }) =>
      disguises.some((one) => ASKS[one].test(why)) || (disguises.includes('names') && named(why, now, before)),
  );
}

/** A rejection that contains a new name asked for it. */
function named(why: string, now: Fingerprint, { print }: Rejected): boolean {
  const own = (of: Fingerprint | undefined): Set<string> =>
    new Set(Object.values(of?.forms ?? {}).flatMap((form) => form.own));
  const [mine, theirs] = [own(now), own(print)];
  return spelledOut(why).some((word) =>
    [word, `.${word}`].map(fingerprint).some((one) => mine.has(one) && !theirs.has(one)),
  );
}

/** The names in a text: quoted words, words spelt as only names are, and requested words. */
function spelledOut(why: string): readonly string[] {
  const quoted = [...why.matchAll(/`([^`\n]+)`|"([^"\n]+)"|'([^'\n]+)'/gu)].map((match) => match.slice(1).join(' '));
  const names = why.match(/[\p{L}\p{N}_$]*(?:\p{Ll}\p{Lu}|_|\$)[\p{L}\p{N}_$]*/gu) ?? [];
  const asked = [...why.matchAll(/\b(?:(?:should|must) be|use|call (?:it|this|that|them)) ([\p{L}\p{N}_$]+)/giu)];
  return [...quoted, ...names, ...asked.map(([, name = '']) => name)].flatMap(
    (text) => text.match(/[\p{L}\p{N}_$]+/gu) ?? [],
  );
}

const whys = ({ rejected }: TaskRecord): string => {
  const why = rejected.at(-1)?.why.split('\n')[0] ?? '';
  return why === '' ? '' : ` (${why})`;
};
