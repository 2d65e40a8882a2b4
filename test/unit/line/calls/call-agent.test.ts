import { describe, expect, it, vi } from 'vitest';
import { success } from '../../../../src/base/outcome.ts';
import { callAgent, isCutOffByUser } from '../../../../src/line/calls/call-agent.ts';
import type { Agent, AgentFailure } from '../../../../src/agents/agent.ts';
import type { Worker } from '../../../../src/agents/calls/resolve-driver.ts';
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

describe('a call that cannot begin', () => {
  const LAYS_OUT = () => Promise.resolve();
  const KEEPS = () => {};
  const breaks = () => {
    throw new Error('EACCES: permission denied');
  };

  it.each([
    ['its copy cannot be laid out', () => Promise.reject(new Error('ENOSPC: no space left')), KEEPS],
    ['its prompt cannot be kept', LAYS_OUT, breaks],
  ])('asks nobody, notes nothing and gives its reserve back: %s', async (_, layOut, keepCall) => {
    const released: unknown[] = [];
    const noted: unknown[] = [];
    const ledger = {
      nights: () => [],
      lastNight: () => undefined,
      reserve: () => success({ usd: 1, tokens: null, minutes: 30 }),
      release: (key: unknown) => released.push(key),
    };
    const services = {
      clock: { now: () => AT },
      digest: (text: string) => text,
      folders: { keepCall },
      journal: { taskIds: () => [] },
      ledger,
      limits: () => ({ ceilings: {} }),
      settings: { gates: [] },
      stateName: 'here',
    } as unknown as CallServices;
    const log = { record: aRecord(), note: (entry: unknown) => noted.push(entry) } as unknown as StepJournal;
    const run = vi.fn();
    const agent = { id: 'codex', capabilities: { billing: 'metered' }, run } as unknown as Agent;
    const call = callAgent(services, log, {
      station: 'implementer',
      worker: { agent, model: '', limits: {} } as unknown as Worker,
      brief: { prompt: 'Write.' },
      lane: 2,
      folder: '/nowhere',
      edit: { folder: '/nowhere', layOut, changes: () => Promise.resolve([]) },
      signal: new AbortController().signal,
    });
    await expect(call).rejects.toThrow(/^E/);
    expect(released).toMatchObject([{ state: 'here', call: 1 }]);
    expect(noted).toEqual([]);
    expect(run).not.toHaveBeenCalled();
  });
});
