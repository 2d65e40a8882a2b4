import { GUARDS, checkMessage, type ChainResult, type GuardName } from '../../../src/rules/guards/check-message.ts';
import { countTalk } from '../../../src/line/reports/message-stats.ts';
import type { JournalEntry } from '../../../src/line/record/journal-entry.ts';
import type { StepEvent } from '../../../src/line/record/step-event.ts';
import { called, moved } from '../../support/records.ts';
import type { MessageSettings } from '../../../src/project/config/message-settings.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { numberOf } from '../shapes.ts';
import { onlyKnown, settingsFrom } from './messages-of-rows.ts';

const KNOWN = [
  'chain',
  'enabled',
  'expected_outcome',
  'gate_rejects',
  'passes',
  'rejections',
  'retries',
  'review_gate.enabled',
  'text',
  'validator_rejects',
  'yaml',
];
/** What the validator refuses, and what the gate does. */
const PRAISE = 'Perfect! Excellent!';
const APPROVAL = 'The code reads well and follows the conventions of this project. APPROVE';

/** One message through all four guards, a turn with many refusals, or the figures of many messages. */
export const middlewareChain: Runner = ({ input }): Facts => {
  onlyKnown(input, KNOWN);
  const settings = withSwitches(settingsFrom(input['yaml']), input);
  if (Object.hasOwn(input, 'rejections')) return counted(input);
  if (Object.hasOwn(input, 'validator_rejects') || Object.hasOwn(input, 'gate_rejects')) return turn(input, settings);
  const { text, chain } = input;
  if (typeof text !== 'string' && typeof chain !== 'string' && typeof input['yaml'] !== 'string')
    throw new Error('the row has no message');
  const message = typeof text === 'string' ? text : 'Changed line 42. Tests pass (628/628).';
  const outcome = typeof input['expected_outcome'] === 'string' ? input['expected_outcome'] : undefined;
  const result = checkMessage(message, { isDelegation: true, expectedOutcome: outcome, modified: [] }, settings);
  return observed(result, settings);
};

function withSwitches(settings: MessageSettings, input: Facts): MessageSettings {
  const gate = input['review_gate.enabled'];
  return {
    ...settings,
    enabled: typeof input['enabled'] === 'boolean' ? input['enabled'] : settings.enabled,
    review_gate: { ...settings.review_gate, enabled: typeof gate === 'boolean' ? gate : settings.review_gate.enabled },
  };
}

function observed(result: ChainResult, settings: MessageSettings): Facts {
  return {
    order: result.asked,
    passed: result.passed,
    stage: result.stage,
    reminder: result.reminder !== '',
    retry_sent_to_agent: result.feedback !== undefined,
    review_stage:
      !settings.enabled || !settings.review_gate.enabled
        ? 'skipped'
        : result.stage === 'ReviewGate'
          ? 'rejected'
          : 'passed',
  };
}

/** The same agent goes on sending what is refused, first by one guard, then by the other. */
function turn(input: Facts, settings: MessageSettings): Facts {
  const script: string[] = [
    ...Array.from({ length: numberOf(input, 'validator_rejects', 0) }, () => PRAISE),
    ...Array.from({ length: numberOf(input, 'gate_rejects', 0) }, () => APPROVAL),
  ];
  const retries: Partial<Record<GuardName, number>> = {};
  let delivered = false;
  for (const message of script) {
    const { stage } = checkMessage(message, { isDelegation: true, retries }, settings);
    if (stage === undefined) delivered = true;
    else retries[stage] = (retries[stage] ?? 0) + 1;
    if (delivered) break;
  }
  const total = GUARDS.reduce((sum, guard) => sum + (retries[guard] ?? 0), 0);
  const last = checkMessage(script.at(-1) ?? PRAISE, { isDelegation: true, retries }, settings);
  return {
    total_retries: total,
    retries: total,
    halts_or_delivers: delivered || last.passed,
    passed: delivered || last.passed,
  };
}

function counted(input: Facts): Facts {
  const said = (count: number, event: StepEvent): readonly JournalEntry[] =>
    Array.from({ length: count }, () => [called(), moved(event, 'pending_implementer', 'pending_implementer')]).flat();
  const entries = [
    ...said(numberOf(input, 'rejections', 0), 'answer_refused'),
    ...said(numberOf(input, 'passes', 0), 'code_written'),
  ];
  const { workers } = countTalk([entries]);
  const [answers, back] = [workers[0]?.answers ?? 0, workers[0]?.sent_back ?? 0];
  return { pass_rate: (answers - back) / answers, retries: back };
}
