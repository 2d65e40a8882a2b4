import { formatPlace } from '../../base/format-place.ts';
import { isScored } from '../enforce/decide-exit.ts';
import { isOpen, type Inspection, type RuleFinding, type Suppression } from '../model/inspection.ts';
import { RULE_SEVERITIES, type Modality } from '../model/rule-words.ts';

/** What is wrong, in one line: `MUST violation: No hardcoded secrets - a key was found`. */
export function findingHeadline({ status, modality, title, reason, not_sure: doubt }: RuleFinding): string {
  const kind = doubt === undefined ? KINDS[status](modality) : `${modality} rule, not sure`;
  return `${kind}: ${title}${reason === '' ? '' : ` - ${doubt === undefined ? reason : reason.replace(/^not sure: /, '')}`}`;
}

const KINDS: Readonly<Record<RuleFinding['status'], (modality: string) => string>> = {
  VIOLATED: (modality) => `${modality} violation`,
  ERROR: (modality) => `${modality} rule could not be checked`,
  UNDECIDED: (modality) => `${modality} rule is undecided`,
};

/** Where a finding is, as editors read it; empty when the whole subject is meant. */
export const findingLocation = ({ file, line, column }: RuleFinding): string =>
  file === undefined ? '' : formatPlace(file, line, column);

/** What else there is to know about how a finding counts, a part each. */
export function listRemarks({
  not_sure: doubt,
  suppressed,
  deferredTo,
  enforcedBy,
  priority,
  countsBecause,
}: RuleFinding): readonly string[] {
  return [
    ...(doubt === undefined ? [] : [doubt]),
    ...(enforcedBy === undefined ? [] : [`enforced_by: ${enforcedBy}`]),
    ...(countsBecause === undefined ? [] : [`counts as ${priority}: ${countsBecause}`]),
    ...(suppressed === undefined ? [] : [`suppressed by ${describeSuppression(suppressed)}`]),
    ...(deferredTo === undefined ? [] : [`deferred to ${deferredTo}`]),
  ];
}

/** Who suppressed a finding, and why. */
export function describeSuppression({ by, reason, owner, expires }: Suppression): string {
  const who = owner === undefined ? '' : ` (${owner}${expires === undefined ? '' : `, until ${expires}`})`;
  return `${SUPPRESSIONS[by]}${who}: ${reason}`;
}

const SUPPRESSIONS: Readonly<Record<Suppression['by'], string>> = {
  waiver: 'a waiver',
  baseline: 'the baseline',
  inline: 'andon-allow',
};

/** The findings that count, worst first: what was not checked, then by severity, then by place. */
export function sortBySeverity(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  return findings.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      order(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      order(a.rule, b.rule) ||
      order(a.fingerprint, b.fingerprint),
  );
}

export function listDetails(finding: RuleFinding): readonly string[] {
  const { message, title, suggestion } = finding;
  const lines = [message === title ? '' : message, suggestion ?? '', ...listRemarks(finding)];
  return lines.filter((part) => part !== '');
}

/** The last line of a report for people. */
export function formatVerdict(inspection: Inspection): string {
  const { exit, mode, score, threshold, findings, results } = inspection;
  if (exit === 0 && results.length + findings.length === 0)
    return `nothing was checked: no rule was applied; mode ${mode}; \`andon rules list\` shows every rule`;
  const open = findings.filter(isOpen).length;
  const quiet = findings.length - open;
  const doubts = findings.filter((finding) => finding.not_sure !== undefined && isOpen(finding)).length;
  const counted = `${results.length} rule${results.length === 1 ? '' : 's'}, ${open} finding${open === 1 ? '' : 's'}${quiet === 0 ? '' : `, ${quiet} suppressed or deferred`}`;
  const scored = isScored(inspection) ? `score ${score} of 100 (threshold ${threshold})` : 'no score';
  const word = exit === 0 && mode === 'advisory' && open > 0 ? 'only reported' : WORDS[exit];
  return `${word}${doubts === 0 ? '' : `, not sure of ${doubts}`}: ${counted}; ${scored}, mode ${mode}`;
}

const WORDS = { 0: 'passed', 1: 'not passed', 2: 'could not be checked' } as const;

const rank = (finding: RuleFinding): number =>
  (isOpen(finding) ? 0 : 100) + (finding.status === 'ERROR' ? 0 : 10) + RULE_SEVERITIES.indexOf(finding.severity);

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * How bad a finding is in three steps, as every outside format knows them. Like the exit code it follows the modality:
 * what could not be checked is an error, a doubt or an undecided MUST a warning.
 */
export const getLevel = ({ status, modality, not_sure: doubt }: RuleFinding): Level => {
  if (doubt !== undefined) return 'warning';
  if (status === 'ERROR') return 'error';
  return status === 'UNDECIDED' && modality === 'MUST' ? 'warning' : LEVELS[modality];
};

export type Level = 'error' | 'warning' | 'note';

/** How bad a violated rule of each modality is. */
export const LEVELS: Readonly<Record<Modality, Level>> = { MUST: 'error', SHOULD: 'warning', MAY: 'note' };
