import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL, answerOnce, reviewPasses, writes, type Call, type Stations } from '../support/scenario.ts';

const PASS = { verdict: 'PASS', critical_security_flaw: false, findings: [] };

/** A review that says more than its verdict. */
const reviewSays = (words: string): Call => reviewPasses({ structured: { ...PASS, summary: words } });

/** Runs one task of these stand-ins to its end, and gives back where it ended and what was told of it. */
async function line(scenario: Stations, projectConfig: object = {}) {
  const factory = await aFactory({ scenario, projectConfig });
  const { dog, status } = await factory.run(aContract());
  await dog.stop();
  const story = await factory.story();
  return { factory, status, story };
}

const prompts = (factory: Factory, station: 'implementer' | 'reviewer'): readonly string[] =>
  factory.calls(station).map(({ prompt }) => prompt);

describe('on the line', () => {
  test('a local review that only praises goes back, is told why, and the next one counts', async () => {
    const { factory, status, story } = await line({
      reviewer: [answerOnce(reviewSays('Perfect implementation! Truly outstanding work!')), reviewPasses()],
    });
    expect(status).toBe('merged');
    expect(story).toContain('[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.');
    const [first = '', second = ''] = prompts(factory, 'reviewer');
    expect(first).not.toContain('did not count');
    expect(second).toContain('Your last answer did not count');
    expect(second).toContain('Perfect implementation!');
    const stats = JSON.parse((await factory.andon('messages', 'stats', '--json')).stdout) as { workers: object[] };
    expect(stats.workers).toContainEqual(
      expect.objectContaining({ station: 'local-reviewer', answers: 2, sent_back: 1, praise: 1 }),
    );
    expect((await factory.andon('messages', 'stats')).stdout).toContain('2 answers, 1 sent back (1 praise)');
    const wrong = ['--false', 'it quotes the ticket'];
    for (const _ of ['once', 'twice is one complaint'])
      expect(await factory.andon('feedback', 'praising_review', 'DOC-001', ...wrong)).toMatchObject({ code: 0 });
    expect((await factory.andon('messages', 'stats')).stdout).toContain('called false by people      1');
  });

  test(
    'a PASS that takes its evidence back goes back twice, then the judge decides and is told',
    { tags: 'thorough' },
    async () => {
      const { factory, status, story } = await line({
        reviewer: [reviewSays('I did not run the tests, but they should pass.')],
      });
      expect(status).toBe('merged');
      expect(story.split('[SYSTEM] APPROVE rejected')).toHaveLength(3);
      expect(factory.calls('reviewer')).toHaveLength(3);
      expect(JSON.stringify(await factory.show('DOC-001'))).toContain(
        'NEEDS_REVIEW: APPROVE downgraded to NEEDS_REVIEW',
      );
    },
  );

  test('with the master switch off nothing of this is asked', { tags: 'thorough' }, async () => {
    const { factory, status } = await line(
      { reviewer: [reviewSays('Perfect implementation! Truly outstanding work!')] },
      { enforcement: { enabled: false } },
    );
    expect(status).toBe('merged');
    expect(factory.calls('reviewer')).toHaveLength(1);
  });

  test(
    'what of the checklist is done stands in the contract before the judge and in the report of the task',
    { tags: 'thorough' },
    async () => {
      const work = writes({ 'docs/auth_final.md': FINAL }, {});
      const reply = String(work['reply']).replace('As asked.', 'Both documents are merged into one: done.');
      const { factory } = await line({ implementer: [{ ...work, reply }] });
      const { stdout } = await factory.andon('report', 'DOC-001', '--html');
      expect(stdout).toContain('Checklist');
      expect(stdout).toContain('none of this shows that an item holds');
    },
  );
});
