import { isGuardVerb, isHedge, isQualifier } from '../text/negation.ts';
import { isThing } from '../text/concepts.ts';
import { bearsOn, type PlanSentence, type Unit } from '../text/units.ts';
import { actOfCue, actOn, isAffirmed, isOneAct, type ClauseAct } from './acts.ts';
import { isReversed, turnsOf, weigh, type Slot, type Statement } from './statements.ts';

export interface PlanEvidence {
  readonly says: 'keeps' | 'breaks' | 'unsure';
  /** 0 to 1: how much of the statement the sentence is about. */
  readonly strength: number;
  readonly statement: Statement;
  readonly sentence: PlanSentence;
  /** How the sentence does what breaks the statement, where that is certain. */
  readonly act: ClauseAct | undefined;
  /** The words of the plan that decided, and the cue before them. */
  readonly words: readonly string[];
}

/** Whether a sentence keeps or breaks a statement, or may break it; undefined when it says nothing about it. */
export function evidenceOf(statement: Statement, sentence: PlanSentence): PlanEvidence | undefined {
  const { core, forbids, accuses } = statement;
  const mentions = core.flatMap((slot) => findMention(slot, sentence) ?? []);
  // Of a demand its practices count, not the things they are done to; a demand of things only is about those.
  const isOfThings = core.every((slot) => slot.isThing || slot.weight < BARELY);
  const telling = forbids || isOfThings ? mentions : mentions.filter(({ slot }) => !slot.isThing);
  const kept = telling.filter(({ agrees }) => agrees);
  const broken = telling.filter((one) => !one.agrees && (forbids || one.scopes.length > 0 || one.isOpposite));
  const strength = strengthOf(statement, mentions, sentence);
  const isBroken = weighAll(broken) >= BARELY && weighAll(broken) > weighAll(kept);
  const speaks = isBroken ? accuses : isKept(statement, kept, sentence);
  if (strength < NAMES_FROM || !speaks) return undefined;
  const deciding = isBroken ? broken : kept;
  return {
    ...(isBroken
      ? accusation(statement, mentions, { kept, broken }, sentence)
      : { says: broken.length === 0 && isCertain(kept, sentence) ? 'keeps' : 'unsure', act: undefined }),
    strength,
    statement,
    sentence,
    words: [...new Set(deciding.flatMap(({ unit, scopes }) => [...scopes.map(({ cue }) => cue), unit.text]))],
  };
}

/** Mention alone keeps no demand that is plain in no part, and none whose order is turned round. */
const isKept = ({ text, forbids, isPlain }: Statement, kept: readonly SlotMention[], sentence: PlanSentence): boolean =>
  weighAll(kept) >= BARELY &&
  (forbids || ((isPlain || kept.some(({ scopes }) => scopes.length > 0)) && !isReversed(text, sentence.text)));

const isCertain = (kept: readonly SlotMention[], sentence: PlanSentence): boolean =>
  kept.some(({ unit, scopes }) => scopes.length > 0 || isAffirmed(unit, sentence));

/** Accuses where the sentence certainly does what is broken by it, and is unsure otherwise. */
function accusation(
  statement: Statement,
  mentions: readonly SlotMention[],
  { kept, broken }: { readonly kept: readonly SlotMention[]; readonly broken: readonly SlotMention[] },
  sentence: PlanSentence,
): Pick<PlanEvidence, 'says' | 'act'> {
  const slots = [...broken.map(({ slot }) => slot), ...statement.context];
  const related = sentence.units.filter(
    ({ meanings }) =>
      meanings.some(({ concept }) => isRelated(concept, slots)) &&
      // `API keys and passwords` are one thing twice, not two that are parted.
      !meanings.some(({ concept }) => mentions.some(({ slot }) => slot.any.some((one) => one.concept === concept))),
  );
  const units = mentions.map(({ unit }) => unit);
  const isTied = weighAll(kept) < BARELY && isOneAct(statement, units, related, sentence);
  const isClear = isTied && !isDoubtful(statement, mentions, broken, sentence);
  const act = isClear ? actOf(broken, mentions, sentence) : undefined;
  return { says: act === undefined ? 'unsure' : 'breaks', act };
}

/** Whether a concept is of the field of a slot (`money.cents` of `money.float`); a mere word is of none. */
const isRelated = (concept: string, slots: readonly Slot[]): boolean =>
  !concept.startsWith('=') &&
  slots.some(({ any }) => any.some((one) => one.concept.split('.')[0] === concept.split('.')[0]));

