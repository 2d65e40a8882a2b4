import { CLAUSE_WORDS, clauseAt, isFormOf, type Clause } from '../text/clauses.ts';
import type { NegationScope } from '../text/negation.ts';
import type { PlanSentence, Unit } from '../text/units.ts';
import { isStopWord, type Word } from '../text/words.ts';

/**
 * How a sentence does what one of its phrases names: it `plans` it (an imperative, `we …`, `… will be …`), it `states` that
 * it is so, which may be the problem that the rest of the plan solves, or neither is certain.
 */
export type ClauseAct = 'plans' | 'states';

/** The act of a clause on a phrase, where its verb acts on it and nothing in between makes it anything else's. */
export function actOn(
  unit: Unit,
  others: readonly Unit[],
  { words }: PlanSentence,
  rule: string,
): ClauseAct | undefined {
  const [from, to] = spanOf(words, unit);
  const clause = clauseAt(words, from);
  const isDenied = range(clause.from, clause.to).some(
    (at) => isDenial(text(words, at)) && (at < from || (at >= to && text(words, at) !== 'without')),
  );
  if (isDenied || range(from + 1, to).some((at) => INNER.test(text(words, at)))) return undefined;
  if (namesTool(words, [clause.from, from], rule) || namesTool(words, [to, clause.to], rule)) return undefined;
  const rest = others.filter((one) => one !== unit).map((one) => spanOf(words, one));
  if (rest.some(([at]) => at < clause.from || at >= clause.to)) return undefined;
  if (![[from, to] as const, ...rest].every(([, end]) => endsObject(words, end, clause, [...rest, [from, to]])))
    return undefined;
  const own = ownAct(words, [from, to], rest, clause);
  if (own !== undefined) return own;
  for (let at = from - 1; at >= clause.from; at -= 1) {
    if (isBarred(words, at, from)) return undefined;
    const act = CLAUSE_WORDS().acts.has(text(words, at)) ? actOfVerb(words, at, clause) : undefined;
    if (act !== undefined) return act;
    const third = thirdPerson(words, at, clause) ?? passive(words, at, clause);
    if (third !== undefined) return third;
  }
  return undefined;
}

/** A denial that may be within a phrase with a gap (`swallow nothing`). */
const INNER = /^(?:no|none|nothing|nowhere|never|zero)$/;

/** The act of a clause that leaves out, takes away or does without what a cue bears on. */
export function actOfCue(
  scope: NegationScope,
  unit: Unit,
  others: readonly Unit[],
  { words }: PlanSentence,
  rule: string,
): ClauseAct | undefined {
  const cueAt = words.findIndex(({ start, end }) => start <= scope.cueFrom && end > scope.cueFrom);
  const cueEnd = words.findIndex(({ end }) => end >= scope.cueTo) + 1;
  const [from, to] = spanOf(words, unit);
  const clause = clauseAt(words, cueAt);
  if (cueAt === -1 || from < clause.from || from >= clause.to || namesTool(words, [clause.from, from], rule))
    return undefined;
  const leftmost = Math.min(cueAt, from);
  if (range(clause.from, leftmost).some((at) => CLAUSE_WORDS().subordinators.has(text(words, at)))) return undefined;
  if (from < cueAt) return actOnSubject(scope, words, [to, cueAt], clause);
  const isWithout = scope.cue.startsWith('without');
  if (range(cueEnd, from).some((at) => !isWithout && isBarred(words, at, from))) return undefined;
  if (
    !endsObject(
      words,
      to,
      clause,
      others.map((one) => spanOf(words, one)),
    )
  )
    return undefined;
  if (scope.kind !== 'not')
    return CLAUSE_WORDS().leaves.has(text(words, cueAt)) ? actOfVerb(words, cueAt, clause) : undefined;
  const cue = scope.cue.split(' ')[0] ?? '';
  if (cue === 'not' || cue === 'never') return refusedAct(words, cueAt, clause);
  if (cue === 'without') return doneWithout(words, cueAt, to, clause);
  return cue === 'no' ? doneWithNo(words, cueAt, to, clause) : undefined;
}

