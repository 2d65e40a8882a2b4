import type { Finding } from '../../record/finding.ts';
import { ruleOnMessage, type MessagePhase, type Messages } from '../../rules/messages/message-checks.ts';
import { askDoubts } from './ask-on-the-line.ts';
import { ruleOnAnswer, type WhatLanesSay } from './rule-on-answer.ts';
import { ruleOnReview, ruleOnSaid, ruleOnWords } from './rule-on-task.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import type { CallServices, Needs, RuleServices } from '../../wiring/services.ts';

/**
 * Takes every message of an agent: the message checks first, then the project's other rules about its words. A review is
 * also checked with its change; an implementer's words are checked together with its change. An unfit message goes back
 * to its author.
 */
export async function takeMessage<At extends MessagePhase>(
  services: CallServices & RuleServices & Needs<'repository'>,
  log: StepJournal,
  phase: At,
  said: Said<At>,
  signal: AbortSignal,
): Promise<WhatLanesSay & { readonly found?: readonly Finding[] }> {
  const heard = await hear(services, log, phase, said, signal);
  if (phase === 'change') return heard;
  return unlessRefused(heard, () =>
    askDoubts(services, log, signal, (ask) =>
      phase === 'review'
        ? ruleOnReview(services, log.record, said.words, ask)
        : ruleOnWords(services, log.record, 'report', said.words, ask),
    ),
  );
}

/**
 * The same for one member of a panel, before the panel is settled. Rules about the change are left out: they are applied
 * once, to the final message.
 */
export async function takeOneOfSeveral<At extends 'review' | 'report'>(
  services: CallServices & RuleServices,
  log: StepJournal,
  phase: At,
  said: Said<At> | JustWords,
  signal: AbortSignal,
): Promise<WhatLanesSay> {
  const heard = await hear(services, log, phase, said, signal);
  return unlessRefused(heard, () =>
    askDoubts(services, log, signal, (ask) => ruleOnWords(services, log.record, phase, said.words, ask)),
  );
}

/** Whether the author of an unfit message is asked again at once with a correction; other messages count as unreadable. */
export const isReturnedAtOnce = (unfit: string): boolean => unfit.startsWith('[SYSTEM]');

/** What an agent said, what andon knows of how it came about, and the words that rules are asked about. */
type Said<At extends MessagePhase> = Messages[At] & { readonly words: string };

/** An answer that is no verdict of its own: no message check is about it. */
interface JustWords {
  readonly words: string;
}

/** The message checks first, then the project's rules about messages, then the rules of the two lanes. */
async function hear<At extends MessagePhase>(
  services: CallServices & RuleServices,
  log: StepJournal,
  phase: At,
  said: Said<At> | JustWords,
  signal: AbortSignal,
): Promise<WhatLanesSay> {
  const { words } = said;
  const evidence = 'evidence' in said ? said.evidence : {};
  const ruling = 'message' in said ? ruleOnMessage(phase, said.message, log.record, said.evidence) : undefined;
  if (ruling !== undefined) return { rulings: [ruling], unfit: ruling.found.map((one) => one.message).join('; ') };
  const beside = 'beside' in evidence ? (evidence.beside ?? '') : '';
  const ruled = await ruleOnSaid(services, log.record, phase, `${words}\n${beside}`);
  return unlessRefused(ruled, () => ruleOnAnswer(services, log, phase, words, signal));
}

/** Asks the next rules where those before them found nothing that ends it; all that was ruled is kept. */
async function unlessRefused<Next extends WhatLanesSay>(
  before: WhatLanesSay,
  next: () => Promise<Next>,
): Promise<WhatLanesSay | Next> {
  if (before.unfit !== undefined || before.objection !== undefined) return before;
  const ruled = await next();
  return { ...ruled, rulings: [...before.rulings, ...ruled.rulings] };
}
