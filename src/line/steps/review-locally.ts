import { isBlockingFinding, formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Change } from '../record/change.ts';
import { hiddenCharacters } from '../../rules/checks/hidden-characters.ts';
import { SECRETS, secrets, secretsInNames, type WaivedSecrets } from '../../rules/checks/secrets.ts';
import { renderGateEvidence } from '../reports/reports.ts';
import { toLocalReview } from '../panel/settle.ts';
import type { PanelSummary } from '../record/review.ts';
import { briefLocalReviewer, readLocalReview, type LocalOpinion } from '../stations/local-reviewer.ts';
import { callAgent, createCallFailureOutcome } from '../calls/call-agent.ts';
import { loadRulebook } from '../../rules/files/rulebook/rulebook.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { passInDoubt, type Messages } from '../messages/message-checks.ts';
import { listInstructions } from './apply-rules.ts';
import { askAboutOthers, askReviewer, toReviewMessage } from './ask-reviewer.ts';
import { ruleOnReview, type WhatRulesSay } from './rule-on-task.ts';
import { findNextMember, settlePanel } from './panel-seat.ts';
import { isReturnedAtOnce, takeMessage } from './take-message.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';

/** Local rounds in a row before the judge decides with the findings before it. */
const LOCAL_ROUNDS = 2;

/** The first pass: scanners that cannot be talked round, then the local reviewer. */
export async function reviewLocally(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { record } = log;
  const { change } = record;
  if (change === undefined) throw new Error('there is no change to review');
  const seat = findNextMember(record, 'local-reviewer');
  if (seat !== undefined) return (seat.round === 1 ? askReviewer : askAboutOthers)(services, log, seat, signal);
  if (record.contract.roles.reviewers !== undefined) return byPanel(services, log, change);
  const scanned = await scan(services, change, await readWaivedSecrets(services, record));
  const brief = briefLocalReviewer(record, {
    diff: await services.repository.patch(record.base, change.commit),
    gates: renderGateEvidence(record.gates, record.weakeningReport),
    nonce: services.nonce(),
    rules: await listInstructions(services, record, 'review'),
  });
  const transcript = await callAgent(services, log, {
    station: 'local-reviewer',
    brief,
    folder: services.folders.empty(record.taskId),
    signal,
  });
  if (!transcript.ok) return createCallFailureOutcome('local-reviewer', transcript.why);
  const opinion = readLocalReview(transcript.value.text);
  if (!opinion.ok) return unreadable('unreadable', opinion.why);
  const message = await toReviewMessage(services, change, opinion.value, transcript.value.text, brief.prompt);
  const ruled = await takeMessage(services, log, 'review', message, signal);
  if (ruled.unfit !== undefined) {
    const kind = isReturnedAtOnce(ruled.unfit) ? 'refused' : 'unreadable';
    return unreadable(kind, ruled.unfit, { rulings: [...ruled.rulings] });
  }
  const doubts = doubtsIn(log.record, message.evidence);
  const { verdict, critical, findings } = opinion.value;
  const answer = { verdict, critical, findings: [...(ruled.found ?? []), ...findings, ...doubts] };
  return outcomeOf(services, record, change, scanned, answer, ruled);
}

const unreadable = (kind: 'refused' | 'unreadable', why: string, facts: Facts = {}): StepOutcome => ({
  event: 'review_unreadable',
  reason: why,
  facts: { ...facts, strike: { station: 'local-reviewer', kind, why } },
});

/** The same of a panel, once all of it was heard; the rules are asked about the change. */
async function byPanel(
  services: RuleServices & Needs<'repository'>,
  { record }: StepJournal,
  change: Change,
): Promise<StepOutcome> {
  const panel = settlePanel(services, record, 'local-reviewer');
  if ('undecided' in panel) return panel.undecided;
  const opinion = toLocalReview(panel.settled);
  const scanned = await scan(services, change, await readWaivedSecrets(services, record));
  const ruled = await ruleOnReview(services, record, undefined); // each was asked about with its reviewer
  const findings = [...ruled.found, ...opinion.findings];
  return outcomeOf(services, record, change, scanned, { ...opinion, findings }, ruled);
}

