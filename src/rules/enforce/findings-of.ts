import {
  ASK_AN_AGENT,
  isDoubt,
  type MatchPlace,
  type RuleFinding,
  type RuleMatch,
  type RuleResult,
} from '../model/inspection.ts';
import type { Rule } from '../model/rule.ts';
import { withoutGaps } from '../../base/without-gaps.ts';
import { sha256 } from '../../base/sha256.ts';
import { MODALITIES, type Modality, type Phase, type Surface } from '../model/rule-words.ts';
import { type EffectiveHandling, findDeferredPhase, getRung } from './ladder.ts';

/** A finding with what a baseline knows it by, which is never printed. */
export interface MatchedFinding extends RuleFinding {
  readonly matched?: {
    /** The print of its text, which equal findings share; without the number of a measure. */
    readonly print: string;
    /** Which of the equal findings it is. */
    readonly number: number;
    readonly measured?: number;
  };
}

/** When and where a rule was asked. */
interface AskedAt {
  readonly phase?: Phase | undefined;
  readonly surface: Surface;
}

/** The findings of a rule's result: one per violated place, and one for each check that failed or could not decide. */
export function findingsOf(
  rule: Rule,
  result: RuleResult,
  asked: AskedAt,
  counts: EffectiveHandling = rule,
): readonly MatchedFinding[] {
  const finding = makerFor(rule, result, asked, counts);
  const failed = result.layers.filter(({ status }) => status === 'ERROR').map((match) => finding('ERROR', match));
  if (result.status === 'ERROR' && failed.length === 0) return [finding('ERROR')];
  if (result.status === 'UNDECIDED')
    return [
      ...failed,
      finding(
        'UNDECIDED',
        result.layers.find((match) => match.status === 'UNDECIDED' && !isDoubt(match)) ?? result.layers.find(isDoubt),
      ),
    ];
  if (result.status !== 'VIOLATED') return failed;
  const blaming = result.layers.filter(({ status }) => status === 'VIOLATED');
  const places = distinct(blaming.flatMap((match) => match.places.map((place) => ({ match, place }))));
  if (places.length === 0) return [finding('VIOLATED', blaming[0]), ...failed];
  return [...places.map(({ match, place }) => finding('VIOLATED', match, place)), ...failed];
}

const stricterOf = (one: Modality, other: Modality): Modality =>
  MODALITIES.indexOf(one) <= MODALITIES.indexOf(other) ? one : other;

/** What a violation is known by from one look to the next: its rule, its file, its very text with its lines, and which of equal ones it is. */
export const findingFingerprint = (rule: string, file: string, matched: string, occurrence = 0): string =>
  numberedPrint(sha256(printed(rule, 'VIOLATED', file, matched)), occurrence);

/** The print of one of the findings that share a print of their text. */
export const numberedPrint = (print: string, number: number): string => sha256(`${print}\n${number}`);

/** The same place is often found by two checks of a rule; it is one finding. */
function distinct(found: readonly { readonly match: RuleMatch; readonly place: MatchPlace }[]): typeof found {
  const seen = new Set<string>();
  return found.filter(({ place }) => {
    const key = JSON.stringify([place.file, place.line, place.matched]);
    return !seen.has(key) && seen.add(key);
  });
}

type Maker = (status: RuleFinding['status'], match?: RuleMatch, place?: MatchPlace) => MatchedFinding;

/** Fills in what all findings of a rule share, and numbers equal texts in one file so that each has its own print. */
function makerFor(rule: Rule, result: RuleResult, { phase, surface }: AskedAt, counts: EffectiveHandling): Maker {
  const occurrences = new Map<string, number>();
  const isHard = rule.is_hard_constraint;
  const later = isHard ? undefined : findDeferredPhase(counts.priority, phase);
  const modality = stricterOf(
    rule.modality,
    counts.priority === rule.priority ? rule.modality : getRung(counts.priority).modality,
  );
  return (status, match, place) => {
    const { file = '', matched = '', measured } = place ?? {};
    const print = sha256(printed(rule.id, status, file, measured === undefined ? matched : `${matched} ${measured}`));
    const occurrence = occurrences.get(print) ?? 0;
    occurrences.set(print, occurrence + 1);
    const known =
      measured === undefined
        ? { print, number: occurrence }
        : { print: sha256(printed(rule.id, status, file, matched)), number: 0, measured };
    return withoutGaps({
      rule: rule.id,
      title: rule.title,
      severity: rule.severity,
      priority: counts.priority,
      modality,
      handler: surface !== 'line' && isSoftOfLane(rule, match) ? 'LOG_ONLY' : counts.handler,
      countsBecause: counts.because,
      hard: isHard,
      status,
      message: rule.message,
      suggestion: rule.suggestion,
      reason: match?.reason ?? result.reason,
      not_sure: match !== undefined && isDoubt(match) ? ASK_AN_AGENT : undefined,
      confidence: match?.confidence ?? result.confidence,
      file: place?.file,
      line: place?.line,
      column: place?.column,
      excerpt: place?.excerpt,
      fingerprint: numberedPrint(print, occurrence),
      violation: status === 'VIOLATED' ? match?.violation : undefined,
      matched: status === 'VIOLATED' ? known : undefined,
      enforcedBy: isHard || rule.priority === 'P0' ? ('hard_constraint' as const) : undefined,
      waivable: rule.waivable ? undefined : (false as const),
      deferredTo: status === 'VIOLATED' ? later : undefined,
    });
  };
}

/** A soft rule about a response is reported and stops nothing, whatever its handler; on the line it goes back to its author. */
const isSoftOfLane = (rule: Rule, match: RuleMatch | undefined): boolean =>
  match?.violation !== undefined &&
  !rule.is_hard_constraint &&
  (rule.handler === 'TERMINATE' || rule.handler === 'QUICK_FIX');

const printed = (rule: string, status: RuleFinding['status'], file: string, matched: string): string =>
  JSON.stringify([rule, status, file, matched.replace(/\s+/g, ' ').trim()]);
