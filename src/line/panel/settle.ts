import { isBlockingFinding, type Finding } from '../../rules/model/finding.ts';
import {
  type CitedFinding,
  type Dropped,
  type LocalReview,
  type PanelTurn,
  type PanelSummary,
  formatRebuttalAnswer,
  type JudgeReport,
} from '../record/review.ts';
import { AGENT_ROLES, type AgentRole } from '../../project/config/config-words.ts';
import { computeConsensus, type Consensus, type VotingOptions, type Vote } from './consensus.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { writtenPointSchema, writtenReportSchema } from '../record/agent-answers.ts';
import { lookUp, type WeighQuote } from '../stations/weigh-quotes.ts';

/** What a reviewer says of a change. */
export type LocalOpinion = Pick<LocalReview, 'verdict' | 'critical'> & { readonly findings: readonly Finding[] };

export interface SettledFinding {
  readonly id: string;
  readonly finding: CitedFinding;
  readonly by: string;
  /** It must be fixed: by its severity, or because a judge fails the change for it. */
  readonly mustGo: boolean;
  readonly alsoBy: readonly string[];
  readonly agreed: readonly string[];
  readonly disagreed: readonly string[];
  /** `refuted`: a citation of a higher role than all its supporters contradicts it. */
  readonly state: 'stands' | 'withdrawn' | 'refuted';
}

export interface PanelResult {
  readonly consensus: Consensus;
  readonly votes: readonly Vote[];
  readonly findings: readonly SettledFinding[];
  readonly dropped: ReadonlyMap<string, readonly Dropped[]>;
  readonly silent: ReadonlyMap<string, string>;
}

/** Whether a second round can change the result: a blocker or FAIL exists, and another reviewer to ask. */
export const needsSecondRound = (turns: readonly PanelTurn[]): boolean =>
  turns.filter(({ round, noVote }) => round === 1 && noVote === undefined).length > 1 &&
  turns.some(({ verdict, findings = [] }) => findings.some(isBlocking) || (verdict === 'FAIL' && findings.length > 0));

/**
 * Merges both rounds. A finding is upheld unless its author withdraws it or a citation of a higher role than all its
 * supporters refutes it; a critical security flaw only its author can withdraw. A supporter of an upheld blocker votes
 * MUST. A FAIL without a valid citation has no vote and is no PASS. The order of reviewers and answers has no effect.
 */
export function settle(
  members: readonly { readonly name: string; readonly roles: readonly AgentRole[] }[],
  turns: readonly PanelTurn[],
  manner: VotingOptions = {},
): PanelResult {
  const rank = rankBy(manner.priority ?? AGENT_ROLES);
  const rankOf = (name: string): number => rank(members.find((one) => one.name === name)?.roles ?? []);
  const all = numberFindings(turns);
  const findings = all.map(({ id, finding, reviewer }): SettledFinding => {
    const positions = turns.flatMap((turn) =>
      (turn.positions ?? []).filter((one) => one.finding === id).map(({ says }) => ({ says, who: turn.reviewer })),
    );
    const listReviewers = (word: string): readonly string[] =>
      positions
        .filter(({ says }) => says === word)
        .map((one) => one.who)
        .toSorted();
    const alsoBy = [
      ...new Set(
        all
          .filter((other) => other.reviewer !== reviewer && isSamePlace(other.finding, finding))
          .map((other) => other.reviewer),
      ),
    ].toSorted();
    const [agreed, disagreed] = [listReviewers('AGREE'), listReviewers('DISAGREE')];
    const isWithdrawn = positions.some(({ says, who: name }) => says === 'WITHDRAW' && name === reviewer);
    const held = Math.min(...[reviewer, ...agreed, ...alsoBy].map(rankOf));
    const isFlaw = finding.security && finding.severity === 'critical';
    const isRefuted = !isFlaw && disagreed.some((name) => rankOf(name) < held);
    const state = isWithdrawn ? ('withdrawn' as const) : isRefuted ? ('refuted' as const) : ('stands' as const);
    const failing = turns.some((one) => one.round === 1 && one.reviewer === reviewer && isFailing(one));
    return { id, finding, by: reviewer, mustGo: failing || isBlocking(finding), alsoBy, agreed, disagreed, state };
  });
  const silent = new Map<string, string>();
  const votes = members.map(({ name, roles }): Vote => {
    const first = turns.find(({ reviewer, round }) => reviewer === name && round === 1);
    const none = (why: string): Vote => {
      silent.set(name, why);
      return { agent: name, roles, said: 'NO_VOTE', isAbsent: true };
    };
    if (first?.verdict === undefined) return none(first?.noVote ?? 'it was not asked');
    const held = findings.filter(
      ({ by, agreed, state }) => state === 'stands' && (by === name || agreed.includes(name)),
    );
    if (held.some(({ mustGo }) => mustGo)) return { agent: name, roles, said: 'VIOLATED', must: true };
    if (first.verdict === 'PASS') return { agent: name, roles, said: 'PASS' };
    if (held.length > 0) return { agent: name, roles, said: 'VIOLATED', must: false };
    const own = findings.filter(({ by }) => by === name);
    return own.length > 0
      ? { agent: name, roles, said: 'PASS' }
      : none('it says FAIL, and nothing that it says cites what is there');
  });
  const dropped = new Map(
    members.map(({ name }) => [
      name,
      turns.filter(({ reviewer }) => reviewer === name).flatMap((turn) => turn.dropped ?? []),
    ]),
  );
  return { consensus: computeConsensus(votes, manner), votes, findings, dropped, silent };
}

