import type { Finding } from '../../record/finding.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { ruleOnMessage } from '../../rules/messages/index.ts';
import type { MessagePhase, Messages } from '../../rules/messages/message-check.ts';
import { ruleOnReview, ruleOnWords } from './keep-rules.ts';
import type { WhatRulesSay } from './keep-rules.ts';
import type { Services } from '../wiring/services.ts';

/**
 * Takes in what an agent said, at this one place: the message checks are asked first, then the project's rules about its
 * words (an implementer's are asked about with his change). What is unfit goes back to whoever said it.
 */
export async function takeMessage<At extends MessagePhase>(
  services: Services,
  record: LineRecord,
  phase: At,
  { message, evidence, words }: Messages[At] & { readonly words: string | undefined },
): Promise<WhatRulesSay & { readonly unfit?: string; readonly found?: readonly Finding[] }> {
  const ruling = ruleOnMessage(phase, message, record, evidence);
  if (ruling !== undefined) return { rulings: [ruling], unfit: ruling.found.map((one) => one.message).join('; ') };
  if (phase === 'change' || words === undefined) return { rulings: [] };
  return phase === 'review' ? ruleOnReview(services, record, words) : ruleOnWords(services, record, 'report', words);
}