/** Whether a sentence plainly affirms a phrase: its clause denies and doubts nothing, and says no more of it than that it is done. */
export function isAffirmed(unit: Unit, { text: sentence, words, units }: PlanSentence): boolean {
  const [from, to] = spanOf(words, unit);
  const clause = clauseAt(words, from);
  const isDoubted = range(clause.from, clause.to).some(
    (at) => (at < from || at >= to) && CLAUSE_WORDS().doubts.has(text(words, at)),
  );
  if (sentence.endsWith('?') || isDoubted || isFormOf(words[to], 'leaves')) return false;
  if (/^(?:out|off)$/.test(text(words, clause.to - 1))) return false;
  const isKnown = units.some(
    ({ from: start, meanings }) =>
      start === words[clause.from]?.start && !meanings.every(({ concept }) => concept.startsWith('=')),
  );
  if (!isKnown && isObjectOfOther(words, from, clause)) return false;
  const end = range(to, clause.to).find((at) => CLAUSE_WORDS().subordinators.has(text(words, at))) ?? clause.to;
  const be = range(clause.from, end).find((at) => STATES.has(text(words, at)) && (at < from || at >= to));
  const said = be === undefined ? undefined : range(be + 1, end).find((at) => !isAdverb(text(words, at)));
  return said === undefined || (said >= from && said < to) || isFormOf(words[said], 'kept');
}

const STATES = new Set(['is', 'are', 'be', 'stays', 'stay', 'remains', 'remain', 'was', 'were', 'left']);

const isAdverb = (word: string): boolean => /^(?:also|now|all|both|always|still|already|first|then)$|ly$/.test(word);

/** Whether the clause begins with what may be a verb that is not known to do its object (`relax the check`). */
function isObjectOfOther(words: readonly Word[], at: number, { from }: Clause): boolean {
  const first = words[from];
  if (from >= at || first === undefined || isStopWord(first.text) || isFormOf(first, 'acts')) return false;
  // `un-skip the tests`: part of a word is no verb.
  return words[from + 1]?.gap !== '-' && at - from <= 3 && !/(?:ed|al|ive|ful|er|ing|ous|ic|s)$/.test(first.text);
}

type Span = readonly [from: number, to: number];

const text = (words: readonly Word[], at: number): string => words[at]?.text ?? '';
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

function spanOf(words: readonly Word[], { from, to }: Unit): Span {
  const first = words.findIndex(({ start, end }) => start <= from && end > from);
  let end = first + 1;
  while (end < words.length && (words[end]?.start ?? to) < to) end += 1;
  return [first, end];
}

const isDenial = (word: string): boolean => CLAUSE_WORDS().denials.has(word);

/** Whether words name what finds or describes a fault, and the rule does not. */
const namesTool = (words: readonly Word[], [from, to]: Span, rule: string): boolean =>
  words
    .slice(from, to)
    .some((word) => CLAUSE_WORDS().tools.has(word.text) && !new RegExp(`\\b${word.stem}`, 'i').test(rule));

/** A word between a verb and a phrase that takes the phrase away from the verb. */
function isBarred(words: readonly Word[], at: number, target: number): boolean {
  const word = text(words, at);
  if (word === 'from') return !range(0, at).some((before) => text(words, before) === 'import');
  if (word === 'to') return at + 1 < target && !/^(?:the|a|an|our|its|their|any)$/.test(text(words, at + 1));
  return (
    CLAUSE_WORDS().away.has(word) ||
    CLAUSE_WORDS().subordinators.has(word) ||
    (isGerund(words[at]) && !/^(?:including|using)$/.test(word))
  );
}

const isGerund = (word: Word | undefined): boolean =>
  word !== undefined && word.text.endsWith('ing') && word.stem !== word.text;