/** A judge lists only blocking issues; with CONDITIONAL, the severity decides. */
const isFailing = ({ report }: PanelTurn): boolean => report?.verdict === 'FAIL' || report?.verdict === 'CRITICAL_HALT';

const isBlocking = (finding: CitedFinding): boolean =>
  isBlockingFinding({ ...finding, line: undefined, source: 'reviewer' });

/** The rank of the highest of these roles; unknown roles come last. */
const rankBy =
  (order: readonly AgentRole[]) =>
  (roles: readonly AgentRole[]): number =>
    Math.min(order.length, ...roles.map((role) => order.indexOf(role)).filter((at) => at !== -1));

/** A finding of the first round, with its number for the second. */
export type NumberedFinding = ReturnType<typeof numberFindings>[number];

/** The findings of the first round in an order that hides their authors and the order of calls. */
export const numberFindings = (turns: readonly PanelTurn[]) =>
  turns
    .filter(({ round }) => round === 1)
    .flatMap(({ reviewer, findings = [] }) => findings.map((finding) => ({ reviewer, finding, key: keyOf(finding) })))
    .toSorted((a, b) => compare(a.key, b.key) || compare(a.reviewer, b.reviewer))
    .map(({ reviewer, finding }, at) => ({ id: `F${at + 1}`, reviewer, finding }));

const keyOf = ({ file, line, description, quote }: CitedFinding): string =>
  JSON.stringify([file, String(line ?? 0).padStart(9, '0'), description, quote]);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const SAME_PLACE_LINES = 3;

const isSamePlace = (one: CitedFinding, other: CitedFinding): boolean =>
  one.file === other.file &&
  (one.line === null || other.line === null
    ? one.quote === other.quote
    : Math.abs(one.line - other.line) <= SAME_PLACE_LINES);

/** The round of a panel that is under way, and who is still to be asked in it; undefined once it can be settled. */
export function findRound(
  names: readonly string[],
  turns: readonly PanelTurn[],
): { readonly round: 1 | 2; readonly open: readonly string[] } | undefined {
  const notAsked = (round: 1 | 2): readonly string[] =>
    names.filter((name) => !turns.some((turn) => turn.reviewer === name && turn.round === round));
  const first = notAsked(1);
  if (first.length > 0) return { round: 1, open: first };
  if (!needsSecondRound(turns)) return undefined;
  const all = numberFindings(turns);
  const isAbsent = (name: string): boolean =>
    turns.some(({ reviewer, round, noVote }) => reviewer === name && round === 1 && noVote !== undefined);
  const open = notAsked(2).filter((name) => !isAbsent(name) && all.some(({ reviewer }) => reviewer !== name));
  return open.length === 0 ? undefined : { round: 2, open };
}

