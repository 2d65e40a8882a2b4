import { toNormalForm } from '../../likeness/fingerprint.ts';
import { isBlockingFinding, type Finding } from '../../record/finding.ts';
import { DEMONSTRATION, NIT_CATEGORY, NIT_LABEL, SUBSTANCE, SUBSTANCE_CATEGORY, TASTE } from './review-words.ts';

/** What a finding is about: something that matters, taste, or neither can be shown. */
export type Weight = 'substantive' | 'nit' | 'undecided';

export interface SubstanceContext {
  /** Findings of the local reviewer and the scanners on the same tree. */
  readonly others: readonly Finding[];
  /** Paths that the contract forbids; a finding about one of them is about the contract. */
  readonly forbiddenPaths: readonly string[];
}

/** Findings this many lines apart are about the same place. */
const SAME_PLACE_LINES = 3;
/** Maximum words before a cue that can negate it ("no functional bug", "does not crash"). */
const NEGATED =
  /\b(?:no|not|never|without|isn't|doesn't|won't|cannot|can't|nor|neither|harmless(?:ly)?)\b(?:\W+\w+){0,3}\W*$/i;

/**
 * Weighs one blocking finding of a judge. A declared category or label never makes a finding less than its words say:
 * precision over recall, because a nit that is missed costs tokens and a flaw that is waved through costs the product.
 */
export function classifyFinding(finding: Finding, around: SubstanceContext): Weight {
  const text = [finding.description, finding.fix ?? ''].join('\n');
  if (isSubstantive(finding, text, around)) return 'substantive';
  if (NIT_LABEL.test(finding.description) || NIT_CATEGORY.test(finding.category.trim())) return 'nit';
  if (TASTE.some((word) => word.test(text)) || isFormattingOnly(finding)) return 'nit';
  return 'undecided';
}

function isSubstantive(finding: Finding, text: string, { others, forbiddenPaths }: SubstanceContext): boolean {
  return (
    finding.security ||
    SUBSTANCE_CATEGORY.test(finding.category) ||
    SUBSTANCE.some((cue) => saysUnnegated(text, cue)) ||
    DEMONSTRATION.some((cue) => cue.test(text)) ||
    forbiddenPaths.some((path) => path !== '' && text.includes(path)) ||
    others.some((other) => isBlockingFinding(other) && isSamePlace(other, finding))
  );
}

function saysUnnegated(text: string, cue: RegExp): boolean {
  return [...text.matchAll(new RegExp(cue.source, `${cue.flags.replace('g', '')}g`))].some((match) => {
    const sentence =
      text
        .slice(0, match.index)
        .split(/[.!?;\n]/)
        .at(-1) ?? '';
    return !NEGATED.test(sentence);
  });
}

function isSamePlace(one: Finding, other: Finding): boolean {
  if (one.file === undefined || one.file !== other.file) return false;
  return one.line !== undefined && other.line !== undefined && Math.abs(one.line - other.line) <= SAME_PLACE_LINES;
}

/** The fix that is asked for is the cited text itself, but for spacing and quotes. */
const isFormattingOnly = ({ evidence, fix }: Finding): boolean =>
  evidence !== undefined && fix !== undefined && evidence !== fix && toNormalForm(evidence) === toNormalForm(fix);
