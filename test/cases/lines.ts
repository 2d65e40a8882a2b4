import { setTimeout as sleep } from 'node:timers/promises';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, createReply, writes, type Call } from '../support/scenario.ts';
import type { Facts } from './run-cases.ts';

/** After this long a watching daemon has looked at its folder again, event or not. */
export const LOOKS_MS = 1200;

/** Minutes of silence after which an agent counts as stalled; a little over a second. */
export const STALL_MINUTES = 0.02;

/** A contract that a real halt turned into a lock, and a daemon that was started anew beside it. */
export async function restartedWithLock(): Promise<Facts> {
  const factory = await aFactory();
  const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
  await dog.stop();
  const before = [factory.calls().length, factory.transitions().length];
  const again = await factory.watch();
  await sleep(2 * LOOKS_MS);
  const after = [factory.calls().length, factory.transitions().length];
  const task = (await factory.status()).task;
  await again.stop();
  return {
    picked_up: after.some((count, at) => count !== before[at]) || factory.paper('TASK_CONTRACT.json') !== undefined,
    state: task?.halt !== null && factory.isHalted() ? 'halted' : task?.status,
  };
}

/** An implementer that fails in the way a row names, else does its work. */
export function tries(stall: unknown): Call {
  switch (stall) {
    case 'timeout':
      return createReply('', { does: ['silent'] });
    case 'empty_output':
      return createReply('', { does: ['empty'] });
    case 'malformed_output':
      return createReply('I will do it later.');
    case 'crash':
      return createReply('', { does: [{ exit: 1 }] });
    case null:
    case undefined:
      return writes({ 'docs/auth_final.md': FINAL });
    default:
      throw new Error(`no agent fails by ${JSON.stringify(stall)}`);
  }
}