/** Whether a phrase is not merely the first half of another noun (`eval linter`). */
function endsObject(words: readonly Word[], at: number, { to }: Clause, others: readonly Span[]): boolean {
  const word = words[at];
  if (word === undefined || at >= to || others.some(([from]) => from >= at && from < at + 3)) return true;
  return isStopWord(word.text) || /ly$|^\d+$/.test(word.text) || CLAUSE_WORDS().neutral.has(word.text);
}

/** The phrase is itself the act: `hardcode the key`, `hardcoding the key is fine`, `the key is hardcoded`. */
function ownAct(
  words: readonly Word[],
  [from, to]: Span,
  rest: readonly Span[],
  clause: Clause,
): ClauseAct | undefined {
  const [first, word] = [text(words, from), words[from]];
  const { acts, harms, approvals } = CLAUSE_WORDS();
  const object = rest.find(([at]) => at >= to);
  const reaches =
    to - from > 1 || object === undefined || !range(to, object[0]).some((at) => isBarred(words, at, object[0]));
  if (reaches && (acts.has(first) || (to - from > 1 && harms.has(first)))) return actOfVerb(words, from, clause);
  if (isGerund(word) && from === clause.from) {
    const be = range(to, clause.to).find((at) => BE.has(text(words, at)));
    return be !== undefined && range(be + 1, clause.to).some((at) => approvals.has(text(words, at)))
      ? 'plans'
      : undefined;
  }
  return (reaches ? thirdPerson(words, from, clause) : undefined) ?? passive(words, from, clause);
}

const BE = new Set(['is', 'are', 'be', 'get', 'gets']);

const isParticiple = (word: Word): boolean =>
  !CLAUSE_WORDS().acts.has(word.text) &&
  (word.text.endsWith('ed') || isFormOf(word, 'acts')) &&
  !/(?:ing|s)$/.test(word.text);

/** Whether a verb in the form of the imperative begins its clause, or has a subject who plans. */
function actOfVerb(words: readonly Word[], at: number, { from }: Clause): ClauseAct | undefined {
  const { planners, modals, openers, approvals } = CLAUSE_WORDS();
  let before = at;
  while (before > from && modals.has(text(words, before - 1))) before -= 1;
  if (before - from <= 4 && /^(?:for|in|at|on)$/.test(text(words, from)) && before > from) before = from;
  if (range(from, before).every((one) => openers.has(text(words, one)) || text(words, one).endsWith('ly')))
    return /^(?:to|would|have|do)$/.test(text(words, before)) && before < at && before === from ? undefined : 'plans';
  if (planners.has(text(words, before - 1)))
    return range(from, before - 1).some((one) => CLAUSE_WORDS().subordinators.has(text(words, one)))
      ? undefined
      : 'plans';
  return text(words, at - 1) === 'to' && approvals.has(text(words, at - 2)) ? 'plans' : undefined;
}

/** `the client stores …`: a part of the program does so. */
function thirdPerson(words: readonly Word[], at: number, { from }: Clause): ClauseAct | undefined {
  const word = words[at];
  if (word === undefined || !word.text.endsWith('s') || word.text === word.stem) return undefined;
  const { parts } = CLAUSE_WORDS();
  const isVerb = isFormOf(word, 'acts') || isFormOf(word, 'harms');
  const subject = range(from, at).map((one) => text(words, one));
  return isVerb && subject.length <= 3 && parts.has(subject.at(-1) ?? '') && isPresent(subject) ? 'states' : undefined;
}

const isPresent = (subject: readonly string[]): boolean =>
  !subject.some((word) => /^(?:old|legacy|previous|existing|current|former|if|when|some|other|prototype)$/.test(word));

