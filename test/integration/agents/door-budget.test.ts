import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ProxyBudget } from '../../../src/agents/drivers/proxy-budget.ts';
import { answerJson, modelService } from '../../support/model-service.ts';

const ANSWER = { usage: { prompt_tokens: 1000, completion_tokens: 1000 } };
const ASKED = { messages: [], max_tokens: 1000 };
/** A dollar for each thousand tokens. */
const priceOf: ProxyBudget['priceOf'] = ({ tokensIn, tokensOut }) => ((tokensIn ?? 0) + (tokensOut ?? 0)) / 1000;

/** A service that keeps its answers back until it is told to give the next one. */
async function slowService(budget: Partial<ProxyBudget>, answer: object = ANSWER) {
  const kept: ServerResponse[] = [];
  let came = (): void => {};
  const line = await modelService(
    (outgoing) => {
      kept.push(outgoing);
      came();
    },
    {},
    budget,
  );
  /** Answers what comes until all that was asked is over. */
  const answerAll = async (all: readonly Promise<unknown>[]): Promise<void> => {
    const over = Promise.allSettled(all).then(() => true);
    const next = () => new Promise<false>((resolve) => (came = () => resolve(false)));
    for (let [isOver, wait] = [false, next()]; !isOver; isOver = await Promise.race([over, wait])) {
      wait = next();
      for (const one of kept.splice(0)) answerJson(one, answer);
    }
  };
  return { ...line, kept, answerAll };
}

