import { isBlockingFinding, formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { hiddenCharacters } from '../../rules/checks/hidden-characters.ts';
import { SECRETS, secrets, secretsInNames, type WaivedSecrets } from '../../rules/checks/secrets.ts';
import { toLocalReview, type LocalOpinion } from '../panel/settle.ts';
import type { PanelSummary } from '../record/review.ts';
import { loadRulebook } from '../../rules/files/rulebook.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { passInDoubt, type Messages } from '../stations/message-checks.ts';
import { ruleOnReview, type WhatRulesSay } from './rule-on-task.ts';
import { askOneOfSeveral, askReviewer, createUnreadable, findNextMember, settlePanel } from './ask-reviewer.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';

/** Local rounds in a row before the judge decides with the findings before it. */
const LOCAL_ROUNDS = 2;

/** The first pass: scanners that cannot be talked round, and the local reviewer or several. */
export async function reviewLocally(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const slot = findNextMember(log.record, 'local-reviewer');
  if (slot === undefined) return settleReviews(services, log.record);
  if (slot.seat !== undefined) return askOneOfSeveral(services, log, slot, signal);
  const scanned = await scanChange(services, log.record); // before the call costs anything
  const heard = await askReviewer(services, log, slot, signal);
  if (!heard.ok) return heard.why;
  const { answer, evidence = {}, ruled } = heard.value;
  if (ruled.unfit !== undefined) {
    const kind = ruled.isCorrected === true ? 'refused' : 'unreadable';
    return createUnreadable('local-reviewer', ruled.unfit, { rulings: [...ruled.rulings] }, kind);
  }
  if ('positions' in answer) throw new Error('the only reviewer has no second round');
  const { verdict, critical, findings } = answer;
  const all = [...(ruled.found ?? []), ...findings, ...doubtsIn(log.record, evidence)];
  return concludeReview(services, log.record, { verdict, critical, findings: all }, ruled, scanned);
}

/** The settled opinion of several; the rules are asked about the change, as each was asked about with its reviewer. */
async function settleReviews(services: RuleServices & Needs<'repository'>, record: TaskRecord): Promise<StepOutcome> {
  const settled = settlePanel(services, record, 'local-reviewer');
  if (!settled.ok) return settled.why;
  const opinion = toLocalReview(settled.value);
  const ruled = await ruleOnReview(services, record, undefined);
  const findings = [...ruled.found, ...opinion.findings];
  return concludeReview(services, record, { ...opinion, findings }, ruled, await scanChange(services, record));
}

function concludeReview(
  services: Needs<'settings'>,
  record: TaskRecord,
  opinion: LocalOpinion & { readonly panel?: PanelSummary },
  ruled: WhatRulesSay,
  scanned: readonly Finding[],
): StepOutcome {
  const findings = [...scanned, ...opinion.findings];
  const critical = opinion.critical || scanned.some(({ severity, security }) => security && severity === 'critical');
  const blocking = opinion.verdict === 'FAIL' || findings.some(isBlockingFinding);
  const review = {
    tree: record.change?.tree ?? '',
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
  services: Needs<'project'>,
  { grants: { waived } }: TaskRecord,
): Promise<WaivedSecrets> {
  if (waived.length === 0) return { rules: [], waived };
  const { rules } = await loadRulebook(services.project);
  const looking = rules.filter(({ rule }) => rule.checks.some(({ type }) => type === SECRETS.type));
  return { rules: looking.map(({ rule }) => rule.id), waived };
}

/** What the scanners find in the change: secrets that no person waived, and hidden characters. */
async function scanChange(services: Needs<'project' | 'repository'>, record: TaskRecord): Promise<readonly Finding[]> {
  const { change } = record;
  if (change === undefined) throw new Error('there is no change to review');
  const allowed = await readWaivedSecrets(services, record);
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