/** `tokens are stored in …`, `will be stored in …`. */
function passive(words: readonly Word[], at: number, { from }: Clause): ClauseAct | undefined {
  const word = words[at];
  if (word === undefined || !isParticiple(word)) return undefined;
  if (!isFormOf(word, 'acts') && !isFormOf(word, 'harms')) return undefined;
  const be = at - (text(words, at - 1).endsWith('ly') ? 2 : 1);
  if (be <= from || !BE.has(text(words, be))) return undefined;
  const subject = range(from, be).map((one) => text(words, one));
  if (subject.some((one) => CLAUSE_WORDS().subordinators.has(one)) || !isPresent(subject)) return undefined;
  const isPlanned = text(words, be) === 'be';
  if (isPlanned && subject.at(-1) !== 'will') return undefined;
  return isPlanned ? 'plans' : 'states';
}

const NEEDLESS =
  /^(?:unnecessary|overkill|superfluous|pointless|too slow|too expensive|too much (?:work|effort)|not (?:worth it|needed|necessary|required|used|an option|wanted|important|mandatory|enforced)|out of scope|not)$/;

/** `tests are not needed`, `the check is skipped`, `the docs will follow`. */
function actOnSubject({ kind, cue }: NegationScope, words: readonly Word[], [to, cueAt]: Span, clause: Clause) {
  const between = range(to, cueAt).map((at) => text(words, at));
  if (between.some((word) => CLAUSE_WORDS().subordinators.has(word))) return undefined;
  const predicate = between.some(
    (word) => BE.has(word) || word === 'will' || word === 'can' || word === 'do' || word === 'does',
  );
  const begins = range(clause.from, to).every((at) => !CLAUSE_WORDS().away.has(text(words, at)));
  if (kind === 'later') return 'plans';
  if (!predicate || !begins) return undefined;
  if (kind === 'skip' || kind === 'remove') return NEEDLESS.test(cue) || cue.endsWith('ed') ? 'states' : undefined;
  return kind === 'not' && !/^(?:no|without|instead|rather)/.test(cue) ? 'states' : undefined;
}

/** `do not …`, `we will not …`. */
function refusedAct(words: readonly Word[], at: number, { from }: Clause): ClauseAct | undefined {
  const { planners, modals, openers } = CLAUSE_WORDS();
  let before = at;
  while (before > from && modals.has(text(words, before - 1))) before -= 1;
  const isOrder = range(from, before).every((one) => openers.has(text(words, one)));
  if (isOrder || planners.has(text(words, before - 1))) return 'plans';
  return BE.has(text(words, at - 1)) && CLAUSE_WORDS().parts.has(text(words, at - 2)) ? 'states' : undefined;
}

/** `ship it without …`, `the page will be public without …`. */
function doneWithout(words: readonly Word[], at: number, end: number, clause: Clause): ClauseAct | undefined {
  const { ships, open_to_all: open, denials } = CLAUSE_WORDS();
  const before = range(clause.from, at);
  if (before.some((one) => denials.has(text(words, one)))) return undefined;
  if (
    open.has(text(words, at - 1)) &&
    before.some((one) => /^(?:is|are|be|go|goes|make|keep|leave)$/.test(text(words, one)))
  )
    return 'plans';
  const isReported = isParticiple(words[clause.from]!) && isFormOf(words[clause.from], 'ships') && end === clause.to;
  if (isReported) return 'states';
  const verb = before.find((one) => ships.has(text(words, one)));
  if (verb === undefined || range(verb + 1, at).some((one) => isBarred(words, one, at))) return undefined;
  return actOfVerb(words, verb, clause);
}

/** `get no …`, `there is no …`, `no … is needed`. */
function doneWithNo(words: readonly Word[], at: number, end: number, clause: Clause): ClauseAct | undefined {
  if (at === clause.from && BE.has(text(words, end)))
    return /^(?:needed|necessary|required|used|planned)$/.test(text(words, end + 1)) ? 'states' : undefined;
  const verb = text(words, at - 1);
  if (/^(?:get|gets|have|has|need|needs|declare|declares|use|uses|with|is|are|add|write)$/.test(verb)) return 'states';
  return undefined;
}
