import { isScored } from '../../rules/enforce/decide-exit.ts';
import { isOpen } from '../../rules/model/inspection.ts';
import { formatPlace } from '../../base/format-place.ts';
import { toTerminal, toTerminalLine } from '../../base/plain-text.ts';
import type { PanelProgress } from '../panels/ask-panel.ts';
import type { ProfileReview, PanelReview } from '../panels/review.ts';
import { formatCount } from '../../base/format-count.ts';
import type { SettledFinding } from '../../line/panel/settle.ts';
import { reportJson as asJson } from '../../rules/reporters/json.ts';
import { listDetails, findingHeadline, findingLocation, sortBySeverity } from '../../rules/reporters/wording.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { printLine, colourText } from './print.ts';

/** Prints the progress of a panel to standard error, in the order of the answers. */
export function showProgress(news: PanelProgress): void {
  const { name } = news.seat.profile;
  if (news.kind === 'asked') {
    const { agent, model } = news.seat.worker;
    return aside(
      `${name}: asked${news.round === 2 ? ' about what the others found' : ''} (${`${agent.id} ${model}`.trim()})`,
    );
  }
  const { turn, ms, waiting } = news;
  const took = `${(ms / 1000).toFixed(1)} s${waiting.length === 0 ? '' : `; waiting for ${waiting.join(', ')}`}`;
  if (turn.noVote !== undefined) return aside(`${name}: no answer that counts, ${took}: ${turn.noVote}`);
  const left = turn.dropped?.length ?? 0;
  const rest = `${left === 0 ? '' : `, ${left} left out`}, ${took}`;
  if (turn.round === 2) return aside(`${name}: ${formatCount(turn.positions?.length ?? 0, 'answer')}${rest}`);
  aside(`${name}: ${turn.verdict ?? ''}, ${formatCount(turn.findings?.length ?? 0, 'finding')}${rest}`);
  for (const finding of turn.findings ?? [])
    aside(`${finding.severity} ${formatPlace(finding.file, finding.line)} ${finding.description}`, '  ');
}

const aside = (text: string, indent = ''): void => {
  process.stderr.write(
    `${indent}${toTerminal(toTerminalLine(withoutSecrets(text), 300)).replace(/^(\s*)::/, '$1: :')}\n`,
  );
};

const COLOURS = { PASS: 'green', WARN: 'yellow', FAIL: 'red', UNDECIDED: 'red' } as const;

export function showReview({ reviews, consensus, panel }: PanelReview): void {
  for (const one of reviews) showOne(one, panel);
  printLine('');
  printLine(`${colourText(COLOURS[consensus.status], consensus.status)}  ${toTerminalLine(consensus.because, 400)}`);
}

function showOne({ profile, vote, inspection }: ProfileReview, panel: PanelReview['panel']): void {
  const word = vote.said === 'VIOLATED' && vote.must !== true ? 'VIOLATED (no MUST)' : vote.said;
  const roles = profile.roles.length === 0 ? '' : ` (${profile.roles.join(', ')})`;
  printLine(
    `${profile.name}${roles}: ${word}${inspection === undefined ? '' : `, ${isScored(inspection) ? `score ${inspection.score}` : 'no score'}, ${inspection.mode}`}`,
  );
  for (const finding of sortBySeverity(inspection?.findings ?? []).filter(isOpen)) {
    printLine(`  ${toTerminalLine(`${findingLocation(finding)}  ${finding.rule}: ${findingHeadline(finding)}`, 300)}`);
    for (const more of listDetails(finding)) printLine(colourText('dim', `    ${toTerminalLine(more, 300)}`));
  }
  for (const { where, what } of inspection?.faults ?? []) printLine(`  ${toTerminalLine(`${where}: ${what}`, 400)}`);
  for (const warning of inspection?.warnings ?? [])
    printLine(colourText('dim', `  note: ${toTerminalLine(warning, 300)}`));
  if (panel !== undefined) showModel(profile.name, panel);
}

