import { describeSuppressor, createViolationEntry } from '../../rules/model/audit-entry.ts';
import type { Subject, InspectionContext } from '../../rules/model/inspection.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { MOMENTS_OF_TASK, type RuledFinding, type RuledMoment, type Ruling } from '../../rules/model/ruling.ts';
import { maskSecrets } from '../../rules/secrets/mask-secrets.ts';
import type { Enforcement } from '../../rules/run-rules.ts';
import { isAboutMessages } from '../../rules/select-rules.ts';
import type { AskModel } from '../../rules/checks/check.ts';
import { isOfAnswers } from '../../rules/response/judge-response.ts';
import { listHooks } from './follow-hooks.ts';
import { ruleAt, surfacing } from '../../rules/to-ruling.ts';
import { loadRulebook, type ProjectRulebook } from '../../rules/files/rulebook.ts';
import type { Needs, RuleServices } from '../services/services.ts';
import { readTaskMetadata } from '../../project/contract/read-task-metadata.ts';
import { selectInstructions, type Instruction } from '../../rules/response/select-for-response.ts';
import type { RoleStation } from '../../base/names.ts';
import { getProfileVariables } from '../calls/resolve-worker.ts';

/**
 * Applies the project's rules to the result of a step, and records violations; undefined where there are no rules. Rules
 * about answers are left to `take-message.ts`, which can send an answer back.
 */
export async function applyRules(
  services: RuleServices,
  record: TaskRecord,
  moment: RuledMoment,
  subject: () => Subject | Promise<Subject>,
  ask?: AskModel,
): Promise<Ruling | undefined> {
  const book = await loadRulebook(services.project);
  if (book.rules.length === 0 && book.faults.length === 0) return undefined;
  const others = { ...book, rules: book.rules.filter(({ rule }) => !isOfAnswers(rule) && !isAboutMessages(rule)) };
  const { deterministicEnabled } = services.settings.pipeline;
  const ruling = await askRules(services, record, moment, await subject(), others, {
    evaluatesExpressions: deterministicEnabled,
    ...(ask === undefined ? {} : { ask }),
  });
  await auditRulings(services, record, moment, ruling.found);
  return ruling;
}

/** Applies only the rules about messages and records violations. Undefined without rules or without a message. */
export async function applyMessageRules(
  services: RuleServices,
  record: TaskRecord,
  moment: RuledMoment,
  words: string,
): Promise<Ruling | undefined> {
  const book = await loadRulebook(services.project);
  const rules = book.rules.filter(({ rule }) => isAboutMessages(rule));
  if (rules.length === 0 || words.trim() === '') return undefined;
  const ruling = await askRules(services, record, moment, { message: words, files: [] }, { ...book, rules }, {});
  await auditRulings(services, record, moment, ruling.found);
  return ruling;
}

/** Applies some rules to a subject at a moment of a task; records nothing. */
export async function askRules(
  services: Needs<'clock' | 'journal' | 'profiles' | 'settings'>,
  record: TaskRecord,
  moment: RuledMoment,
  subject: Subject,
  book: ProjectRulebook,
  tools: NonNullable<Enforcement['tools']>,
): Promise<Ruling> {
  const { enforcement } = services.settings;
  return ruleAt(
    moment,
    book,
    subject,
    { ...readCircumstances(services, record, moment, book), ignored: listHooks(services) },
    {
      mode: enforcement.mode,
      threshold: enforcement.scoreThreshold,
      tools: { ...tools, asksOnlyDoubts: true },
      subject: `${moment} of ${record.taskId}`,
    },
    new Set(record.grants.waived),
  );
}

/** Findings that were deferred to this moment's phase, with their action now; recorded once for a change. */
export async function applyDeferred(
  services: Needs<'audit' | 'clock'>,
  record: TaskRecord,
  moment: RuledMoment,
  putOff: readonly RuledFinding[],
  found: readonly RuledFinding[],
): Promise<readonly RuledFinding[]> {
  const surfaced = surfacing(putOff, MOMENTS_OF_TASK[moment].phase, found);
  await auditRulings(services, record, moment, surfaced);
  return surfaced;
}