describe('the budget of the model proxy', () => {
  test('is asked again when the body has come', async () => {
    const { begin, ask, seen, state } = await modelService(
      (outgoing) => answerJson(outgoing, ANSWER),
      {},
      { tokens: 5000 },
    );
    const early = Array.from({ length: 30 }, () => begin('POST', '/chat/completions'));
    while ((await ask('POST', '/chat/completions', ASKED)).status === 200);
    const before = seen.length;
    early.forEach(({ end }) => end(ASKED));
    const all = await Promise.all(early.map(({ answered }) => answered));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([401]));
    expect([before, seen.length]).toEqual([3, 3]);
    expect(state.requests()).toBe(3);
  });

  test.each([
    ['tokens', { tokens: 5000 }, ASKED, 3],
    ['tokens where no request sets a bound', { tokens: 5000 }, { messages: [] }, 3],
    ['tokens where answers are larger than their bound', { tokens: 5000 }, { messages: [], max_tokens: 1 }, 3],
    ['dollars', { usd: 5, priceOf }, ASKED, 3],
    ['requests', { requests: 7 }, ASKED, 7],
  ])('is passed by one of sixty requests at once at most: %s', async (_, budget, body, most) => {
    const { ask, answerAll, seen } = await slowService(budget);
    const all = Array.from({ length: 60 }, () => ask('POST', '/chat/completions', body));
    await answerAll(all);
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(seen).toHaveLength(most);
    expect(statuses.filter((status) => status === 200)).toHaveLength(most);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60 - most);
  });

  test('has requests go side by side where nothing limits them', async () => {
    const { ask, answerAll, kept, seen } = await slowService({});
    const all = Array.from({ length: 4 }, () => ask('POST', '/chat/completions', ASKED));
    await expect.poll(() => kept.length).toBe(4);
    await answerAll(all);
    expect(seen).toHaveLength(4);
  });

  test('has requests go side by side as long as it has room for all of them', async () => {
    const { ask, answerAll, kept, seen } = await slowService({ tokens: 100_000 });
    const first = ask('POST', '/chat/completions', ASKED);
    await answerAll([first]);
    const all = Array.from({ length: 4 }, () => ask('POST', '/chat/completions', ASKED));
    await expect.poll(() => kept.length).toBe(4);
    await answerAll(all);
    expect(seen).toHaveLength(5);
  });

  test('counts an answer without usage at what was reserved for it, in tokens and in dollars', async () => {
    for (const budget of [{ tokens: 5000 }, { usd: 5, priceOf }]) {
      const { ask, answerAll, seen, state } = await slowService(budget, { ok: true });
      const all = Array.from({ length: 20 }, () =>
        ask('POST', '/chat/completions', { messages: [], max_tokens: 2000 }),
      );
      await answerAll(all);
      expect(seen).toHaveLength(3);
      expect(state.closed()).toMatchObject({ kind: 'spent' });
      expect(state.counted()).toMatchObject({ tokensIn: null, tokensOut: null });
    }
  });

  test('counts half an account at what was reserved for the other half', async () => {
    const { ask, seen } = await modelService(
      (outgoing) => answerJson(outgoing, { usage: { input_tokens: 10 } }),
      {},
      { tokens: 3000 },
    );
    while ((await ask('POST', '/messages', { messages: [], max_tokens: 2000 })).status === 200);
    expect(seen).toHaveLength(2);
  });

  test('counts of a request that the service left without a byte what was asked, and not what it could have answered', async () => {
    const { ask, seen, state } = await modelService((outgoing) => void outgoing.destroy(), {}, { tokens: 10_000 });
    for (const _ of [1, 2, 3]) await ask('POST', '/chat/completions', { messages: [], max_tokens: 9000 });
    expect(seen).toHaveLength(3);
    expect(state.closed()).toBeUndefined();
    expect(state.trouble()?.detail).toContain('cannot be reached');
    expect(state.counted()).toMatchObject({ tokensIn: null, tokensOut: null });
    expect(state.estimated().tokensIn).toBeGreaterThan(20);
  });

  test('that is used by an estimate says so, and what went wrong before', async () => {
    const { ask, state } = await modelService(
      (outgoing) => {
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.flushHeaders();
        setTimeout(() => outgoing.destroy(), 20);
      },
      {},
      { tokens: 3000 },
    );
    await expect(ask('POST', '/chat/completions', { messages: [], max_tokens: 4000 })).rejects.toThrow();
    await expect.poll(() => state.isAsking()).toBe(false);
    expect(state.mayNotPass()).toMatch(/of 3000 tokens of this call are used \(estimated.*cannot be reached: aborted/);
    const told = await modelService((outgoing) => answerJson(outgoing, ANSWER), {}, { tokens: 1500 });
    await told.ask('POST', '/chat/completions', ASKED);
    expect(told.state.mayNotPass()).toMatch(/2000 of 1500 tokens of this call are used$/);
  });

  test('counts what a program went away from at what was reserved for it', async () => {
    const { door, seen, state } = await modelService(() => {}, { idleMs: 60_000 }, { tokens: 3000 });
    for (const times of [1, 2]) {
      const stop = new AbortController();
      const asked = fetch(`http://127.0.0.1:${door.port}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer andon-dummy' },
        body: JSON.stringify({ messages: [], max_tokens: 2000 }),
        signal: stop.signal,
      });
      await expect.poll(() => seen.length).toBe(times);
      stop.abort();
      await expect(asked).rejects.toThrow();
      await expect.poll(() => state.isAsking()).toBe(false);
    }
    expect(state.mayNotPass()).toContain('of 3000 tokens');
  });

  test('is not used by a request that the service refused', async () => {
    const { ask, state } = await modelService((outgoing) => answerJson(outgoing, { error: 'who?' }, 401));
    expect((await ask('POST', '/chat/completions', ASKED)).status).toBe(401);
    expect(state.counted()).toMatchObject({ tokensIn: 0, tokensOut: 0, usd: 0 });
  });

  test('is of unknown use while a request is under way', async () => {
    const { ask, answerAll, kept, state } = await slowService({});
    const first = ask('POST', '/chat/completions', ASKED);
    await expect.poll(() => kept.length).toBe(1);
    expect(state.counted()).toMatchObject({ tokensIn: null, usd: null });
    await answerAll([first]);
    expect(state.counted()).toMatchObject({ tokensIn: 1000, usd: null });
  });

  test('is not touched by lists of models and counts of tokens', async () => {
    const { ask, state } = await modelService((outgoing) => answerJson(outgoing, ANSWER), {}, { tokens: 5000 });
    await ask('POST', '/chat/completions', ASKED);
    for (let time = 0; time < 10; time += 1) await ask('GET', '/models');
    await ask('POST', '/v1/messages/count_tokens', { messages: [] });
    expect(state.counted()).toMatchObject({ tokensIn: 1000, tokensOut: 1000 });
    expect((await ask('POST', '/chat/completions', ASKED)).status).toBe(200);
    expect(state.requests()).toBe(13);
  });

  test('forgets a request whose program left while it waited', async () => {
    const { ask, begin, answerAll, kept, seen } = await slowService({ tokens: 100_000 });
    const first = ask('POST', '/chat/completions', { messages: [] });
    await expect.poll(() => kept.length).toBe(1);
    const { answered, end, leave } = begin('POST', '/chat/completions');
    end({ messages: [] });
    leave();
    await expect(answered).rejects.toThrow();
    const last = ask('POST', '/chat/completions', { messages: [] });
    await answerAll([first, last]);
    expect(seen).toHaveLength(2);
  });
});
