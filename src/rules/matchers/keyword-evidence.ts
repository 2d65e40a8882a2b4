import type { Scope } from '../text/negation-cues.ts';
import { isReversed } from '../text/order.ts';
import { isThing } from '../text/things.ts';
import { bearsOn } from '../text/units.ts';
import type { Sentence, Unit } from '../text/units.ts';
import type { Slot, Statement } from './keyword-statements.ts';
import { weigh } from './keyword-statements.ts';

/** What one sentence of a plan says about one statement of a rule. */
export interface Evidence {
  readonly keeps: boolean;
  /** 0 to 1: how much of the statement the sentence is about. */
  readonly strength: number;
  readonly statement: Statement;
  readonly sentence: Sentence;
  /** The words of the plan that decided. */
  readonly said: readonly string[];
  readonly cue?: string;
}

/** Whether a sentence keeps or breaks a statement; undefined when it says nothing about it. */
export function evidenceOf(
  statement: Statement,
  sentence: Sentence,
  around: ReadonlySet<string>,
): Evidence | undefined {
  const heard = statement.core.flatMap((slot) => heardOf(slot, sentence) ?? []);
  if (heard.length === 0) return undefined;
  const telling = statement.forbids ? heard : practices(statement, heard);
  const kept = telling.filter(({ agrees }) => agrees);
  const broken = telling.filter((one) => !one.agrees && (statement.forbids || !isMereThing(one)));
  if (telling.length === 0) return undefined;
  const strength = strengthOf(statement, heard, sentence, around);
  const keeps = statement.forbids
    ? kept.length > 0 && weighAll(kept) >= BARELY
    : broken.length === 0 || weighAll(broken) < weighAll(kept) * 0.5;
  if (strength < (keeps ? KEEPS_FROM : BREAKS_FROM)) return undefined;
  if (keeps && isReversed(statement.text, sentence.text)) return undefined;
  if (keeps && isTopicOnly(statement, heard)) return undefined;
  if (keeps && weighAll(heard) < weigh(statement.core) * CORE_FROM) return undefined;
  if (keeps && !statement.accuses && kept.every(({ removed }) => !removed)) return undefined;
  if (!keeps && (!statement.accuses || weighAll(broken) < BARELY || isHalf(statement, heard, sentence)))
    return undefined;
  const deciding = keeps ? kept : broken;
  const cue = deciding.find(({ by }) => by !== undefined)?.by;
  return {
    keeps,
    strength,
    statement,
    sentence,
    said: deciding.map(({ unit }) => unit.text),
    ...(cue === undefined ? {} : { cue }),
  };
}

/** Of several words none of which is a concept, one alone is a subject, not an intention. */
const isTopicOnly = ({ core, forbids }: Statement, heard: readonly Heard[]): boolean =>
  !forbids &&
  core.length > 1 &&
  heard.length < 2 &&
  heard.every(({ slot }) => slot.any.every(({ concept }) => concept.startsWith('=')));

/** That a thing is spoken of says nothing against how it shall be treated. */
const isMereThing = ({ unit, by }: Heard): boolean => by === undefined && isThing(unit);

/** A ban on doing something to a thing, or somewhere, is not broken by the thing alone. */
function isHalf({ core, context, forbids }: Statement, heard: readonly Heard[], { byConcept }: Sentence): boolean {
  if (!forbids || heard.some(({ slot }) => !slot.isThing)) return false;
  const isElsewhere =
    context.length > 0 &&
    context.every(({ any, weight }) => weight < BARELY || any.every(({ concept }) => !byConcept.has(concept)));
  return isElsewhere || core.some((slot) => slot.weight >= BARELY && heard.every((one) => one.slot !== slot));
}

/** Of what is asked for, what is done counts, not what it is done to; a statement that names only things is about those. */
function practices({ core }: Statement, heard: readonly Heard[]): readonly Heard[] {
  return core.every(({ isThing, weight }) => isThing || weight < BARELY)
    ? heard
    : heard.filter(({ slot }) => !slot.isThing);
}

const KEEPS_FROM = 0.5;
const BREAKS_FROM = 0.54;
/** However much of its occasion is met, so much of what a statement asks for must be there. */
const CORE_FROM = 0.45;
/** A slot that weighs less than this decides nothing by itself. */
const BARELY = 0.4;

interface Heard {
  readonly slot: Slot;
  readonly unit: Unit;
  readonly agrees: boolean;
  readonly removed: boolean;
  readonly by?: string;
}

const weighAll = (heard: readonly Heard[]): number => weigh(heard.map(({ slot }) => slot));

/** How a sentence speaks of a slot; of several mentions the one that breaks the rule counts, unless it is taken away. */
function heardOf(slot: Slot, sentence: Sentence): Heard | undefined {
  const all: Heard[] = [];
  for (const { concept, sign } of slot.any)
    for (const unit of sentence.byConcept.get(concept) ?? []) {
      const meaning = unit.meanings.find((one) => one.concept === concept) ?? { sign: 1 };
      const scopes = covering(sentence, unit, sign);
      const stands = (scopes.length % 2 === 0 ? 1 : -1) * meaning.sign;
      const by = scopes[0]?.cue;
      const removed = scopes.some(({ kind }) => kind === 'remove' || kind === 'mend');
      all.push({ slot, unit, agrees: stands === sign, removed, ...(by === undefined ? {} : { by }) });
    }
  const taken = all.find(({ agrees, removed }) => agrees && removed);
  return taken ?? all.find(({ agrees }) => !agrees) ?? all[0];
}

/** The cues that bear on a unit; mending concerns only what is forbidden, putting off only what is asked for. */
function covering({ scopes }: Sentence, unit: Unit, wanted: 1 | -1): readonly Scope[] {
  const all = scopes.filter(
    (scope) =>
      bearsOn(scope, unit) && !(scope.kind === 'mend' && wanted === 1) && !(scope.kind === 'later' && wanted === -1),
  );
  const others = all.filter(({ kind }) => kind !== 'subject');
  const heard = wanted === -1 || others.length > 0 ? all : others;
  // Said twice, later is still later.
  return heard.filter(({ kind }, at) => kind !== 'later' || heard.findIndex((one) => one.kind === kind) === at);
}

/**
 * How much of a statement a sentence touches. Of whom it speaks counts too, half when it stands elsewhere in the plan;
 * only where a practice is asked for that many words name, it hardly matters.
 */
function strengthOf(
  { core, context, forbids }: Statement,
  heard: readonly Heard[],
  sentence: Sentence,
  around: ReadonlySet<string>,
): number {
  const [said, whole] = [weighAll(heard), weigh(core)];
  const met = context.reduce((sum, { any, weight }) => {
    if (any.some(({ concept }) => sentence.byConcept.has(concept))) return sum + weight;
    return any.some(({ concept }) => around.has(concept)) ? sum + weight / 2 : sum;
  }, 0);
  const all = weigh(context);
  const isPractice = core.some(({ isThing, any }) => !isThing && any.some(({ concept }) => !concept.startsWith('=')));
  if (isPractice && !forbids) return Math.min(1, said / whole + (all === 0 ? 0 : (BONUS * met) / all));
  return (said + CONTEXT_COUNTS * met) / (whole + CONTEXT_COUNTS * all);
}

const BONUS = 0.15;
const CONTEXT_COUNTS = 0.5;
