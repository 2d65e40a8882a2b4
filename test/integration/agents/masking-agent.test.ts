import { describe, expect, test } from 'vitest';
import { rememberSecrets } from '../../../src/base/known-secrets.ts';
import { success } from '../../../src/base/outcome.ts';
import type { Agent, AgentCall } from '../../../src/agents/agent.ts';
import { createMaskingAgent } from '../../../src/agents/drivers/index.ts';

const KEY = ['mykey', 'CANARY', '88defY'].join('');
rememberSecrets([KEY]);

/** An agent that repeats what it is asked, and the key. */
const echoing = createMaskingAgent({
  id: 'echo',
  run: ({ prompt }: AgentCall) =>
    Promise.resolve(
      success({ text: `${prompt} | ${KEY}`, notice: KEY, ms: 1, exit: 0, tokensIn: null, tokensOut: null, usd: null }),
    ),
} as unknown as Agent);

const ask = (more: Partial<AgentCall>) => echoing.run({ prompt: `about ${KEY}`, ...more } as AgentCall);

describe('the text of an agent', () => {
  test('is masked, and so is its prompt', async () => {
    expect(await ask({})).toMatchObject({ value: { text: 'about *** | ***', notice: '***' } });
  });

  test('that becomes code comes back as it was written, so that no change holds stars', async () => {
    const answer = await ask({ isAnswerCode: true });
    expect(answer).toMatchObject({ value: { text: `about *** | ${KEY}`, notice: '***' } });
  });
});
