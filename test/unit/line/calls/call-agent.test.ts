import { describe, expect, it } from 'vitest';
import { isCutOffByUser } from '../../../../src/line/calls/call-agent.ts';
import type { AgentFailure } from '../../../../src/agents/agent.ts';
import { called } from '../../../support/records.ts';

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
