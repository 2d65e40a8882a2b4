import { GUARDS, HEDGES, QUALIFIERS, type CueKind, type NegationScope } from '../text/negation-cues.ts';
import { isFault, isThing } from '../text/concepts.ts';
import { bearsOn, type PlanSentence, type Unit } from '../text/units.ts';
import { isReversed, weigh, type Slot, type Statement } from './statements.ts';

/** What one sentence of a plan says about one statement of a rule. */
export interface PlanEvidence {
  readonly says: 'keeps' | 'breaks' | 'unsure';
  /** 0 to 1: how much of the statement the sentence is about. */
  readonly strength: number;
  /** The weight of what it demands or forbids that the sentence speaks of. */
  readonly mass: number;
  readonly statement: Statement;
  readonly sentence: PlanSentence;
  /** The words of the plan that decided, and the cue before them. */
  readonly words: readonly string[];
}

/** Whether a sentence keeps or breaks a statement, or may break it; undefined when it says nothing about it. */
export function evidenceOf(
  statement: Statement,
  sentence: PlanSentence,
  isElsewhere: (concept: string) => boolean,
): PlanEvidence | undefined {
  const heard = statement.core.flatMap((slot) => hear(slot, sentence) ?? []);
  const telling = statement.forbids ? heard : practicesOf(statement, heard);
  const kept = telling.filter(({ agrees }) => agrees);
  const broken = telling.filter((one) => !one.agrees && (statement.forbids || one.scopes.length > 0 || one.isOpposite));
  if (telling.length === 0) return undefined;
  const strength = strengthOf(statement, heard, sentence, isElsewhere);
  const evidence = (says: PlanEvidence['says'], deciding: readonly Heard[]): PlanEvidence => ({
    says,
    strength,
    mass: weighAll(heard),
    statement,
    sentence,
    words: [...new Set(deciding.flatMap(({ unit, scopes }) => [...scopes.map(({ cue }) => cue), unit.text]))],
  });
  if (weighAll(broken) >= BARELY && weighAll(broken) > weighAll(kept)) {
    if (!statement.accuses || strength < TOUCHES_FROM || !isAbout(statement, heard)) return undefined;
    const isCertain =
      strength >= BREAKS_FROM && weighAll(kept) < BARELY && !isDoubtful(statement, heard, broken, sentence);
    return evidence(isCertain ? 'breaks' : 'unsure', broken);
  }
  if (strength < KEEPS_FROM || weighAll(kept) < BARELY) return undefined;
  if (!statement.forbids && !statement.isPlain && kept.every(({ scopes }) => scopes.length === 0)) return undefined;
  if (!statement.forbids && (isTopicOnly(statement, heard) || isReversed(statement.text, sentence.text)))
    return undefined;
  if (
    statement.forbids &&
    !statement.accuses &&
    kept.every(({ scopes }) => scopes.every(({ kind }) => !CHANGES.includes(kind)))
  )
    return undefined;
  return evidence(broken.length === 0 ? 'keeps' : 'unsure', kept);
}

/** Cues of a change to something that is there. */
const CHANGES: readonly CueKind[] = ['remove', 'swap', 'mend'];
const KEEPS_FROM = 0.5;
const BREAKS_FROM = 0.55;
const TOUCHES_FROM = 0.45;
/** Slots that weigh less decide nothing. */
const BARELY = 0.4;

interface Heard {
  readonly slot: Slot;
  readonly unit: Unit;
  readonly agrees: boolean;
  /** The phrase itself means the opposite of the concept. */
  readonly isOpposite: boolean;
  readonly scopes: PlanSentence['scopes'];
}

const weighAll = (heard: readonly Heard[]): number => weigh(heard.map(({ slot }) => slot));

/** Whether a sentence speaks of most of a statement, or of a fault, which is bad by itself. */
const isAbout = ({ core }: Statement, heard: readonly Heard[]): boolean =>
  weighAll(heard) >= weigh(core) * 0.6 || heard.some(({ slot }) => slot.any.some(({ concept }) => isFault(concept)));

/** `without touching the tests` neither keeps nor breaks anything. */
const UNTOUCHED = /^(?:not|no|without) (?:touch|chang|affect|alter|modif|break)/;

/** How a sentence speaks of a slot; of several mentions one that is taken away counts first, then one that breaks the rule. */
function hear(slot: Slot, sentence: PlanSentence): Heard | undefined {
  const all = slot.any.flatMap(({ concept, sign }) =>
    sentence.units.flatMap((unit): readonly Heard[] => {
      const meaning = unit.meanings.find((one) => one.concept === concept);
      if (meaning === undefined) return [];
      if (sentence.scopes.some((scope) => UNTOUCHED.test(scope.cue) && bearsOn(scope, unit))) return [];
      const scopes = sentence.scopes
        .filter((scope) => bearsOn(scope, unit) && scope.kind !== (sign === 1 ? 'mend' : 'later'))
        // Later and later is later.
        .filter(({ kind }, at, all) => kind !== 'later' || all.findIndex((one) => one.kind === kind) === at);
      const agrees = (scopes.length % 2 === 0 ? 1 : -1) * meaning.sign === sign;
      return [{ slot, unit, agrees, scopes, isOpposite: meaning.sign !== sign && !isThing(concept) }];
    }),
  );
  return (
    all.find(({ agrees, scopes }) => agrees && scopes.some(({ kind }) => kind !== 'not' && kind !== 'avoid')) ??
    all.find(({ agrees }) => !agrees) ??
    all[0]
  );
}