function showModel(name: string, { settled, used }: NonNullable<PanelReview['panel']>): void {
  const silent = settled.silent.get(name);
  if (silent !== undefined) printLine(`  ${toTerminalLine(withoutSecrets(`no vote: ${silent}`), 400)}`);
  for (const one of settled.findings.filter(({ by }) => by === name)) {
    for (const [at, text] of renderFinding(one).entries())
      printLine(at === 0 ? `  ${toTerminalLine(text, 300)}` : colourText('dim', `    ${toTerminalLine(text, 300)}`));
  }
  for (const { what, why } of settled.dropped.get(name) ?? [])
    printLine(colourText('dim', `  left out: ${toTerminalLine(withoutSecrets(`${what} (${why})`), 300)}`));
  const calls = used.filter(({ reviewer }) => reviewer === name);
  if (calls.length === 0) return;
  const usd = calls.map(({ usage }) => usage.usd);
  const cost = usd.includes(null)
    ? 'cost unknown'
    : `$${usd.reduce<number>((sum, one) => sum + (one ?? 0), 0).toFixed(4)}`;
  printLine(
    colourText(
      'dim',
      `  ${formatCount(calls.length, 'call')}, ${cost}, ${(Math.max(...calls.map(({ ms }) => ms)) / 1000).toFixed(1)} s at most`,
    ),
  );
}

function renderFinding({ id, finding, alsoBy, agreed, disagreed, state }: SettledFinding): readonly string[] {
  const { severity, category, file, line: at, quote, description, fix } = finding;
  const lines = [
    alsoBy.length === 0 ? '' : `also found by ${alsoBy.join(', ')}`,
    agreed.length === 0 ? '' : `${agreed.join(', ')} agreed`,
    disagreed.length === 0 ? '' : `${disagreed.join(', ')} disagreed, with a citation`,
  ].filter((part) => part !== '');
  return [
    `${formatPlace(file, at)}  ${id} ${severity} ${category}${state === 'stands' ? '' : `, ${state}`}: ${description}`,
    `quotes: ${quote}`,
    ...(fix === undefined ? [] : [`fix: ${fix}`]),
    ...(lines.length === 0 ? [] : [lines.join('; ')]),
  ].map(withoutSecrets);
}

export const toReviewJson = ({ reviews, consensus, panel }: PanelReview): object => ({
  status: consensus.status,
  decided_by: consensus.decidedBy,
  because: consensus.because,
  ...(panel === undefined ? {} : { rounds: panel.rounds }),
  agents: reviews.map(({ profile, vote, inspection }) => ({
    name: profile.name,
    roles: profile.roles,
    vote: vote.said,
    must: vote.must ?? false,
    report: inspection === undefined ? null : (JSON.parse(asJson(inspection)) as unknown),
    ...(panel?.settled.dropped.has(profile.name) === true ? modelFacts(profile.name, panel) : {}),
  })),
});

const modelFacts = (name: string, { settled, used }: NonNullable<PanelReview['panel']>): object => ({
  no_vote: settled.silent.get(name) ?? null,
  findings: settled.findings
    .filter(({ by }) => by === name)
    .map(({ id, finding, alsoBy, agreed, disagreed, state }) => ({
      id,
      ...finding,
      quote: withoutSecrets(finding.quote),
      description: withoutSecrets(finding.description),
      state,
      also_by: alsoBy,
      agreed,
      disagreed,
    })),
  dropped: (settled.dropped.get(name) ?? []).map(({ what, why }) => ({
    what: withoutSecrets(what),
    why: withoutSecrets(why),
  })),
  calls: used
    .filter(({ reviewer }) => reviewer === name)
    .map(({ round, usage, ms }) => ({
      round,
      usd: usage.usd,
      tokens_in: usage.tokensIn,
      tokens_out: usage.tokensOut,
      ms,
    })),
});
