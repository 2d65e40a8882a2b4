import { ProxyState } from '../../src/agents/drivers/proxy-budget.ts';
import { openModelProxy } from '../../src/agents/drivers/model-proxy.ts';

// A model door in a process of its own, as the bench wants it: it tells its port, then its memory whenever it is asked.
const [to = ''] = process.argv.slice(2);
const budget = { requests: 1_000_000, tokens: undefined, usd: undefined, priceOf: () => null };
const state = new ProxyState(budget, () => ({ at: new Date(), zone: 'UTC' }));
const plan = { key: 'k', keyHeader: 'authorization', dummy: 'dummy', model: 'm1', pins: 'exact', proxies: {} } as const;
const door = await openModelProxy({ ...plan, to, at: 'loopback', idleMs: 60_000 }, state);
process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ memory: process.memoryUsage().rss, tokens: state.counted().tokensOut });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: door.port });
