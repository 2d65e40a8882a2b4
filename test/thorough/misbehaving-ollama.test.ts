/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { FINAL, answerOnce, createReply, writes } from '../support/scenario.ts';

const GOOD = writes({ 'docs/auth_final.md': FINAL });

/** A factory whose ollama has further traits. */
async function aFactoryWith(traits: object) {
  const factory = await aFactory();
  const file = join(factory.folder, 'agents/scenario.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...traits }));
  return factory;
}

describe('ollama', () => {
  test.each([
    ['has no such model', { models: {} }, /ollama pull qwen2\.5-coder/],
    ['is too old for what andon asks', { ollama_unknown: ['hidethinking'] }, /--hidethinking.*update it/s],
    ['is not signed in', { ollama: [{ does: ['signed-out'] }] }, /ollama signin/],
  ])('that %s halts the line at once, with what to do', async (_, traits, remedy) => {
    const factory = await aFactoryWith(traits);
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('fault');
    expect(factory.paper('ERIK_HALT.md')).toMatch(remedy);
  });

  test('that is not there halts the line at once, with what to do', async () => {
    const factory = await aFactory();
    const config = join(factory.folder, 'config/andon/config.yaml');
    writeFileSync(config, readFileSync(config, 'utf8').replace(/stand-ins\/ollama/, 'nowhere/ollama'));
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('fault');
    expect(factory.paper('ERIK_HALT.md')).toMatch(/ollama .*not/);
  });

  test.each([
    ['prints nothing', ['empty'], /^empty: /],
    ['prints 100 MB', [{ megabytes: 100 }], /^unreadable: printed more/],
    ['prints what is no UTF-8', ['invalid-utf8'], /^unreadable: .*UTF-8/],
    ['is killed by a signal', [{ signal: 'SIGKILL' }], /^crash: .*SIGKILL/],
    ['loses its server in the middle', [{ 'cut-after': 3 }], /^crash: .*unexpected EOF/],
  ])('that %s once is asked again, and the task is merged', async (_, does, why) => {
    const factory = await aFactory({ scenario: { implementer: [answerOnce(createReply('no', { does })), GOOD] } });
    expect((await factory.run(aContract())).status).toBe('merged');
    const { calls } = await factory.show('DOC-001');
    expect(calls.filter(({ station }) => station === 'implementer')).toMatchObject([
      { ok: false, why: expect.stringMatching(why) },
      { ok: true },
    ]);
  });

  test('that never ends well halts the line after two tries', async () => {
    const factory = await aFactory({ scenario: { implementer: [createReply('no', { does: [{ megabytes: 100 }] })] } });
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('stalled');
    expect(factory.calls('implementer')).toHaveLength(2);
  });

  test('that leaves a child which holds its output is not waited for, and the child is ended', async () => {
    const scenario = { implementer: [{ ...GOOD, does: [{ grandchild: 300 }] }] };
    const factory = await aFactory({ scenario });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('merged');
    await dog.stop();
    await eventually(() => factory.processes().length === 0, 'nothing of ollama is left');
  });
});
