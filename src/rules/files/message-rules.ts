import { formatRuling } from '../model/ruling.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { isAboutMessages } from '../select.ts';
import { runRules } from '../run-rules.ts';
import { toRuling } from '../to-ruling.ts';
import { readProjectRulebook } from './rulebook/rulebook.ts';

/** The agents that send messages: the moment and phase of a task, and the name in rules. */
const AGENTS = {
  architect: { moment: 'contract', phase: 'TASKS', agent: 'Architect' },
  implementer: { moment: 'change', phase: 'IMPLEMENTATION', agent: 'Implementer' },
  local_reviewer: { moment: 'review', phase: 'REVIEW', agent: 'LocalReviewer' },
  judge: { moment: 'report', phase: 'REVIEW', agent: 'Judge' },
  floor_manager: { moment: 'fixes', phase: 'TASKS', agent: 'FloorManager' },
} as const;
type SpeakingAgent = keyof typeof AGENTS;

/** Possible senders; messages from and to people are not checked. */
export type Speaker = SpeakingAgent | 'human';
export const SPEAKERS: readonly Speaker[] = [...(Object.keys(AGENTS) as SpeakingAgent[]), 'human'];

/** What the project's rules about messages say of one. */
export interface MessageRuling {
  /** Why it goes back, a sentence each. */
  readonly refused: readonly string[];
  /** Findings that are only logged. */
  readonly noted: readonly string[];
  /** Unchecked rules: a rulebook with a fault, or an undecidable rule. */
  readonly unchecked: readonly string[];
}

/** Checks a message as the line does: by severity, handler and the sender's phase. */
export async function ruleOnText(
  place: Pick<Workspace, 'facts' | 'settings'>,
  text: string,
  from: SpeakingAgent,
  now: Date,
): Promise<MessageRuling> {
  const { root } = place.facts;
  const { enforcement } = place.settings;
  const book = await readProjectRulebook(root);
  const rules = book.rules.filter(({ rule }) => isAboutMessages(rule));
  if (rules.length === 0 && book.faults.length === 0) return { refused: [], noted: [], unchecked: [] };
  const { moment, phase, agent } = AGENTS[from];
  const inspection = await runRules(
    { ...book, rules },
    { message: text, files: [] },
    { phase, now: now.toISOString(), agentType: agent, quality: enforcement.quality },
    {
      surface: 'gate',
      mode: enforcement.mode,
      threshold: enforcement.scoreThreshold,
      subject: 'the message',
    },
  );
  const { found, unchecked } = toRuling(inspection, {
    moment,
    phase,
    quality: enforcement.quality,
    rules: new Map(rules.map(({ rule }) => [rule.id, rule])),
    ladder: book.ladder,
    hooks: new Map(),
    waived: new Set(),
  });
  const listActions = (...deeds: readonly string[]): readonly string[] =>
    found.filter(({ does }) => deeds.includes(does)).map(formatRuling);
  return { refused: listActions('stop', 'quick_fix'), noted: listActions('log', 'hook', 'later'), unchecked };
}