/** Of a demand its practices count, not the things they are done to; a demand of things only is about those. */
function practicesOf({ core }: Statement, heard: readonly Heard[]): readonly Heard[] {
  const onlyThings = core.every(({ isThing, weight }) => isThing || weight < BARELY);
  return onlyThings ? heard : heard.filter(({ slot }) => !slot.isThing);
}

/** Of several plain words one alone is a subject, not an intention. */
const isTopicOnly = ({ core }: Statement, heard: readonly Heard[]): boolean =>
  core.length > 1 &&
  heard.length < 2 &&
  heard.every(({ slot }) => slot.any.every(({ concept }) => concept.startsWith('=')));

/** Whether an accusation could be a misreading: a thought, a report, a guard, half of a ban, a replacement. */
function isDoubtful(
  { text: rule, core, context, forbids }: Statement,
  heard: readonly Heard[],
  broken: readonly Heard[],
  { text, words, scopes, units }: PlanSentence,
): boolean {
  const ruleWords = new Set(rule.toLowerCase().match(/\w+/g));
  const lacks = (known: ReadonlySet<string>): boolean =>
    [...ruleWords].some((word) => known.has(word) && words.every((one) => one.text !== word));
  const isHedged = words.some(({ text: word }) => (HEDGES.has(word) || GUARDS.has(word)) && !ruleWords.has(word));
  if (text.endsWith('?') || isHedged || (forbids && lacks(QUALIFIERS))) return true;
  if (!forbids) {
    const own = new Set(broken.flatMap((one) => one.scopes));
    const others = scopes.filter((scope) => !own.has(scope) && scope.kind === 'not');
    const isMet = context.length === 0 || context.some(({ any }) => units.some((unit) => mentions(unit, any)));
    return (
      (!isMet && broken.some((one) => one.scopes.some(({ kind }) => kind === 'remove'))) ||
      broken.some(
        (one) => one.scopes.length > 1 || one.scopes.some((scope) => scope.kind === 'swap' || isAttribute(scope)),
      ) ||
      context.some(({ any }) =>
        units.some((unit) => mentions(unit, any) && others.some((scope) => bearsOn(scope, unit))),
      )
    );
  }
  const isHalf = core.some((slot) => slot.weight >= BARELY && heard.every((one) => one.slot !== slot));
  return (
    scopes.some(({ kind }) => CHANGES.includes(kind)) ||
    broken.some((one) => one.scopes.length > 0 || isDeniedSubject(one.unit, scopes)) ||
    (isHalf && (heard.length < 2 || heard.every(({ slot }) => slot.isThing)))
  );
}

/** `the skipped tests` are described, not planned. */
const isAttribute = ({ cue, cueFrom, from }: NegationScope): boolean => cue.endsWith('ed') && from > cueFrom;

const mentions = ({ meanings }: Unit, any: Slot['any']): boolean =>
  meanings.some(({ concept }) => any.some((one) => one.concept === concept));

/** `tokens never reach the log`: something is denied of the words before the cue. */
const isDeniedSubject = ({ to }: Unit, scopes: readonly NegationScope[]): boolean =>
  scopes.some(({ cue, cueFrom }) => /^(?:not|never)\b/.test(cue) && cueFrom >= to);

/**
 * How much of a statement a sentence touches. Its context counts too, half when it is elsewhere in the plan; where a
 * practice is demanded that many words name, it hardly matters.
 */
function strengthOf(
  { core, context, forbids }: Statement,
  heard: readonly Heard[],
  { units }: PlanSentence,
  isElsewhere: (concept: string) => boolean,
): number {
  const isHere = (wanted: string): boolean =>
    units.some(({ meanings }) => meanings.some(({ concept }) => concept === wanted));
  const met = context.reduce((sum, { any, weight }) => {
    if (any.some(({ concept }) => isHere(concept))) return sum + weight;
    return any.some(({ concept }) => isElsewhere(concept)) ? sum + weight / 2 : sum;
  }, 0);
  const [part, whole, around] = [weighAll(heard), weigh(core), weigh(context)];
  const isPractice = core.some(({ isThing, any }) => !isThing && any.some(({ concept }) => !concept.startsWith('=')));
  if (isPractice && !forbids) return Math.min(1, part / whole + (around === 0 ? 0 : (0.15 * met) / around));
  return (part + 0.5 * met) / (whole + 0.5 * around);
}
