import { MOMENTS_OF_TASK, formatRuling, type RuledMoment } from '../model/ruling.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { Speaker } from '../model/rule-words.ts';
import { isAboutMessages } from '../select-rules.ts';
import { ruleAt } from '../to-ruling.ts';
import { readProjectRulebook } from './rulebook.ts';

/** The moment of a task at which each agent sends messages. */
const MOMENT_OF: Readonly<Record<Exclude<Speaker, 'human'>, RuledMoment>> = {
  architect: 'contract',
  implementer: 'change',
  local_reviewer: 'review',
  judge: 'report',
  floor_manager: 'fixes',
};

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
  from: Exclude<Speaker, 'human'>,
  now: Date,
): Promise<MessageRuling> {
  const { root } = place.facts;
  const { enforcement } = place.settings;
  const book = await readProjectRulebook(root);
  const rules = book.rules.filter(({ rule }) => isAboutMessages(rule));
  if (rules.length === 0 && book.faults.length === 0) return { refused: [], noted: [], unchecked: [] };
  const { agent } = MOMENTS_OF_TASK[MOMENT_OF[from]];
  const { found, unchecked } = await ruleAt(
    MOMENT_OF[from],
    { ...book, rules },
    { message: text, files: [] },
    { now: now.toISOString(), agentType: agent, quality: enforcement.quality },
    { mode: enforcement.mode, threshold: enforcement.scoreThreshold, subject: 'the message' },
  );
  const listActions = (...deeds: readonly string[]): readonly string[] =>
    found.filter(({ does }) => deeds.includes(does)).map(formatRuling);
  return { refused: listActions('stop', 'quick_fix'), noted: listActions('log', 'hook', 'later'), unchecked };
}
