import type { Finding } from '../../record/finding.ts';
import { ruleOnMessage } from '../../rules/messages/index.ts';
import type { MessagePhase, Messages } from '../../rules/messages/message-check.ts';
import { ruleOnAnswer } from './keep-lanes.ts';
import type { WhatLanesSay } from './keep-lanes.ts';
import { ruleOnReview, ruleOnSaid, ruleOnWords } from './keep-rules.ts';
import type { StepLog } from '../wiring/step-log.ts';
import type { Services } from '../wiring/services.ts';

/**
 * Takes in what an agent said, at this one place: the message checks are asked first, then the project's rules about messages, then the rules that answers are held
 * against by the two lanes, then the project's other rules about its words (an implementer's are asked about with his
 * change). What is unfit goes back to whoever said it.
 */
export async function takeMessage<At extends MessagePhase>(
  services: Services,
  log: StepLog,
  phase: At,
  { message, evidence, words }: Messages[At] & { readonly words: string },
  signal: AbortSignal,
): Promise<WhatLanesSay & { readonly found?: readonly Finding[] }> {
  const ruling = ruleOnMessage(phase, message, log.record, evidence);
  if (ruling !== undefined) return { rulings: [ruling], unfit: ruling.found.map((one) => one.message).join('; ') };
  const beside = 'beside' in evidence ? (evidence.beside ?? '') : '';
  const ruled = await ruleOnSaid(services, log.record, phase, `${words}\n${beside}`);
  if (ruled.unfit !== undefined || ruled.objection !== undefined) return ruled;
  const answer = await ruleOnAnswer(services, log, phase, words, signal);
  const both = { ...answer, rulings: [...ruled.rulings, ...answer.rulings] };
  if (phase === 'change' || answer.unfit !== undefined || answer.objection !== undefined) return both;
  const said =
    phase === 'review'
      ? await ruleOnReview(services, log.record, words)
      : await ruleOnWords(services, log.record, 'report', words);
  return { ...said, rulings: [...both.rulings, ...said.rulings] };
}
