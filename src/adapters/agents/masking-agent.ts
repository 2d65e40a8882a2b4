import { maskKnown, maskKnownIn } from '../../base/known-secrets.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Agent } from '../../ports/agent.ts';

/**
 * The same agent; no known secret enters a prompt, and none leaves its program in words. Files that it edited are as they
 * are: a secret among these is refused where they are taken, for a masked file would be another one.
 */
export const maskingAgent = (agent: Agent): Agent => ({
  ...agent,
  async run(call) {
    const result = await agent.run({ ...call, prompt: maskKnown(call.prompt) });
    if (!result.ok) return failure(maskKnownIn(result.why));
    const { edited, ...words } = result.value;
    return success({ ...maskKnownIn(words), ...(edited === undefined ? {} : { edited }) });
  },
});
