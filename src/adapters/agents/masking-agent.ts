import { maskKnown, maskKnownIn } from '../../base/known-secrets.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Agent } from '../../ports/agent.ts';

/**
 * Wraps an agent: known secrets are masked in its prompts and in its words. Its code, as text or in files, stays
 * unmasked, since masking changes code. A secret in code is refused where the code is taken.
 */
export const createMaskingAgent = (agent: Agent): Agent => ({
  ...agent,
  async run(call) {
    const result = await agent.run({ ...call, prompt: maskKnown(call.prompt) });
    if (!result.ok) return failure(maskKnownIn(result.why));
    const { edited, ...words } = result.value;
    const masked = { ...maskKnownIn(words), ...(edited === undefined ? {} : { edited }) };
    return success(call.isAnswerCode === true ? { ...masked, text: words.text } : masked);
  },
});
