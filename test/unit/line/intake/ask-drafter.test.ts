import { describe, expect, test, vi } from 'vitest';
import { failure, success } from '../../../../src/base/outcome.ts';
import { askDrafter } from '../../../../src/line/intake/ask-drafter.ts';

type World = Parameters<typeof askDrafter>[0];
const NOW = '2026-01-16T22:00:00.000Z';
const NIGHT = { id: 1, from: '2026-01-16T18:00:00.000Z', until: '2026-01-16T22:10:00.000Z', ended: null, how: null };

/** A world in which gemini could be asked, and a ledger that refuses nothing. */
function aWorld({ nights = [], folder = () => '/desk' }: { nights?: readonly unknown[]; folder?: () => string } = {}) {
  const run = vi.fn(async () => failure({ kind: 'crash', detail: 'it ended', ms: 1 }));
  const release = vi.fn();
  const world = {
    agents: {
      gemini: {
        id: 'gemini',
        worksAt: ['local-reviewer'],
        probe: async () => success('1.0'),
        capabilities: { billing: 'free', takesBudget: false, hasWindow: true },
        run,
      },
    },
    clock: { now: () => NOW },
    folders: { empty: folder, tidy: () => {}, keepOpinion: () => {}, readOpinion: () => undefined },
    ledger: {
      nights: () => nights,
      sums: () => ({ calls: 0, usd: 0, tokens: 0, minutes: 0, unknownUsd: 0, unknownTokens: 0 }),
      reserve: () => success({ usd: 0, tokens: null, minutes: 30 }),
      settle: () => {},
      release,
    },
    limits: () => ({ hours: { open: [], closed: [] }, ceilings: { all: {}, accounts: {}, call: {} } }),
    nonce: () => 'n0nce',
    profiles: { profiles: [], faults: [] },
    repository: { target: async () => success({ commit: 'c0ffee' }), files: async () => [] },
    settings: {
      roles: { implementers: [] },
      agents: { claude: {}, ollama: {} },
      drivers: {},
      protectedPaths: undefined,
      target: undefined,
    },
    stateName: 'here',
  };
  return { world: world as unknown as World, run, release };
}
const ask = (world: World, isTyped: boolean) =>
  askDrafter(world, 'Please make one of them.', { isTyped, signal: new AbortController().signal });

test('prose that the watchdog reads is sent to nobody while the night would end before the answer, and is tried again later', async () => {
  const { world, run } = aWorld({ nights: [NIGHT] });
  const asked = await ask(world, false);
  expect(asked).toMatchObject({ ok: false, why: { mayPass: true } });
  expect(asked.ok ? '' : asked.why.why).toContain(`the night ends at ${NIGHT.until}`);
  expect(run).not.toHaveBeenCalled();
});

test('whoever types andon draft is not held by the end of a night', async () => {
  const { world, run } = aWorld({ nights: [NIGHT] });
  await ask(world, true);
  expect(run).toHaveBeenCalledOnce();
});

test('a call for which no folder could be made counts as nothing', async () => {
  const { world, run, release } = aWorld({
    folder: () => {
      throw new Error('ENOSPC');
    },
  });
  await expect(ask(world, false)).rejects.toThrow('ENOSPC');
  expect(run).not.toHaveBeenCalled();
  expect(release).toHaveBeenCalledOnce();
});

describe('the agent that reads prose', () => {
  const anAgent = (answers: boolean, worksAt: readonly string[] = ['local-reviewer']) => ({
    worksAt,
    capabilities: { billing: 'free', takesBudget: false, hasWindow: true },
    probe: async () => (answers ? success('1.0') : failure('it is not here')),
    run: async () => failure({ kind: 'crash', detail: 'it ended', ms: 1 }),
  });
  const ROLES = { judge: 'claude-code-cli', localReviewer: 'deepseek-r1', implementers: ['qwen2.5-coder'] };

  test.each([
    [{ gemini: true, claude: true, ollama: true }, {}, 'gemini'],
    [{ gemini: false, claude: true, ollama: true }, {}, 'claude-code-cli'],
    [{ gemini: false, claude: false, ollama: true }, {}, 'deepseek-r1'],
    [{ gemini: true, claude: true, ollama: true }, { floorManager: 'human', proposalReader: 'gemini' }, 'gemini'],
    [{ gemini: true, claude: true, ollama: true }, { proposalReader: 'phi4' }, 'phi4'],
    [{ gemini: false, claude: true, ollama: true }, { proposalReader: 'gemini' }, 'gemini'],
  ])('with %j and %j is %s', async (answering, roles, name) => {
    const { world } = aWorld();
    const agents = Object.fromEntries(Object.entries(answering).map(([id, answers]) => [id, anAgent(answers)]));
    const settings = { ...world.settings, roles: { ...ROLES, ...roles }, ollama: {}, drivers: {} };
    const onAsk = vi.fn();
    const call = { isTyped: true, signal: new AbortController().signal, onAsk };
    await askDrafter({ ...world, agents, settings } as unknown as World, 'Please.', call);
    expect(onAsk.mock.calls).toEqual([[name]]);
  });

  test.each([
    [{ proposalReader: 'human' }, false, 'roles.proposal_reader is human'],
    [{ floorManager: 'human' }, false, 'roles.floor_manager is human'],
    [{ floorManager: 'andon' }, false, 'name an agent for prose in roles.proposal_reader'],
    [{}, true, 'gemini (roles.floor_manager): it is not here; claude-code-cli (roles.judge): it is not here'],
  ])('is none with %j, and whether it is tried again is %s', async (roles, mayPass, why) => {
    const { world, run } = aWorld();
    const agents = { gemini: anAgent(false), claude: anAgent(false), ollama: anAgent(false) };
    const settings = { ...world.settings, roles: { ...ROLES, ...roles }, ollama: {}, drivers: {} };
    const asked = await ask({ ...world, agents, settings } as unknown as World, true);
    expect(asked).toMatchObject({ ok: false, why: { mayPass, why: expect.stringContaining(why) } });
    expect(run).not.toHaveBeenCalled();
  });
});