/** The outcome of the last quick fixes, recorded after the next attempt was checked. */
export async function writeFixes(
  services: Needs<'audit' | 'clock'>,
  record: TaskRecord,
  { found: now }: Ruling,
  { files }: Pick<Subject, 'files'>,
): Promise<void> {
  if (record.history.at(-1)?.event !== 'quick_fix') return;
  const askedRules = (record.lastFacts.rulings ?? []).flatMap(({ found }) =>
    found.filter(({ does }) => does === 'quick_fix'),
  );
  const standing = new Set(now.map(({ fingerprint }) => fingerprint));
  await services.audit.append(
    askedRules.map((one) => {
      const isVerified = !standing.has(one.fingerprint);
      const lines = files.find(({ path }) => path === one.file)?.content?.split('\n');
      const after = one.line === undefined ? undefined : lines?.[one.line - 1]?.trim();
      const isChanged = one.excerpt !== undefined && after !== undefined && after !== one.excerpt.trim();
      return createViolationEntry(one, {
        at: services.clock.now(),
        phase: 'IMPLEMENTATION',
        agent: MOMENTS_OF_TASK.change.agent,
        task: record.taskId,
        surface: 'line',
        action: isVerified ? 'fixed' : 'not fixed',
        quickFix: {
          applied: isVerified,
          change: isChanged ? maskSecrets(`${one.excerpt?.trim() ?? ''} → ${after}`).slice(0, 300) : null,
          verified: isVerified,
        },
      });
    }),
  );
}

/** Records the violations of a ruling in the audit. */
export async function auditRulings(
  services: Needs<'audit' | 'clock'>,
  record: TaskRecord,
  moment: RuledMoment,
  found: readonly RuledFinding[],
): Promise<void> {
  const violations = found.filter(({ not_sure: answer }) => answer === undefined);
  await services.audit.append(
    violations.map((one) =>
      createViolationEntry(one, {
        at: services.clock.now(),
        phase: MOMENTS_OF_TASK[moment].phase,
        agent: MOMENTS_OF_TASK[moment].agent,
        task: record.taskId,
        surface: 'line',
        action: one.does === 'suppressed' ? describeSuppressor(one.by ?? 'waiver') : one.does,
      }),
    ),
  );
}

/** The station that works at a moment. */
const STATIONS: Readonly<Partial<Record<RuledMoment, RoleStation>>> = {
  change: 'implementer',
  gates: 'implementer',
  review: 'local-reviewer',
  report: 'judge',
};

/**
 * The context in which rules apply at a moment of a task: the scenario of its contract and the line's status are scopes;
 * variables come from its `metadata.vars` (session) and from the `vars` of the profile at work (profile).
 */
export function readCircumstances(
  services: Needs<'clock' | 'profiles' | 'settings'>,
  record: TaskRecord,
  moment: RuledMoment,
  { stack }: { readonly stack: readonly string[] },
): InspectionContext {
  const { constraints, specification } = record.contract;
  const { quality } = services.settings.enforcement;
  const { scenario, vars } = readTaskMetadata(record.document);
  const { phase, agent } = MOMENTS_OF_TASK[moment];
  const station = STATIONS[moment];
  return {
    phase,
    now: services.clock.now(),
    agentType: agent,
    taskStatus: 'in_progress',
    scopes: [...(scenario === undefined ? [] : [scenario]), record.status],
    variables: { session: vars, profile: station === undefined ? {} : getProfileVariables(services, record, station) },
    ...(quality === undefined ? {} : { quality }),
    task: [...specification.requirements, ...constraints.allowedPaths].join('\n'),
    ...(stack.length === 0 ? {} : { stack }),
  };
}

/** The instructions of matching rules for the station that answers next; none where responses are not enforced. */
export async function listInstructions(
  services: Needs<'clock' | 'journal' | 'profiles' | 'project' | 'settings'>,
  record: TaskRecord,
  moment: 'change' | 'review' | 'report',
): Promise<readonly Instruction[]> {
  if (!services.settings.pipeline.enabled) return [];
  const book = await loadRulebook(services.project);
  const rules = book.rules.map(({ rule }) => rule);
  return selectInstructions(rules, readCircumstances(services, record, moment, book));
}
