import { maskKnown, maskKnownIn } from '../../base/known-secrets.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Agent } from '../../ports/agent.ts';

/**
 * The same agent; no known secret enters a prompt, and none leaves its program in words. Code that it wrote, as text or
 * into files, is as it is: a secret in it is refused where it is taken, for masked code would be other code.
 */
export const maskingAgent = (agent: Agent): Agent => ({
  ...agent,
  async run(call) {
    const result = await agent.run({ ...call, prompt: maskKnown(call.prompt) });
    if (!result.ok) return failure(maskKnownIn(result.why));
    const { edited, ...words } = result.value;
    const masked = { ...maskKnownIn(words), ...(edited === undefined ? {} : { edited }) };
    return success(call.isAnswerCode === true ? { ...masked, text: words.text } : masked);
  },
});
