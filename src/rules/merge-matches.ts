import { isDoubt, type RuleMatch, type RuleResult } from './model/inspection.ts';
import { LAYERS, type Layer, type RuleStatus } from './model/rule-words.ts';

type MergedMatch = Omit<RuleResult, 'rule' | 'title' | 'modality' | 'severity' | 'needsReview'> & {
  readonly needsReview: boolean;
};

/** A heuristic layer overrules the ones below it from this confidence on. */
const OVERRULES_FROM = 0.6;

/**
 * Makes one answer of what the layers say: exact evidence is final, else the upper layer when it is sure enough, else
 * the surest one, else the gravest. What could not be checked or decided never ends as PASS, and the semantic layer
 * alone neither makes a violation nor takes one away.
 */
export function mergeMatches(matches: readonly RuleMatch[]): MergedMatch {
  const applicable = matches.filter(({ status }) => status !== 'NOT_APPLICABLE');
  const winner = applicable.length === 0 ? nothing(matches) : decided(applicable);
  return {
    status: winner.status,
    confidence: winner.confidence,
    reason: winner.reason,
    layers: matches,
    needsReview: isContested(applicable, winner),
  };
}

type Winner = Pick<RuleMatch, 'status' | 'confidence' | 'reason'>;

const nothing = ([first]: readonly RuleMatch[]): Winner =>
  first ?? { status: 'NOT_APPLICABLE', confidence: 1, reason: 'no check of the rule applies here' };

/**
 * The winner among the layers that decided, unless one could not: then only a violation still counts. A doubt of the words is
 * answered by a language model.
 */
function decided(all: readonly RuleMatch[]): Winner {
  const isAnswered = all.some(({ layer, status }) => layer === 'llm' && status !== 'ERROR' && status !== 'UNDECIDED');
  const matches = all.filter((match) => !isAnswered || !isDoubt(match));
  const clear = matches.filter(({ status }) => status !== 'ERROR' && status !== 'UNDECIDED');
  const winner = clear.length === 0 ? undefined : ruled(clear);
  if (winner?.status === 'VIOLATED') return winner;
  const unclear =
    gravest(matches.filter(({ status }) => status === 'ERROR')) ??
    gravest(matches.filter(({ status }) => status === 'UNDECIDED'));
  return unclear ?? winner ?? nothing([]);
}

function ruled(clear: readonly RuleMatch[]): Winner {
  const exact = gravest(clear.filter(({ layer }) => layer === 'exact'));
  if (exact !== undefined) return exact;
  const matches = withoutLoneSemantic(clear);
  if (matches.length === 0) return { ...clear[0]!, status: 'NOT_COVERED' };
  const statuses = new Set(matches.map(({ status }) => status));
  if (statuses.size > 1)
    for (const layer of UPPER_FIRST) {
      const upper = surest(matches.filter((match) => match.layer === layer && match.confidence >= OVERRULES_FROM));
      if (upper !== undefined) return upper;
    }
  return surest(matches) ?? nothing([]);
}

const UPPER_FIRST: readonly Layer[] = LAYERS.toReversed();

/** Excludes the semantic layer where it may not speak: for violations without support, and against the layer below. */
function withoutLoneSemantic(clear: readonly RuleMatch[]): readonly RuleMatch[] {
  const others = clear.filter(({ layer }) => layer !== 'semantic');
  const blamed = others.some(({ status }) => status === 'VIOLATED');
  return clear.filter(({ layer, status }) => layer !== 'semantic' || (status === 'VIOLATED') === blamed);
}

/** Gravest first. */
const GRAVITY: readonly RuleStatus[] = ['VIOLATED', 'ERROR', 'UNDECIDED', 'PASS', 'NOT_COVERED', 'NOT_APPLICABLE'];
const gravity = ({ status }: RuleMatch): number => GRAVITY.indexOf(status);

const gravest = (matches: readonly RuleMatch[]): RuleMatch | undefined =>
  matches.toSorted((one, other) => gravity(one) - gravity(other) || other.confidence - one.confidence)[0];

/** The surest; among equals the gravest, and then the upper layer. */
const surest = (matches: readonly RuleMatch[]): RuleMatch | undefined =>
  matches.toSorted(
    (one, other) =>
      other.confidence - one.confidence ||
      gravity(one) - gravity(other) ||
      LAYERS.indexOf(other.layer) - LAYERS.indexOf(one.layer),
  )[0];

/** One layer says that the rule is broken, another that it is kept; or the only accusation could not be heard. */
function isContested(matches: readonly RuleMatch[], winner: Winner): boolean {
  if (matches.every(({ status }) => status !== 'VIOLATED')) return false;
  return winner.status !== 'VIOLATED' || matches.some(({ status }) => status === 'PASS');
}
