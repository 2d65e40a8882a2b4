import type { AgentFailure } from '../../agents/agent.ts';
import { getLastLines } from '../../base/crash-reason.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';

/** The last lines that a failed program printed, as they are shown and kept. Masked before long lines are cut, which may split a secret. */
export function getPrintedLines({ output = '' }: AgentFailure): { readonly output?: string } {
  const lines = getLastLines(withoutSecrets(output));
  return lines === '' ? {} : { output: lines };
}
