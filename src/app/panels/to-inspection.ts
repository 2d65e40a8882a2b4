import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { sha256 } from '../../base/sha256.ts';
import type { SettledFinding } from '../../line/panel/settle.ts';
import type { Inspection, RuleFinding } from '../../rules/model/inspection.ts';
import type { PanelReview } from './review.ts';

/** A review in the format of the inspection reporters: upheld findings of the panel and of the rules, without duplicates. */
export function toInspection({ reviews, consensus, panel, subject }: PanelReview): Inspection {
  const ruled = reviews.flatMap(({ inspection }) => (inspection === undefined ? [] : [inspection]));
  const [first] = ruled;
  const byRules = new Map(ruled.flatMap(({ findings }) => findings.map((one) => [one.fingerprint, one] as const)));
  const standing = (panel?.settled.findings ?? []).filter(({ state }) => state === 'stands');
  const silent = [...(panel?.settled.silent ?? [])].map(([name, why]) => ({
    where: name,
    what: `it gave no vote: ${withoutSecrets(why)}`,
    remedy: 'andon agents test says whether it answers',
  }));
  return {
    surface: first?.surface ?? 'gate',
    mode: first?.mode ?? 'strict',
    threshold: first?.threshold ?? 0,
    subject,
    results: [...new Map(ruled.flatMap(({ results }) => results.map((one) => [one.rule, one] as const))).values()],
    findings: [...byRules.values(), ...standing.map(toRuleFinding)],
    score: ruled.length === 0 ? (consensus.status === 'PASS' ? 100 : 0) : Math.min(...ruled.map(({ score }) => score)),
    exit: EXITS[consensus.status],
    because: [`${consensus.status}: ${consensus.because}`],
    faults: [...ruled.flatMap(({ faults }) => faults), ...(consensus.status === 'UNDECIDED' ? silent : [])],
    warnings: [
      ...new Set(ruled.flatMap(({ warnings }) => warnings)),
      ...[...(panel?.settled.dropped ?? [])].flatMap(([name, dropped]) =>
        dropped.length === 0 ? [] : [`${name}: ${dropped.length} left out, which cited nothing that is there`],
      ),
      ...(consensus.status === 'UNDECIDED' ? [] : silent.map(({ where, what }) => `${where}: ${what}`)),
    ],
    trace: [],
  };
}

/** Exit codes of a review: no decision is invalid input, never a pass. */
export const EXITS = { PASS: 0, WARN: 0, FAIL: 1, UNDECIDED: 2 } as const;

const SEVERITIES = { critical: 'CRITICAL', high: 'HIGH', medium: 'MEDIUM', low: 'LOW' } as const;
const PRIORITIES = { critical: 'P0', high: 'P1', medium: 'P2', low: 'P3' } as const;

function toRuleFinding({ finding, by, mustGo, alsoBy, agreed }: SettledFinding): RuleFinding {
  const { severity, category, description, file, line, quote, fix } = finding;
  const others = [...new Set([...alsoBy, ...agreed])].toSorted();
  const quoted = withoutSecrets(quote).split('\n', 1)[0] ?? '';
  return {
    rule: `review.${category.toLowerCase().replace(/[^a-z0-9_-]+/g, '-')}`,
    title: withoutSecrets(description),
    severity: SEVERITIES[severity],
    priority: PRIORITIES[severity],
    modality: mustGo ? 'MUST' : 'SHOULD',
    handler: 'LOG_ONLY',
    hard: false,
    status: 'VIOLATED',
    message: withoutSecrets(description),
    ...(fix === undefined ? {} : { suggestion: withoutSecrets(fix) }),
    reason: `found by ${by}${others.length === 0 ? '' : `; ${others.join(', ')} ${others.length === 1 ? 'agrees' : 'agree'}`}`,
    confidence: 1,
    file,
    ...(line === null ? {} : { line }),
    excerpt: quoted,
    fingerprint: sha256(JSON.stringify([category, file, quote, description])),
  };
}
