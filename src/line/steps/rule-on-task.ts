import type { Change, GateRun } from '../record/change.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Finding } from '../../rules/model/finding.ts';
import {
  toFinding,
  formatRuling,
  listDoubts,
  listStopping,
  type RuledFinding,
  type Ruling,
} from '../../rules/model/ruling.ts';
import type { Subject } from '../../rules/model/inspection.ts';
import type { AskModel } from '../../rules/checks/check.ts';
import { quickFix } from '../../rules/quick-fix.ts';
import type { QuickFixType } from '../../rules/model/rule-words.ts';
import { describeContract } from '../stations/describe-contract.ts';
import { readFilesBetween } from '../../rules/files/files-between.ts';
import { applyMessageRules, applyRules, applyDeferred, writeFixes } from './apply-rules.ts';
import { askDoubts } from './ask-on-the-line.ts';
import { followHooks } from './follow-hooks.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';

export interface WhatRulesSay {
  readonly rulings: readonly Ruling[];
  readonly objection?: StepOutcome;
}

/** Asks the rules about the contract, once, before any work is done; undefined when there is nothing to ask. */
export async function ruleOnContract(
  services: CallServices & RuleServices,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome | undefined> {
  const { record } = log;
  if (record.contractRuled) return undefined;
  const contract = describeContract(record, true);
  const ruling = await askDoubts(services, log, signal, (ask) =>
    applyRules(services, record, 'contract', () => ({ contract, files: [] }), ask),
  );
  if (ruling === undefined) return undefined;
  const against = createObjection([ruling], {});
  if (against !== undefined) return against;
  const shownFindings = ruling.found.filter(({ does }) => does === 'quick_fix' || does === 'log');
  const unsure = listDoubts(ruling).map(({ rule }) => rule);
  return {
    event: 'rules_checked',
    reason: `rules: ${shownFindings.length === 0 ? 'nothing against the contract' : shownFindings.map(formatRuling).join('; ')}${unsure.length === 0 ? '' : `; not sure of ${unsure.join(', ')}`}`,
    facts: {
      rulings: [ruling],
      ...(shownFindings.length === 0 ? {} : { feedback: [describeFindings(shownFindings)] }),
    },
  };
}

/** Asks the rules about a change, its gates' output included; the outcome when they object, else what they said. */
export async function ruleOnChange(
  services: RuleServices & Needs<'repository'>,
  record: TaskRecord,
  change: Change,
  facts: Facts,
): Promise<WhatRulesSay> {
  const subject = {
    ...(await readFilesBetween(services.repository, change.base, change.commit)),
    response: change.notes,
  };
  const ruling = await applyRules(services, record, 'change', () => subject);
  const before = facts.rulings ?? [];
  if (ruling === undefined) return { rulings: before };
  await writeFixes(services, record, ruling, subject);
  const against = createObjection([...before, ruling], facts) ?? requestFix(record, ruling, facts);
  return { rulings: [...before, ruling], ...(against === undefined ? {} : { objection: against }) };
}

/** Asks the rules about what the gates printed, and lets the soft hooks of the whole round count. */
export async function ruleOnGates(
  services: RuleServices & Needs<'notices'>,
  record: TaskRecord,
  change: Change,
  run: GateRun,
  before: readonly Ruling[],
  facts: Facts,
): Promise<WhatRulesSay> {
  const testOutput = run.results.map(({ name, output }) => `${name}\n${output}`).join('\n');
  const ruled =
    testOutput === ''
      ? undefined
      : await applyRules(services, record, 'gates', () => ({ test_output: testOutput, files: [] }));
  const putOff = [...record.putOff.map(({ one }) => one), ...before.flatMap(({ found }) => found)];
  const surfaced = await applyDeferred(services, record, 'gates', putOff, ruled?.found ?? []);
  const ruling = withSurfaced('gates', ruled, surfaced);
  const rulings = ruling === undefined ? before : [...before, ruling];
  const found = rulings.flatMap((one) => one.found);
  if (rulings.length > 0) await followHooks(services, record, found, change);
  const against =
    ruling === undefined ? undefined : (createObjection(rulings, facts) ?? requestFix(record, ruling, facts));
  return against === undefined ? { rulings } : { rulings, objection: against };
}

const withSurfaced = (
  moment: 'gates' | 'review',
  ruled: Ruling | undefined,
  surfaced: readonly RuledFinding[],
): Ruling | undefined =>
  surfaced.length === 0
    ? ruled
    : {
        ...(ruled ?? { moment, phase: moment === 'gates' ? 'TEST' : 'REVIEW', score: 100, found: [], unchecked: [] }),
        found: [...(ruled?.found ?? []), ...surfaced],
      };

/**
 * Asks the rules about a local review: its words (undefined where they were asked about before), and the change that it is
 * about, with what was deferred until now. Findings in the change go to the judge (`found`); what is
 * found in the words makes the review unfit.
 */
export async function ruleOnReview(
  services: RuleServices & Needs<'repository'>,
  record: TaskRecord,
  words: string | undefined,
  ask?: AskModel,
): Promise<WhatRulesSay & { readonly unfit?: string; readonly found: readonly Finding[] }> {
  const { change } = record;
  if (change === undefined) return { rulings: [], found: [] };
  const subject = async (): Promise<Subject> => ({
    ...(await readFilesBetween(services.repository, change.base, change.commit)),
    ...(words === undefined ? {} : { report: words }),
  });
  const ruled = await applyRules(services, record, 'review', subject, ask);
  const against = ruled === undefined ? undefined : createObjection([ruled], {});
  if (ruled !== undefined && against !== undefined) return { rulings: [ruled], objection: against, found: [] };
  const unfit = ruled?.found.filter(({ does, file }) => does === 'quick_fix' && file === undefined) ?? [];
  if (ruled !== undefined && unfit.length > 0)
    return { rulings: [ruled], unfit: unfit.map(formatRuling).join('; '), found: [] };
  const putOff = record.putOff.map(({ one }) => one);
  const ruling = withSurfaced(
    'review',
    ruled,
    await applyDeferred(services, record, 'review', putOff, ruled?.found ?? []),
  );
  if (ruling === undefined) return { rulings: [], found: [] };
  const shownFindings = ruling.found.filter(({ does }) => does === 'quick_fix' || does === 'log' || does === 'hook');
  return { rulings: [ruling], found: shownFindings.map(toFinding) };
}

/** Asks the rules about a report, the fixes that follow from it, or the words of one of several reviewers. */
export async function ruleOnWords(
  services: RuleServices,
  record: TaskRecord,
  moment: 'review' | 'report' | 'fixes',
  words: string,
  ask?: AskModel,
): Promise<WhatRulesSay & { readonly unfit?: string }> {
  const subject = { ...(moment === 'fixes' ? { contract: words } : { report: words }), files: [] };
  return ruleOnWording(await applyRules(services, record, moment, () => subject, ask));
}

/** Asks the rules about messages (`on: message`) what they say of an agent's words, before anything else reads them. */
export async function ruleOnSaid(
  services: RuleServices,
  record: TaskRecord,
  moment: 'change' | 'review' | 'report',
  words: string,
): Promise<WhatRulesSay & { readonly unfit?: string }> {
  const ruling = await applyMessageRules(services, record, moment, words);
  const answer = ruleOnWording(ruling);
  return ruling?.found.length === 0 && answer.objection === undefined ? { rulings: [] } : answer;
}

/** What follows from a ruling on words: they are stopped, or unfit, or stand. */
function ruleOnWording(ruling: Ruling | undefined): WhatRulesSay & { readonly unfit?: string } {
  if (ruling === undefined) return { rulings: [] };
  const against = createObjection([ruling], {});
  if (against !== undefined) return { rulings: [ruling], objection: against };
  const unfit = ruling.found.filter(({ does }) => does === 'quick_fix');
  return { rulings: [ruling], ...(unfit.length === 0 ? {} : { unfit: unfit.map(formatRuling).join('; ') }) };
}

/** What could not be checked stops the line as a fault, a P0 rule or hard constraint as a violation. */
export function createObjection(rulings: readonly Ruling[], facts: Facts): StepOutcome | undefined {
  const all = { ...facts, rulings: [...rulings] };
  const [violated, ...more] = listStopping(rulings);
  if (violated !== undefined)
    return {
      event: 'rule_violated',
      reason: `${formatRuling(violated)}${more.length === 0 ? '' : ` (and ${more.length} more)`}`,
      facts: all,
    };
  const [unchecked] = rulings.flatMap((ruling) => ruling.unchecked);
  if (unchecked === undefined) return undefined;
  const fault = `the rules could not be applied: ${unchecked}`;
  return { event: 'fault', reason: fault, facts: { ...all, fault } };
}

/** P1: small fixes go through the quick channel and cost no review round; what is too much for it goes the long way. */
function requestFix(record: TaskRecord, ruling: Ruling, facts: Facts): StepOutcome | undefined {
  const due = ruling.found.filter(({ does }) => does === 'quick_fix');
  if (due.length === 0) return undefined;
  const { stage, task } = record.quickFixes;
  const rules = Map.groupBy(due, ({ rule }) => rule);
  const answers = [...rules.values()].map((found) =>
    quickFix(
      {
        type: found[0]?.fix?.type as QuickFixType | undefined,
        places: found.length,
        fixesInStage: stage,
        fixesInTask: task,
      },
      found[0]?.fix === undefined
        ? undefined
        : { type: found[0].fix.type as QuickFixType, max_fixes: found[0].fix.most },
    ),
  );
  const refused = answers.find(({ eligible }) => !eligible);
  const names = [...rules.keys()].join(', ');
  return {
    event: refused === undefined ? 'quick_fix' : 'rule_red',
    reason: `rules: ${names}${refused?.why === undefined ? '; a quick fix' : `; no quick fix: ${refused.why}`}`,
    facts: {
      ...facts,
      rulings: [...(facts.rulings ?? []), ruling],
      feedback: [refused === undefined ? describeMinorFix(due) : describeFindings(due)],
    },
  };
}

/** What the quick channel asks for: these places, and nothing else. */
const describeMinorFix = (found: readonly RuledFinding[]): NonNullable<Facts['feedback']>[number] => ({
  from: 'rules',
  text: `MINOR_FIX: put exactly this right, and change nothing else.\n${describeFindings(found).text}`,
});

const describeFindings = (found: readonly RuledFinding[]): NonNullable<Facts['feedback']>[number] => ({
  from: 'rules',
  text: found.map((one) => `- ${formatRuling(one)}`).join('\n'),
});
