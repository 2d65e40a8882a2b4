import type { StationId } from '../../base/names.ts';
import type { AgentFailure } from '../../ports/agent.ts';
import type { StepOutcome } from '../journal/step-journal.ts';

/** Why there is no transcript: the ledger, a hold that outlived its leash, or the agent itself. */
export type NoTranscript =
  | { readonly by: 'budget'; readonly reason: string; readonly tokens?: number }
  | { readonly by: 'hold'; readonly reason: string }
  | { readonly by: 'agent'; readonly failure: AgentFailure };

/** What a missing transcript means for the line: a strike, or something only a human can mend. */
export function withoutTranscript(station: StationId, why: NoTranscript): StepOutcome {
  if (why.by === 'budget')
    return {
      event: 'budget_refused',
      reason: why.reason,
      facts: { budget: why.reason, ...(why.tokens === undefined ? {} : { budgetTokens: why.tokens }) },
    };
  if (why.by === 'hold')
    return { event: 'unavailable', reason: why.reason, facts: { unavailable: { station, reason: why.reason } } };
  const { kind, detail } = why.failure;
  if (kind === 'missing' || kind === 'refused' || kind === 'unavailable')
    return { event: 'fault', reason: detail, facts: { fault: detail } };
  const strike = {
    station,
    kind: kind === 'aborted' || kind === 'spent' ? 'crash' : kind,
    why: detail,
  } as const;
  return { event: kind === 'stall' ? 'timeout' : 'strike', reason: `${kind}: ${detail}`, facts: { strike } };
}
