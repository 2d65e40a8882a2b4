import { ruledInWords } from '../record/ruling.ts';
import type { RuledMoment } from '../record/ruling.ts';
import type { Place } from '../wiring/open-place.ts';
import type { Phase } from '../rule-model/rule-words.ts';
import { isAboutMessages } from '../rules/select.ts';
import { govern } from '../rules/govern.ts';
import { ruleOn } from '../rules/rule-on.ts';
import { readProjectRulebook } from './rulebook/rulebook.ts';
import { readSuppressions } from './suppressions.ts';

/** Possible senders; messages from and to people are not checked. */
export const SPEAKERS = ['architect', 'implementer', 'local_reviewer', 'judge', 'floor_manager', 'human'] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** What the project's rules about messages say of one. */
export interface MessageRuling {
  /** Why it goes back, a sentence each. */
  readonly refused: readonly string[];
  /** What is only told. */
  readonly told: readonly string[];
  /** Unchecked rules: a rulebook with a fault, or an undecidable rule. */
  readonly unchecked: readonly string[];
}

/** Checks a message as the line does: by severity, handler and the sender's phase. */
export async function ruleOnText(
  place: Pick<Place, 'facts' | 'settings'>,
  text: string,
  from: Exclude<Speaker, 'human'>,
  now: Date,
): Promise<MessageRuling> {
  const { root } = place.facts;
  const { enforcement } = place.settings;
  const book = await readProjectRulebook(root);
  const rules = book.rules.filter(({ rule }) => isAboutMessages(rule));
  if (rules.length === 0 && book.faults.length === 0) return { refused: [], told: [], unchecked: [] };
  const { moment, phase, agent } = SPEAKS[from];
  const inspection = await govern(
    { ...book, rules },
    { message: text, files: [] },
    { phase, now: now.toISOString(), agentType: agent, quality: enforcement.quality },
    {
      surface: 'gate',
      mode: enforcement.mode,
      threshold: enforcement.scoreThreshold,
      suppressions: readSuppressions(root),
      subject: 'the message',
    },
  );
  const { found, unchecked } = ruleOn(inspection, {
    moment,
    phase,
    quality: enforcement.quality,
    rules: new Map(rules.map(({ rule }) => [rule.id, rule])),
    ladder: book.ladder,
    hooks: new Map(),
    waived: new Set(),
  });
  const inWords = (...deeds: readonly string[]): readonly string[] =>
    found.filter(({ does }) => deeds.includes(does)).map(ruledInWords);
  return { refused: inWords('stop', 'quick_fix'), told: inWords('log', 'hook', 'later'), unchecked };
}

/** At which moment of a task each of them speaks. */
const SPEAKS: Readonly<
  Record<Exclude<Speaker, 'human'>, { readonly moment: RuledMoment; readonly phase: Phase; readonly agent: string }>
> = {
  architect: { moment: 'contract', phase: 'TASKS', agent: 'Architect' },
  implementer: { moment: 'change', phase: 'IMPLEMENTATION', agent: 'Implementer' },
  local_reviewer: { moment: 'review', phase: 'REVIEW', agent: 'LocalReviewer' },
  judge: { moment: 'report', phase: 'REVIEW', agent: 'Judge' },
  floor_manager: { moment: 'fixes', phase: 'TASKS', agent: 'FloorManager' },
};
