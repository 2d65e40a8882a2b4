import type { Phase, RulePriority } from '../../../src/rules/model/rule-words.ts';
import { mayAct } from '../../../src/rules/enforce/ladder.ts';
import { readRulebook } from '../../../src/rules/load/read-rulebook.ts';
import { quickFix } from '../../../src/rules/quick-fix.ts';
import type { QuickFixType } from '../../../src/rules/model/rule-words.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { runShape, type Shape } from '../shapes.ts';
import { onlyKnown } from './messages-of-rows.ts';
import { brokenOnLine, numbered } from './rule-engine-audit.ts';
import { IGNORED, ignored } from './rule-engine-hooks.ts';
import { NOBODY_MAY, overridden, reviewed, together, wished } from './rule-engine-human.ts';
import { lacksSeverity, loadError, onLadder, withSeverity } from './rule-engine-load.ts';
import { applies, inPhase, matched, violates } from './rule-engine-match.ts';
import {
  askedOverMcp,
  ignoredAloud,
  ignoredOverMcp,
  ignoredOverRestart,
  toldOverMcp,
  writtenByTwo,
} from './rule-engine-mcp.ts';

/** Rules as they are loaded, matched, put off, ignored and mended. */
export const ruleEngine: Runner = ({ input }) => {
  if (Object.keys(input).length === 0) return askedOverMcp(input);
  if (input['type'] === undefined && Object.keys(input).every((key) => !SHAPES.some(({ known }) => known === key)))
    return fixed(input);
  return runShape(SHAPES, input);
};

const SHAPES: readonly Shape[] = [
  { known: 'review', fields: ['review'], run: reviewed },
  { known: 'phases', fields: ['phases'], run: together },
  { known: 'two_processes', fields: ['two_processes'], run: writtenByTwo },
  { known: 'date', fields: ['date', 'n'], run: numbered },
  {
    known: 'action',
    fields: [
      'action',
      'reason',
      'role',
      'rule',
      'rule_id',
      'phase',
      'context',
      'priority',
      'can_be_ignored',
      'notify_on_ignore',
    ],
    run: acted,
  },
  { known: 'violation', fields: ['violation', 'phase'], run: toldOverMcp },
  { known: 'yaml', fields: ['yaml'], run: loaded },
  { known: 'severity', fields: ['severity', 'handler', 'soft_hooks'], run: onLadder },
  { known: 'handler', fields: ['handler'], run: onLadder },
  { known: 'pattern', fields: ['pattern', 'text', 'file', 'file_patterns'], run: matched },
  { known: 'file_patterns', fields: ['file_patterns', 'context_filter', 'file', 'context'], run: applies },
  { known: 'context_filter', fields: ['context_filter', 'file', 'context'], run: applies },
  { known: 'run_phase', fields: ['run_phase', 'rule_phase'], run: inPhase },
  { known: 'violated', fields: ['violated', 'priority'], run: brokenOnLine },
  { known: 'daemon_restarted', fields: ['daemon_restarted', 'ignored', 'then_ignored'], run: ignoredOverRestart },
  { known: 'ignored', fields: IGNORED, run: ignored },
  { known: 'priority_boost_phase', fields: IGNORED, run: ignored },
  { known: 'priority', fields: ['priority', 'phase'], run: allowed },
  { known: 'type', fields: fixFields(), run: fixed },
];

/** What somebody does: a human at a halt, an agent to a reminder, or a client of the tool. */
function acted(input: Facts): Promise<Facts> {
  const { action } = input;
  if (action === 'override') return only(['action', 'reason'], overridden);
  if (NOBODY_MAY.includes(action)) return only(['action', 'role'], wished);
  if (action === 'ignore' && input['notify_on_ignore'] !== undefined)
    return only(['action', 'notify_on_ignore'], ignoredAloud);
  if (action === 'ignore') return only(['action', 'priority', 'can_be_ignored'], ignoredOverMcp);
  return only(['action', 'rule', 'rule_id', 'phase', 'context'], askedOverMcp);

  function only(known: readonly string[], run: (facts: Facts) => Promise<Facts>): Promise<Facts> {
    onlyKnown(input, known);
    return run(input);
  }
}

function allowed({ priority, phase }: Facts): Facts {
  return { allowed: mayAct(priority as RulePriority, phase as Phase) };
}

async function loaded({ yaml }: Facts): Promise<Facts> {
  const written = await readRulebook([{ name: '.andon/rules/row.yaml', text: String(yaml) }]);
  const { rules, faults } = lacksSeverity(written.faults) ? await readRulebook([withSeverity(String(yaml))]) : written;
  const first = rules[0]?.rule;
  if (first === undefined || faults.length > 0) return aboutId(loadError(faults), String(yaml));
  if (written.faults.length > 0) return loadError(written.faults);
  return {
    ids: rules.map(({ rule }) => rule.id),
    priority: first.priority,
    matches_any_text: (await violates(first, 'any text\nat all', 'a.txt'))['violated'],
  };
}

/** What is wrong with an id that stands twice is told under the id itself. */
const aboutId = (refused: Facts, yaml: string): Facts =>
  yaml.includes(`id: ${String(refused['load_error'])},`) ? { ...refused, load_error: 'id' } : refused;

function fixFields(): readonly string[] {
  return [
    'type',
    'places',
    'lines',
    'tests',
    'guards',
    'fixes_in_stage',
    'fixes_in_task',
    'fixes_in_file',
    'next',
    'adds_logic_branch',
    'changes_interface',
    'changes_signature',
    'applied',
  ];
}

/** One quick fix, or the last of so many (`next`), that is asked for. */
function fixed(input: Facts): Facts {
  onlyKnown(input, fixFields());
  const { type, places, lines, tests, guards, fixes_in_stage, fixes_in_task, fixes_in_file, next } = input as Readonly<
    Record<string, number | undefined>
  >;
  const before = (count: number | undefined): number => (count ?? 0) + Math.max(0, (next ?? 1) - 1);
  const answer = quickFix({
    type: type as QuickFixType | undefined,
    places: places ?? lines ?? tests ?? guards,
    fixesInStage: before(fixes_in_stage),
    fixesInTask: before(fixes_in_task),
    fixesInFile: before(fixes_in_file),
    addsLogicBranch: input['adds_logic_branch'] === true,
    changesInterface: input['changes_interface'] === true || input['changes_signature'] === true,
  });
  return {
    eligible: answer.eligible,
    iteration_delta: answer.iterationDelta,
    next: answer.eligible ? 'quick_fix' : 'full_iteration',
    why: answer.why,
  };
}
