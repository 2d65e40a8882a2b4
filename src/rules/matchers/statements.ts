import type { Rule } from '../model/rule.ts';
import { isThing } from '../text/concepts.ts';
import type { NegationScope } from '../text/negation.ts';
import { isActVerb } from './acts.ts';
import { remembered } from '../text/remembered.ts';
import { bearsOn, sentencesOf, type PlanSentence, type Unit } from '../text/units.ts';

/** One thing that a statement names, in one of several words; a sign of -1 is forbidden. */
export interface Slot {
  readonly any: readonly { readonly concept: string; readonly sign: 1 | -1 }[];
  readonly weight: number;
  /** A thing, not a practice: its absence says nothing about its treatment. */
  readonly isThing: boolean;
}

export type Statement = NonNullable<ReturnType<typeof statementOf>>;

/** The statements of a rule: those of its body and action that ask for or forbid something; else that of its title. */
export const statementsOf = remembered<Rule, readonly Statement[]>(({ title, content, action_text: action }) => {
  const body = [content ?? '', action ?? ''].flatMap(sentencesOf).flatMap((one) => statementOf(one, true) ?? []);
  const headings = sentencesOf(title).filter((one) => (body.length === 0 ? !isSubject(one) : isClear(one)));
  return [...headings.flatMap((one) => statementOf(one, !isHeading(one)) ?? []), ...body];
});

/** Beside a body a title speaks for itself only with words that ask or forbid: `Force pushes` may be what the body forbids. */
const isClear = ({ text, scopes }: PlanSentence): boolean => scopes.length > 0 || MODAL.test(text);

export const weigh = (slots: readonly Slot[]): number => slots.reduce((sum, { weight }) => sum + weight, 0);

/** Whether a plan does first what a rule wants last. */
export function isReversed(rule: string, plan: string): boolean {
  const orderOf = (text: string): number => Number(/\bafter\b/i.test(text)) - Number(/\bbefore\b/i.test(text));
  return orderOf(rule) * orderOf(plan) === -1;
}

const MODAL =
  /\b(?:must|shall|should|needs?(?: to)?|ha(?:s|ve) to|requires?|(?:is|are) required to|always|can only)\b/i;
const OCCASION = /\b(?:before|after|when|whenever|unless|until|if|while|for|during|as soon as)\b/i;

/** A heading that only names a practice asks for it; that another text is not about it is no violation. */
const isHeading = ({ text, words, scopes }: PlanSentence): boolean =>
  scopes.length === 0 && !MODAL.test(text) && !words.slice(0, 1).some(isActVerb);

/** A heading that only names a subject asks for nothing. */
const isSubject = (sentence: PlanSentence): boolean =>
  isHeading(sentence) &&
  sentence.units.every(({ meanings }) => meanings.every(({ concept }) => concept.startsWith('=') || isThing(concept)));

interface Signed {
  readonly unit: Unit;
  /** -1 where an odd number of cues bears on the unit. */
  readonly turn: 1 | -1;
  readonly sign: number;
  readonly isDenied: boolean;
  /** Whether a cue of leaving or taking away bears on it. */
  readonly isDropped: boolean;
}

function statementOf(sentence: PlanSentence, accuses: boolean) {
  const { text } = sentence;
  const all = sentence.units.map((unit) => signed(unit, sentence));
  const core = coreOf(all, text);
  const slots = slotsOf(core, text);
  if (weigh(slots) < LEAST) return undefined;
  return {
    text,
    core: slots.map((slot) => ({ ...slot, weight: slot.weight / Math.min(1, weigh(slots)) })),
    /** What else it names: `Pipeline logs` of `Pipeline logs must not contain secrets`. */
    context: slotsOf(
      all.filter((one) => !core.includes(one)),
      text,
    ),
    forbids: slots.every(({ any }) => any[0]?.sign === -1),
    /** Whether mention alone keeps it; of a double negation (`do not skip tests`) it does not. */
    isPlain: core.some(({ isDropped }) => !isDropped),
    /** Whether the opposite is a violation. */
    accuses,
  };
}

/** Slots that weigh less say nothing in particular. */
const LEAST = 0.3;

function signed(unit: Unit, { scopes }: PlanSentence): Signed {
  const own = scopes.filter((scope) => scope.kind !== 'mend' && scope.kind !== 'later' && bearsOn(scope, unit));
  const turn = turnsOf(own) % 2 === 0 ? 1 : -1;
  return {
    unit,
    turn,
    sign: turn * (unit.meanings[0]?.sign ?? 1),
    isDenied: own.length > 0,
    isDropped: own.some(({ kind }) => kind !== 'not' && kind !== 'avoid'),
  };
}

/** How many turns scopes make: each denial is one; all that leaves out, takes away or puts off is one together. */
export const turnsOf = (scopes: readonly NegationScope[]): number => {
  const denials = scopes.filter(({ kind }) => kind === 'not' || kind === 'avoid').length;
  return denials + (denials < scopes.length ? 1 : 0);
};

/** What is denied, or else what follows `must`, up to the occasion. */
function coreOf(all: readonly Signed[], text: string): readonly Signed[] {
  const denied = all.filter(({ turn }) => turn === -1);
  const begin = denied.length === 0 ? undefined : all.find(({ isDenied }) => isDenied);
  const from = begin?.unit.from ?? MODAL.exec(text)?.index ?? 0;
  const occasion = OCCASION.exec(text.slice(from))?.index ?? 0;
  const to = occasion === 0 ? Infinity : from + occasion;
  const inside = all.filter((one) => one.unit.from >= from && (one.unit.from < to || one.turn === -1));
  if (denied.length === 0) return inside;
  // `Do not X without Y` asks for Y on the occasion of X.
  const demanded = inside.filter(({ sign, isDenied }) => sign === 1 && isDenied);
  return demanded.some(({ unit }) => unit.weight >= 0.4) ? demanded : inside.filter(({ sign }) => sign === -1);
}

const LIST = /^\s*(?:,|\/|,?\s*(?:and|or|nor)\b)(?:\s*(?:a|an|the|any)\b)?\s*$/iu;

/** Units of one list (`A, B or C`), or of one concept, are one slot. */
function slotsOf(all: readonly Signed[], text: string): readonly Slot[] {
  const slots: Slot[] = [];
  let last: Unit | undefined;
  for (const { unit, turn } of all) {
    const { meanings, weight, from } = unit;
    const slot = {
      any: meanings.map(({ concept, sign }) => ({ concept, sign: sign === turn ? (1 as const) : (-1 as const) })),
      weight,
      isThing: meanings.every(({ concept, sign }) => sign === 1 && isThing(concept)),
    };
    const isListed = last !== undefined && LIST.test(text.slice(last.to, from));
    const at = isListed ? slots.length - 1 : slots.findIndex((other) => isSame(other, slot));
    const same = slots[at];
    if (same === undefined) slots.push(slot);
    else slots[at] = joined(same, slot);
    last = unit;
  }
  return slots;
}

function joined(one: Slot, other: Slot): Slot {
  return {
    any: [...one.any, ...other.any],
    weight: Math.max(one.weight, other.weight),
    isThing: one.isThing && other.isThing,
  };
}

const isSame = (one: Slot, other: Slot): boolean =>
  one.any.some(({ concept }) => other.any.some((meaning) => meaning.concept === concept));