/** How a sentence does what is broken by it; the practices count, not the things they are done to. */
function actOf(
  broken: readonly SlotMention[],
  mentions: readonly SlotMention[],
  sentence: PlanSentence,
): ClauseAct | undefined {
  const practices = broken.filter(({ slot }) => !slot.isThing);
  const units = mentions.map(({ unit }) => unit);
  const acts = (practices.length > 0 ? practices : broken).flatMap(({ unit, scopes }) =>
    scopes.length === 0
      ? (actOn(unit, units, sentence) ?? [])
      : scopes.flatMap((scope) => actOfCue(scope, unit, units, sentence) ?? []),
  );
  return acts.find((act) => act === 'plans') ?? acts[0];
}

/** A sentence that names less of a statement is about something else. */
const NAMES_FROM = 0.5;
/** Slots that weigh less decide nothing. */
const BARELY = 0.4;

interface SlotMention {
  readonly slot: Slot;
  readonly unit: Unit;
  readonly agrees: boolean;
  /** The phrase itself means the opposite of the concept. */
  readonly isOpposite: boolean;
  readonly scopes: PlanSentence['scopes'];
}

const weighAll = (mentions: readonly SlotMention[]): number => weigh(mentions.map(({ slot }) => slot));

/** How much of a statement a sentence touches; of a ban its context counts too: secrets alone are not secrets in logs. */
function strengthOf(
  { core, context, forbids }: Statement,
  mentions: readonly SlotMention[],
  { units }: PlanSentence,
): number {
  if (!forbids) return weighAll(mentions) / weigh(core);
  const met = context.filter((slot) => isNamed(slot, units));
  return (weighAll(mentions) + weigh(met) / 2) / (weigh(core) + weigh(context) / 2);
}

const isNamed = ({ any }: Slot, units: readonly Unit[]): boolean =>
  units.some(({ meanings }) => meanings.some(({ concept }) => any.some((one) => one.concept === concept)));

/** `without touching the tests` neither keeps nor breaks anything. */
const UNTOUCHED = /^(?:not|no|without) (?:touch|chang|affect|alter|modif|break)/;

/** How a sentence speaks of a slot; of several mentions one that breaks the rule counts first. */
function findMention(slot: Slot, sentence: PlanSentence): SlotMention | undefined {
  const all = slot.any.flatMap(({ concept, sign }) =>
    sentence.units.flatMap((unit): readonly SlotMention[] => {
      const meaning = unit.meanings.find((one) => one.concept === concept);
      const near = sentence.scopes.filter((scope) => bearsOn(scope, unit));
      if (meaning === undefined || near.some(({ cue }) => UNTOUCHED.test(cue))) return [];
      const scopes = near.filter(({ kind }) => kind !== (sign === 1 ? 'mend' : 'later'));
      const agrees = (turnsOf(scopes) % 2 === 0 ? 1 : -1) * meaning.sign === sign;
      return [{ slot, unit, agrees, scopes, isOpposite: meaning.sign !== sign && !isThing(concept) }];
    }),
  );
  return all.find(({ agrees }) => !agrees) ?? all[0];
}

/** Whether an accusation could be a misreading: a question, a thought, a guard, half of a ban, a double denial. */
function isDoubtful(
  { text: rule, core, context, forbids }: Statement,
  mentions: readonly SlotMention[],
  broken: readonly SlotMention[],
  { text, words, units }: PlanSentence,
): boolean {
  const ruleWords = new Set(rule.toLowerCase().match(/\w+/g));
  const isNarrower = [...ruleWords].some((word) => isQualifier(word) && words.every((one) => one.text !== word));
  const isHedged = words.some(({ text: word }) => (isHedge(word) || isGuardVerb(word)) && !ruleWords.has(word));
  if (text.endsWith('?') || isHedged) return true;
  const unnamed = core.filter((slot) => slot.weight >= BARELY && mentions.every((one) => one.slot !== slot));
  if (forbids) return isNarrower || unnamed.length > 0 || broken.some(({ scopes }) => scopes.length > 0);
  const isOfOther = [...unnamed, ...context].some((slot) => slot.isThing && !isNamed(slot, units));
  return broken.some(({ scopes }) => turnsOf(scopes) > 1 || (scopes.length === 0 && isOfOther));
}
