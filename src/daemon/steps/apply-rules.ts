import { suppressedBy, violationEntry } from '../../rule-model/audit-entry.ts';
import type { Subject } from '../../rule-model/inspection.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { RULES } from '../../base/names.ts';
import type { Phase } from '../../rule-model/rule-words.ts';
import type { Ruled, RuledMoment, Ruling } from '../../record/ruling.ts';
import { foldHooks, upgradeOf } from '../../rules/escalation.ts';
import type { HookEvent, SoftHook } from '../../rules/escalation.ts';
import { govern } from '../../rules/govern.ts';
import { ruleOn, surfacing } from '../../rules/rule-on.ts';
import { readSuppressions } from '../../inspection/suppressions.ts';
import { rulebookFor } from '../../inspection/rulebook/rulebook.ts';
import type { Services } from '../wiring/services.ts';

/** In which phase each moment of the line is looked at. */
const PHASES: Readonly<Record<RuledMoment, Phase>> = {
  contract: 'TASKS',
  fixes: 'TASKS',
  change: 'IMPLEMENTATION',
  gates: 'TEST',
  review: 'REVIEW',
  report: 'REVIEW',
};

/** Who brought what is looked at. */
const AGENTS: Readonly<Record<RuledMoment, string>> = {
  contract: 'Architect',
  fixes: 'FloorManager',
  change: 'Implementer',
  gates: 'Implementer',
  review: 'LocalReviewer',
  report: 'Judge',
};

/** Asks the project's rules about what a step brought, and writes violations down; undefined where there are no rules. */
export async function applyRules(
  services: Services,
  record: LineRecord,
  moment: RuledMoment,
  subject: () => Subject | Promise<Subject>,
): Promise<Ruling | undefined> {
  const book = await rulebookFor(services.journal, services.root);
  if (book.rules.length === 0 && book.faults.length === 0) return undefined;
  const phase = PHASES[moment];
  const { constraints, specification } = record.contract;
  const inspection = await govern(
    book,
    await subject(),
    {
      phase,
      now: services.clock.now(),
      agentType: AGENTS[moment],
      taskStatus: 'in_progress',
      task: [...specification.requirements, ...constraints.allowedPaths].join('\n'),
      ...(book.stack.length === 0 ? {} : { stack: book.stack }),
    },
    {
      surface: 'line',
      mode: services.settings.enforcement.mode,
      threshold: services.settings.enforcement.scoreThreshold,
      suppressions: readSuppressions(services.root),
      subject: `${moment} of ${record.taskId}`,
    },
  );
  const hooks = hooksOf(services);
  const rules = new Map(book.rules.map(({ rule }) => [rule.id, rule]));
  const waived = new Set(record.grants.waived);
  const ruling = ruleOn(inspection, { moment, phase, rules, ladder: book.ladder, hooks, waived });
  await writeDown(services, record, moment, ruling.found);
  return ruling;
}

/** What was put off until this moment's phase, as it acts now; it is written down here, and only once for a change. */
export async function surface(
  services: Pick<Services, 'audit' | 'clock'>,
  record: LineRecord,
  moment: RuledMoment,
  putOff: readonly Ruled[],
  found: readonly Ruled[],
): Promise<readonly Ruled[]> {
  const surfaced = surfacing(putOff, PHASES[moment], found);
  await writeDown(services, record, moment, surfaced);
  return surfaced;
}

/** The one way in which the line's rulings become entries of the audit. */
async function writeDown(
  services: Pick<Services, 'audit' | 'clock'>,
  record: LineRecord,
  moment: RuledMoment,
  found: readonly Ruled[],
): Promise<void> {
  await services.audit.append(
    found.map((one) =>
      violationEntry(one, {
        at: services.clock.now(),
        phase: PHASES[moment],
        agent: AGENTS[moment],
        task: record.taskId,
        surface: 'line',
        action: one.does === 'suppressed' ? suppressedBy(one.by ?? 'waiver') : one.does,
      }),
    ),
  );
}

/** Tells the soft hooks what became of them: what is found and was found before is ignored, what is gone is complied with. */
export async function followHooks(
  services: Pick<Services, 'audit' | 'clock' | 'journal' | 'root'>,
  record: LineRecord,
  found: readonly Ruled[],
  tree: string,
): Promise<void> {
  const raised = services.journal
    .entries(RULES)
    .flatMap((entry) => (entry.kind === 'hooked' && entry.task === record.taskId ? [entry] : []));
  const standing = foldHooks(raised);
  const now = new Set(found.map(({ rule }) => rule));
  const events: HookEvent[] = [
    ...[...now].map((rule) => ({ rule, action: standing.has(rule) ? ('IGNORED' as const) : ('RAISED' as const) })),
    ...[...standing.keys()].filter((rule) => !now.has(rule)).map((rule) => ({ rule, action: 'COMPLIED' as const })),
  ].filter(({ rule }) => !raised.some((one) => one.rule === rule && one.tree === tree)); // a tree is looked at once
  await noteHooks(services, record, events, tree);
}

/** The change went in with hooks that stand: they were ignored. */
export async function ignoreHooks(services: Services, record: LineRecord, tree: string): Promise<void> {
  const mine = services.journal
    .entries(RULES)
    .flatMap((entry) => (entry.kind === 'hooked' && entry.task === record.taskId ? [entry] : []));
  const ignored = [...foldHooks(mine).keys()].filter(
    (rule) => !mine.some((one) => one.rule === rule && one.action === 'IGNORED' && one.tree === tree),
  );
  await noteHooks(
    services,
    record,
    ignored.map((rule) => ({ rule, action: 'IGNORED' })),
    tree,
  );
}

async function noteHooks(
  services: Pick<Services, 'audit' | 'clock' | 'journal' | 'root'>,
  record: LineRecord,
  events: readonly HookEvent[],
  tree: string,
): Promise<void> {
  if (events.length === 0) return;
  const at = services.clock.now();
  services.journal.append(
    RULES,
    events.map(({ rule, action }) => ({ kind: 'hooked', at, rule, action, task: record.taskId, tree })),
  );
  const hooks = hooksOf(services);
  const book = await rulebookFor(services.journal, services.root);
  const threshold = (id: string): number | null => {
    const placed = book.rules.find(({ rule }) => rule.id === id);
    return placed === undefined ? null : (upgradeOf(placed.rule)?.threshold ?? null);
  };
  await services.audit.append(
    events.map(({ rule, action }) => ({
      log: 'hooks',
      entry: {
        timestamp: at,
        rule_id: rule,
        action,
        ignore_count: hooks.get(rule)?.ignored ?? 0,
        metadata: { agent: 'Implementer', phase: null, upgrade_threshold: threshold(rule), task: record.taskId },
      },
    })),
  );
}

/** The hooks that stand in this repository, over all its tasks. */
function hooksOf(services: Pick<Services, 'journal'>): ReadonlyMap<string, SoftHook> {
  return foldHooks(services.journal.entries(RULES).flatMap((entry) => (entry.kind === 'hooked' ? [entry] : [])));
}
