import { describe, expect, it, vi } from 'vitest';
import { failure, success } from '../../../../src/base/outcome.ts';
import { callAgent, isCutOffByUser } from '../../../../src/line/calls/call-agent.ts';
import type { Agent, AgentFailure } from '../../../../src/agents/agent.ts';
import type { Worker } from '../../../../src/agents/calls/resolve-driver.ts';
import type { HeldEntry } from '../../../../src/line/record/journal-entry.ts';
import type { StepJournal } from '../../../../src/line/journal/step-journal.ts';
import type { CallServices } from '../../../../src/line/services/services.ts';
import { AT, aRecord, called } from '../../../support/records.ts';

const SPENT = { kind: 'spent', ms: 1000 } as const;
const STALL = { kind: 'stall', ms: 20 * 60_000 } as const;
const asked = { usd: 5, tokens: undefined, minutes: 60 };
const claimed = { usd: 5, tokens: null, minutes: 60 };
const judge = (why: string) => called({ station: 'judge', ok: false, why });
const isCut = (
  why: Pick<AgentFailure, 'kind' | 'ms'>,
  granted: Partial<typeof claimed>,
  calls: readonly ReturnType<typeof called>[] = [],
) => isCutOffByUser(why, calls.at(-1), asked, { ...claimed, ...granted });

describe('a call that ended because what it may use was used', () => {
  it('was cut off by its task where that allowed no more', () => {
    expect(isCut(SPENT, {})).toBe(false);
  });

  it('was cut off by the user where the ceilings granted less than the task', () => {
    expect(isCut(SPENT, { usd: 1 })).toBe(true);
  });

  it('does so once: cut off again, it is for a human', () => {
    expect(isCut(SPENT, { usd: 1 }, [judge('spent: enough')])).toBe(false);
    expect(isCut(STALL, { minutes: 20 }, [judge('stall: enough')])).toBe(false);
  });
});

describe('a call that ran to the end of its time', () => {
  it('is no stall where a night or a ceiling had cut that time', () => {
    expect(isCut(STALL, { minutes: 20 })).toBe(true);
    expect(isCut(STALL, { minutes: 60 })).toBe(false);
    expect(isCut({ ...STALL, ms: 60_000 }, { minutes: 20 })).toBe(false);
  });
});

const EDIT = { folder: '/nowhere', layOut: () => Promise.resolve(), changes: () => Promise.resolve([]) };

/** Makes one call that others can do without, beside a ledger and a journal that only remember. */
async function makeCall(run: Agent['run'], { layOut = EDIT.layOut, keepCall = () => {} } = {}) {
  const released: unknown[] = [];
  const noted: unknown[] = [];
  const ledger = {
    nights: () => [],
    lastNight: () => undefined,
    reserve: () => success({ usd: 1, tokens: null, minutes: 30 }),
    settle: () => {},
    release: (key: unknown) => released.push(key),
  };
  const services = {
    bell: { ring: () => {} },
    clock: { now: () => AT },
    digest: (text: string) => text,
    folders: { keepCall, lendTail: () => {}, removeTail: () => {} },
    journal: { taskIds: () => [] },
    ledger,
    limits: () => ({ ceilings: {} }),
    settings: { gates: [] },
  } as unknown as CallServices;
  const log = { record: aRecord(), note: (entry: unknown) => noted.push(entry) } as unknown as StepJournal;
  const agent = { id: 'codex', capabilities: { billing: 'metered' }, run } as unknown as Agent;
  const ended = await callAgent(services, log, {
    station: 'implementer',
    worker: { agent, model: '', limits: {} } as unknown as Worker,
    brief: { prompt: 'Write.' },
    lane: 2,
    mayBeMissed: true,
    folder: '/nowhere',
    edit: { ...EDIT, layOut },
    signal: new AbortController().signal,
  }).catch((error: unknown) => String(error));
  return { ended, noted, released };
}

describe('a call that cannot begin', () => {
  it.each([
    ['its copy cannot be laid out', { layOut: () => Promise.reject(new Error('ENOSPC')) }],
    [
      'its prompt cannot be kept',
      {
        keepCall: () => {
          throw new Error('ENOSPC');
        },
      },
    ],
  ])('asks nobody, notes nothing and gives its reserve back: %s', async (_, faults) => {
    const run = vi.fn();
    expect(await makeCall(run, faults)).toMatchObject({ ended: 'Error: ENOSPC', noted: [], released: [{ call: 1 }] });
    expect(run).not.toHaveBeenCalled();
  });
});

describe('a call whose program is unavailable', () => {
  const UNKNOWN = { tokensIn: null, tokensOut: null, usd: null };

  it.each([
    ['of nothing where no model was asked', { tokensIn: 0, tokensOut: 0, usd: 0 }, undefined],
    ['of an estimate', { ...UNKNOWN, estimate: { tokensIn: 40, tokensOut: 2, usd: 0.5 } }, { usd: 0.5, tokens: 42 }],
    ['of tokens without a price', { ...UNKNOWN, tokensIn: 40, tokensOut: 2 }, { usd: 0, tokens: 42 }],
    ['that is unknown altogether', UNKNOWN, { usd: 0, tokens: 0 }],
  ])('is written down with a use %s', async (_, usage, estimate) => {
    const why = { kind: 'unavailable', detail: 'limit', ms: 1, exit: 1, ...usage } as const;
    const { noted } = await makeCall(() => Promise.resolve(failure(why)));
    const { tokensIn, tokensOut, usd } = usage;
    expect(noted.at(-1)).toMatchObject({ kind: 'held', tokensIn, tokensOut, usd });
    expect((noted.at(-1) as HeldEntry).estimate).toEqual(estimate);
  });
});
