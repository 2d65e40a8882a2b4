import type { Finding } from '../../record/finding.ts';
import type { PanelSummary } from '../../record/panel.ts';
import type { LocalOpinion } from '../stations/local-reviewer.ts';
import type { PanelResult, SettledFinding } from './settle.ts';

/** The journal's summary of a settled panel: each vote, and the outcome of each finding. */
export function summarisePanel({ consensus, votes, findings, dropped, silent }: PanelResult): PanelSummary {
  return {
    because: consensus.because,
    votes: votes.map(({ agent, said }) => {
      const own = findings.filter(({ by }) => by === agent);
      const why = silent.get(agent);
      return {
        reviewer: agent,
        vote: said === 'NOT_COVERED' ? ('NO_VOTE' as const) : said,
        ...(why === undefined ? {} : { why }),
        findings: own.length,
        withdrawn: own.filter(({ state }) => state === 'withdrawn').length,
        refuted: own.filter(({ state }) => state === 'refuted').length,
        unique: own.filter(({ alsoBy }) => alsoBy.length === 0).length,
        dropped: dropped.get(agent)?.length ?? 0,
        places: own
          .filter(({ state, mustGo }) => state === 'stands' && mustGo)
          .map(({ finding: { file, line, quote } }) => ({ file, line, quote })),
        style: own.filter(({ finding }) => finding.category.toLowerCase() === 'style').length,
      };
    }),
  };
}

/** The panel's result as one local review. */
export function toLocalReview(settled: PanelResult): LocalOpinion & { readonly panel: PanelSummary } {
  const findings = standing(settled);
  return {
    verdict: settled.consensus.status === 'FAIL' ? 'FAIL' : 'PASS',
    critical: findings.some(({ security, severity }) => security && severity === 'critical'),
    findings,
    panel: summarisePanel(settled),
  };
}

/** Upheld findings in the line's format. */
const standing = ({ findings }: PanelResult): readonly Finding[] =>
  findings.filter(({ state }) => state === 'stands').map(asFinding);

const asFinding = ({ finding, by, alsoBy, agreed }: SettledFinding): Finding => ({
  source: 'reviewer',
  severity: finding.severity,
  category: finding.category,
  file: finding.file,
  ...(finding.line === null ? {} : { line: finding.line }),
  description: finding.description,
  evidence: finding.quote,
  ...(finding.fix === undefined ? {} : { fix: finding.fix }),
  by: [by, ...[...new Set([...alsoBy, ...agreed])].filter((name) => name !== by).toSorted()],
  security: finding.security,
});