function outcomeOf(
  services: Needs<'settings'>,
  record: TaskRecord,
  change: Change,
  scanned: readonly Finding[],
  opinion: LocalOpinion & { readonly panel?: PanelSummary },
  ruled: WhatRulesSay,
): StepOutcome {
  const findings = [...scanned, ...opinion.findings];
  const critical = opinion.critical || scanned.some(({ severity, security }) => security && severity === 'critical');
  const blocking = opinion.verdict === 'FAIL' || findings.some(isBlockingFinding);
  const review = {
    tree: change.tree,
    verdict: blocking ? ('FAIL' as const) : ('PASS' as const),
    critical,
    findings,
    ...(opinion.panel === undefined ? {} : { panel: opinion.panel }),
  };
  if (ruled.objection !== undefined) return { ...ruled.objection, facts: { review, ...ruled.objection.facts } };
  const rulings = ruled.rulings.length === 0 ? {} : { rulings: [...ruled.rulings] };
  return goesBack(services, record, review.critical, blocking)
    ? {
        event: 'local_fail',
        reason: `local review: ${summary(findings)}`,
        facts: { review, ...rulings, feedback: [{ from: 'reviewer', text: findings.map(formatFinding).join('\n') }] },
      }
    : {
        event: 'local_pass',
        reason: blocking ? `local review: ${summary(findings)}; the judge decides` : 'local review passed',
        facts: { review, ...rulings },
      };
}

/** A pass without evidence that may not go back again becomes a finding for the judge. */
function doubtsIn(record: TaskRecord, evidence: Messages['review']['evidence']): readonly Finding[] {
  const doubt = passInDoubt(evidence, record);
  if (doubt === undefined) return [];
  return [
    {
      source: 'review-gate',
      severity: 'low',
      category: 'review',
      description: `NEEDS_REVIEW: ${doubt}`,
      security: false,
    },
  ];
}

/** Blocking findings go back, at most twice in a row; what is critical the judge sees too, unless configured otherwise. */
function goesBack(services: Needs<'settings'>, record: TaskRecord, critical: boolean, blocking: boolean): boolean {
  if (!blocking || record.localRounds >= LOCAL_ROUNDS) return false;
  return !critical || services.settings.onCritical === 'fix';
}

function summary(findings: readonly Finding[]): string {
  const [first] = findings.toSorted((a, b) => Number(isBlockingFinding(b)) - Number(isBlockingFinding(a)));
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return first === undefined ? 'no finding' : `${formatFinding(first)}${more}`;
}

/** The rules that search for secrets as the scan does, and what a person waived of them. */
async function readWaivedSecrets(
  services: Needs<'journal' | 'project'>,
  { grants: { waived } }: TaskRecord,
): Promise<WaivedSecrets> {
  if (waived.length === 0) return { rules: [], waived };
  const { rules } = await loadRulebook(services.journal, services.project);
  const looking = rules.filter(({ rule }) => rule.checks.some(({ type }) => type === SECRETS.type));
  return { rules: looking.map(({ rule }) => rule.id), waived };
}

async function scan(
  services: Needs<'repository'>,
  change: Change,
  allowed: WaivedSecrets,
): Promise<readonly Finding[]> {
  const paths = change.files
    .filter(({ status, added }) => status !== 'deleted' && added !== null)
    .map(({ path, from }) => ({ path, from: from ?? path }));
  const before = await services.repository.read(
    change.base,
    paths.map(({ from }) => from),
  );
  const after = await services.repository.read(
    change.commit,
    paths.map(({ path }) => path),
  );
  const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes ?? new Uint8Array());
  const names = change.files.filter(({ status }) => status === 'added' || status === 'moved').map(({ path }) => path);
  const findings: Finding[] = [...secretsInNames(names)];
  for (const { path, from } of paths) {
    findings.push(...secrets(path, text(before.get(from)), text(after.get(path)), allowed));
    findings.push(...hiddenCharacters(path, text(before.get(from)), text(after.get(path))));
  }
  return findings;
}
