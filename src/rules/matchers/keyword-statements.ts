import type { Rule } from '../../rule-model/rule.ts';
import { STEP_VERBS } from '../text/negation-cues.ts';
import { bearsOn, sentencesOf } from '../text/units.ts';
import type { Sentence, Unit } from '../text/units.ts';
import { isThing } from '../text/things.ts';

/** Something a statement names, in one of several words; `wanted` says whether it shall be there. */
export interface Slot {
  readonly any: readonly { readonly concept: string; readonly sign: 1 | -1 }[];
  readonly weight: number;
  readonly text: string;
  /** A thing, not a practice: that it is not there says nothing about how it is treated. */
  readonly isThing: boolean;
}

/** One sentence of a rule, as what it is about and what it asks for. */
export interface Statement {
  readonly text: string;
  /** What the sentence asks for or forbids; a sign of -1 is forbidden. */
  readonly core: readonly Slot[];
  /** On what occasion, of whom. */
  readonly context: readonly Slot[];
  readonly forbids: boolean;
  /** Whether doing otherwise is a violation; a sentence about removing something only praises. */
  readonly accuses: boolean;
}

/** What a rule states, sentence by sentence: title, body and action. */
export function statementsOf(rule: Pick<Rule, 'title' | 'content' | 'action_text'>): readonly Statement[] {
  const title = sentencesOf(rule.title).filter((sentence) => !namesSubject(sentence));
  const body = [rule.content ?? '', rule.action_text ?? ''].flatMap(sentencesOf);
  return [...title, ...body].flatMap((sentence) => statementOf(sentence) ?? []);
}

const MODAL =
  /\b(?:must|shall|should|needs? to|needs?|ha(?:s|ve) to|requires?|is required to|are required to|always|may only|can only)\b/i;
const OCCASION = /\b(?:before|after|when|whenever|unless|until|if|while|for|during|as soon as)\b/i;

/** What is allowed asks for nothing. */
const PERMITS = /\b(?:allowed|permitted|optional|fine|okay|may|can|acceptable)\b/i;

/** A heading that only names a subject asks for nothing either. */
const namesSubject = ({ text, words, units, scopes }: Sentence): boolean =>
  scopes.length === 0 &&
  !MODAL.test(text) &&
  !STEP_VERBS.has(words[0]?.text ?? '') &&
  units.every((unit) => isThing(unit) || unit.meanings.every(({ concept }) => concept.startsWith('=')));

function statementOf(sentence: Sentence): Statement | undefined {
  const { text, units } = sentence;
  if (sentence.scopes.length === 0 && !MODAL.test(text) && PERMITS.test(text)) return undefined;
  const own = units.map((unit) => {
    const depth = depthOf(sentence, unit);
    const turn = depth % 2 === 0 ? 1 : -1;
    return { unit, depth, turn, sign: turn * (unit.meanings[0]?.sign ?? 1) } as const;
  });
  const denied = own.filter(({ turn }) => turn === -1);
  const cueAt = Math.min(...denied.map(({ unit }) => unit.from), Infinity);
  const modal = MODAL.exec(text);
  const isPassive =
    modal !== null &&
    text
      .slice(modal.index + modal[0].length)
      .trim()
      .replace(/[.!]$/, '') === '';
  const coreFrom = denied.length > 0 ? cueAt : modal !== null && !isPassive ? modal.index : 0;
  const occasion = occasionIn(text, coreFrom);
  const inCore = own.filter(
    ({ unit }) => unit.from >= coreFrom && (unit.from < occasion || denied.some((one) => one.unit === unit)),
  );
  // `Do not X without Y`: Y is asked for, X is the occasion. `Never use MD5 for passwords`: what is bad by itself counts.
  const hasBoth =
    denied.length > 0 && inCore.some(({ sign, depth, unit }) => sign === 1 && depth > 0 && unit.weight >= 0.4);
  const core =
    denied.length > 0 ? inCore.filter(({ sign, depth }) => (hasBoth ? sign === 1 && depth > 0 : sign === -1)) : inCore;
  const slots = slotsOf(core, text);
  if (slots.length === 0 || weigh(slots) < 0.3) return undefined;
  const context = slotsOf(
    own.filter((one) => !core.includes(one)),
    text,
  );
  const forbids = slots.every(({ any }) => any[0]?.sign === -1);
  const kinds = new Set(sentence.scopes.map(({ kind }) => kind));
  return { text, core: slots, context, forbids, accuses: !(forbids && [...kinds].every((kind) => kind === 'remove')) };
}

/** How many cues of a rule's sentence bear on a unit; an odd number denies it. */
function depthOf({ scopes }: Sentence, unit: Unit): number {
  return scopes.filter((scope) => scope.kind !== 'mend' && scope.kind !== 'later' && bearsOn(scope, unit)).length;
}

function occasionIn(text: string, from: number): number {
  const found = OCCASION.exec(text.slice(from));
  return found === null || found.index === 0 ? Infinity : from + found.index;
}

interface Signed {
  readonly unit: Unit;
  readonly turn: 1 | -1;
}

/** Units that stand in one list (`A, B or C`), or mean the same, are one slot. */
function slotsOf(signed: readonly Signed[], text: string): readonly Slot[] {
  const slots: Slot[] = [];
  let last: Signed | undefined;
  for (const one of signed) {
    const slot = slotOf(one, isModifier(one, last?.unit, text));
    const before = slots.at(-1);
    const isListed = before !== undefined && last !== undefined && LIST.test(text.slice(last.unit.to, one.unit.from));
    const at = isListed ? slots.length - 1 : slots.findIndex((other) => meet(other, slot));
    const same = slots[at];
    if (same === undefined) slots.push(slot);
    else slots[at] = joined(same, slot);
    last = one;
  }
  return slots;
}

const LIST =
  /^\s*(?:,|\/|、|,?\s*(?:and|or|nor)\b|와\s|과\s|나\s|이나\s|或者?|和|및\s)(?:\s*(?:a|an|the|any)\b)?\s*$/iu;

const slotOf = ({ unit, turn }: Signed, isModifier: boolean): Slot => ({
  any: unit.meanings.map(({ concept, sign }) => ({ concept, sign: (sign * turn) as 1 | -1 })),
  weight: unit.weight * (isModifier ? MODIFIES : 1),
  text: unit.text,
  isThing: isThing(unit),
});

const meet = (one: Slot, other: Slot): boolean =>
  one.any.some(({ concept }) => other.any.some((meaning) => meaning.concept === concept));

/** Two names of one slot; a word that says little in itself does not stand for one that says much. */
function joined(one: Slot, other: Slot): Slot {
  if (other.weight < 0.3 && one.weight >= 0.3) return one;
  if (one.weight < 0.3 && other.weight >= 0.3) return other;
  return {
    any: [...one.any, ...other.any],
    weight: Math.max(one.weight, other.weight),
    text: one.text === other.text ? one.text : `${one.text}, ${other.text}`,
    isThing: one.isThing && other.isThing,
  };
}

/** `in one transaction`, `by mail`: a word after a preposition tells less than what it belongs to; a concept tells as much. */
const isModifier = ({ unit, turn }: Signed, last: Unit | undefined, text: string): boolean =>
  last !== undefined &&
  turn === 1 &&
  unit.meanings.every(({ concept }) => concept.startsWith('=')) &&
  /\b(?:by|in|on|at|with|for|to|from|of|behind|under|per|than)\b/i.test(text.slice(last.to, unit.from));

const MODIFIES = 0.6;

/** What slots weigh together. */
export const weigh = (slots: readonly Slot[]): number => slots.reduce((sum, { weight }) => sum + weight, 0);