/** The journal's summary of a settled panel: each vote, and the outcome of each finding. */
function summarisePanel({ consensus, votes, findings, dropped, silent }: PanelResult): PanelSummary {
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

export function toLocalReview(settled: PanelResult): LocalOpinion & { readonly panel: PanelSummary } {
  const findings = settled.findings.flatMap((one) => (one.state === 'stands' ? [toFinding(one, 'reviewer')] : []));
  return {
    verdict: settled.consensus.status === 'FAIL' ? 'FAIL' : 'PASS',
    critical: findings.some(({ security, severity }) => security && severity === 'critical'),
    findings,
    panel: summarisePanel(settled),
  };
}

const toFinding = ({ finding, by, alsoBy, agreed }: SettledFinding, source: Finding['source']): Finding => ({
  ...fromCited(finding, source),
  by: [by, ...[...new Set([...alsoBy, ...agreed])].filter((name) => name !== by).toSorted()],
});

/** A finding by its verified citation. */
export const fromCited = ({ line, quote, ...rest }: CitedFinding, source: Finding['source']): Finding => ({
  ...rest,
  source,
  evidence: quote,
  ...(line === null ? {} : { line }),
});

/** The blocking issues of one panel judge with a verified citation; others are dropped. */
export function citedIssues(
  { blocking }: JudgeReport,
  written: unknown,
  weigh: WeighQuote,
): { readonly findings: readonly { finding: Finding; cited: CitedFinding }[]; readonly dropped: readonly Dropped[] } {
  const read = writtenReportSchema().safeParse(written);
  const issues = read.success ? read.data.blocking_issues : [];
  const dropped: Dropped[] = [];
  const findings = blocking.flatMap((finding, at) => {
    const place = writtenPointSchema().safeParse(issues[at]);
    const quote = (place.success ? place.data.quote : undefined) ?? finding.evidence; // for an upheld one, the quote of the refusal
    const cited = lookUp({ ...finding, quote }, weigh);
    if (!cited.ok) {
      dropped.push({ what: finding.description.slice(0, 300), why: cited.why });
      return [];
    }
    const { severity, category, description, security, fix } = finding;
    const { file, line } = cited.value;
    const put = { ...finding, file, evidence: cited.value.quote, ...(line === null ? {} : { line }) };
    return [
      { finding: put, cited: { ...cited.value, severity, category, description, security, ...(fix && { fix }) } },
    ];
  });
  return { findings, dropped };
}

/**
 * Merges several judges' reports into one: an upheld MUST fails the change, an objection of the highest role makes it
 * CONDITIONAL, and a call for a person cannot be outvoted.
 */
export function createPanelReport(record: TaskRecord, settled: PanelResult, turns: readonly PanelTurn[]): JudgeReport {
  const { change, contractDigest } = record;
  if (change === undefined) throw new Error('there is no change that could have been judged');
  const voting = turns.flatMap(({ round, report, reviewer }) =>
    round === 1 && report !== undefined && !settled.silent.has(reviewer) ? [{ report, reviewer }] : [],
  );
  const verdict = verdictOf(settled, turns);
  const standing = settled.findings.filter(({ state }) => state === 'stands');
  const objecting = new Set(settled.votes.filter(({ said }) => said === 'VIOLATED').map(({ agent }) => agent));
  const against = voting.filter(({ reviewer }) => verdict !== 'PASS' && objecting.has(reviewer));
  const halting = turns.flatMap(({ report, reviewer }) =>
    report?.verdict === 'CRITICAL_HALT' ? [`${reviewer}: ${report.summary}`] : [],
  );
  return {
    tree: change.tree,
    commit: change.commit,
    contractDigest,
    said: verdict,
    verdict,
    why: '',
    summary: [...halting, settled.consensus.because].join('; '),
    blocking: verdict === 'PASS' ? [] : standing.map((one) => toFinding(one, 'judge')),
    fixes: [...new Set(against.flatMap(({ report }) => report.fixes))],
    suggestions: [
      ...new Set([
        ...(verdict === 'PASS' ? standing.map(({ finding }) => finding.description) : []),
        ...voting.flatMap(({ report }) => report.suggestions),
      ]),
    ],
    securityFlags: [...new Set(against.flatMap(({ report }) => report.securityFlags))],
    evidence: eachOnce(voting.flatMap(({ report }) => report.evidence)),
    digest: '',
    ...answersOf(voting),
    ...tiesOf(voting),
    panel: summarisePanel(settled),
  };
}

const eachOnce = <One>(all: readonly One[]): One[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

function verdictOf({ consensus: { status } }: PanelResult, turns: readonly PanelTurn[]): JudgeReport['said'] {
  if (turns.some(({ report }) => report?.verdict === 'CRITICAL_HALT')) return 'CRITICAL_HALT';
  return status === 'PASS' ? 'PASS' : status === 'WARN' ? 'CONDITIONAL' : 'FAIL';
}

/** The broken tests that judges tie to requirements, each test once; a failing judge ties none. */
function tiesOf(voting: readonly { readonly report: JudgeReport }[]): Pick<JudgeReport, 'tied'> {
  const all = voting.flatMap(({ report }) => (report.verdict === 'PASS' ? (report.tied ?? []) : []));
  const tied = [...new Map(all.map((one) => [one.number, one])).values()];
  return tied.length === 0 ? {} : { tied };
}

/** The judges' answers to a rebuttal, by name; a refusal comes first. */
function answersOf(
  voting: readonly { readonly report: JudgeReport; readonly reviewer: string }[],
): Pick<JudgeReport, 'answers'> {
  const all = voting.flatMap(({ report, reviewer }) =>
    (report.answers ?? []).map((one) => ({ ...one, why: `${reviewer}: ${one.why}` })),
  );
  const sorted = all.toSorted(
    (one, other) =>
      other.says.localeCompare(one.says) || formatRebuttalAnswer(one).localeCompare(formatRebuttalAnswer(other)),
  );
  return sorted.length === 0 ? {} : { answers: sorted };
}
