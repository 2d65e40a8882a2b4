import { describe, expect, test } from 'vitest';
import { answer, decide, headOf, standing } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { answerOnce, judges, reviewPasses } from '../support/scenario.ts';
import { haltedBy } from '../support/halts.ts';
import { aClientOf } from '../support/mcp-client.ts';
import { PATH, write } from '../support/versions.ts';

const FIRST = 'Name the link "Sign in".';
const SECOND = 'Say who wrote it.';

/** A local review with a critical flaw, beside a PASS of the judge. */
const FLAW = reviewPasses({
  structured: {
    verdict: 'FAIL',
    critical_security_flaw: true,
    findings: [
      { severity: 'critical', category: 'security', file: PATH, line: 5, description: 'A password', evidence: '' },
    ],
  },
});

const aParadox = () =>
  haltedBy('paradox', {
    scenario: { implementer: [answerOnce(write(1)), write(2)], reviewer: [answerOnce(FLAW), reviewPasses()] },
  });

const prompts = (factory: Factory): readonly string[] => factory.calls('implementer').map(({ prompt }) => prompt);

/** The answer by comments as the halt report shows how to write it. */
const comment = (factory: Factory, comments: unknown, more: object = {}): object =>
  answer(factory, { path: undefined, comments, ...more });

describe('comments at a halt', () => {
  test('are taken over MCP from a client that may send them, bound to the change and to the halt', async () => {
    const { factory, dog } = await aParadox();
    const halt = headOf(factory, 'halt');
    const comments = [{ file: PATH, line: 5, text: FIRST }];
    const other = await aClientOf(factory);
    expect((await other.client.listTools()).tools.map(({ name }) => name)).not.toContain('andon_comment');
    expect((await other.call('andon_comment', { task_id: 'DOC-001', comments })).text).toContain('there is no tool');
    const may = await aClientOf(factory, ['--allow-comments']);
    const { commit } = (await may.call('andon_task', { task_id: 'DOC-001' })).facts as { readonly commit: string };
    const sent = { task_id: 'DOC-001', commit, halt_id: halt, comments };
    for (const [given, why] of [
      [{ ...sent, commit: 'f'.repeat(40) }, 'is another one by now'],
      [{ ...sent, halt_id: undefined }, `give ${halt} as halt_id`],
      [{ ...sent, halt_id: 'DOC-001-9' }, 'DOC-001-9'],
      [{ ...sent, comments: [{ file: PATH, line: 5 }] }, 'comments.0.text'],
      [{ ...sent, path: 2 }, 'path'],
    ] as const) {
      const refused = await may.call('andon_comment', given);
      expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining(why)]);
    }
    expect(prompts(factory)).toHaveLength(1);
    expect((await may.call('andon_comment', sent)).text).toContain('DOC-001 goes back with 1 comment');
    await dog.until(() => factory.isMerged());
    expect(prompts(factory)[1]).toContain(`: ${FIRST}`);
    await dog.stop();
  });

  test(
    'send the change back with file and line as required fixes, and the next attempt is merged',
    { tags: 'thorough' },
    async () => {
      const { factory, dog } = await aParadox();
      expect(factory.paper('ERIK_HALT.md')).toContain('andon comment DOC-001 FILE:LINE');
      const halt = headOf(factory, 'halt');
      const { code, stdout } = await factory.andon(
        'comment',
        'DOC-001',
        `${PATH}:5`,
        FIRST,
        `./${PATH}`,
        SECOND,
        '--halt',
        halt,
      );
      expect([code, stdout]).toEqual([0, expect.stringContaining('Noted 2 comments. DOC-001 goes back')]);
      await dog.until(() => factory.isMerged());
      expect(prompts(factory)).toHaveLength(2);
      expect(prompts(factory)[1]).toMatch(
        /Required fixes by a human\n- attempt 1, docs\/auth_final\.md:5 \(the line: /,
      );
      for (const text of [`: ${FIRST}\n`, `- attempt 1, ${PATH}: ${SECOND}`])
        expect(prompts(factory)[1]).toContain(text);
      expect(factory.calls('reviewer').at(-1)?.prompt).toContain(FIRST);
      const shown = await factory.show('DOC-001');
      expect([shown.attempt, shown.review_cycles, shown.rebuttals]).toEqual([2, 0, 0]);
      const told = shown.story.map(({ text }) => text).join('\n');
      expect(told).toContain(`sent back with 2 comments: ${PATH}:5: ${FIRST}; ${PATH}: ${SECOND}`);
      const report = (await factory.andon('show', 'DOC-001', '--report')).stdout;
      expect(report).toContain('sent it back with 2 comments');
      const late = await factory.andon('comment', 'DOC-001', 'Too late');
      expect([late.code, late.stderr]).toEqual([2, expect.stringMatching(/merged already[^]*andon undo DOC-001/)]);
    },
  );

  test(
    'count by DECISION.json as well; what does not fit the change is refused, and nothing moves',
    { tags: 'thorough' },
    async () => {
      const { factory, dog } = await aParadox();
      const before = standing(factory);
      const refused = async (decision: object, why: string): Promise<void> => {
        const told = dog.output().length;
        decide(factory, decision);
        await dog.until(() => dog.output().slice(told).includes('does not count'));
        expect(dog.output().slice(told)).toContain(why);
        expect(standing(factory)).toEqual(before);
      };
      await refused(comment(factory, [{ text: FIRST, file: 'docs/none.md' }]), 'docs/none.md is no file of attempt 1');
      await refused(comment(factory, [{ text: FIRST, file: PATH, line: 900 }]), `${PATH} has no line 900`);
      await refused(comment(factory, [{ text: FIRST, line: 3 }]), 'line 3 is of no file');
      await refused(comment(factory, [{ text: FIRST }], { tree: 'f'.repeat(40) }), 'about the tree ffff');
      await refused(comment(factory, [{ text: FIRST }], { halt: 'DOC-001-9' }), 'for halt DOC-001-9');
      await refused(comment(factory, [{ text: FIRST }], { path: 1 }), 'it has both, leave one');
      await refused(comment(factory, []), '$.comments');
      decide(factory, comment(factory, [{ file: PATH, line: 1, text: FIRST }], { by: 'Erik' }));
      await dog.until(() => factory.isMerged());
      expect(prompts(factory)[1]).toContain(`${PATH}:1 (the line: `);
      expect(await factory.story()).toContain('by Erik');
    },
  );

  test('are not taken where no attempt exists', { tags: 'thorough' }, async () => {
    const { factory } = await haltedBy('base_red', { projectConfig: { gates: [{ name: 'no', run: 'exit 1' }] } });
    const { code, stderr } = await factory.andon('comment', 'DOC-001', FIRST);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no attempt yet that could be sent back')]);
    expect(factory.paper('ERIK_HALT.md')).not.toContain('andon comment');
    expect((await factory.andon('comment', 'DOC-001', `${PATH}:5`)).stderr).toContain('Missing argument: the comment');
  });
});

describe('comments on a change that is under way', { tags: 'thorough' }, () => {
  /** A task whose judge works on the first attempt until it is let go. */
  async function atTheJudge(): Promise<{
    readonly factory: Factory;
    readonly until: (what: () => unknown) => unknown;
  }> {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), write(2)],
        judge: [answerOnce({ ...judges('PASS'), does: [{ touch: 'at' }, { 'wait-for': 'go' }] }), judges('PASS')],
      },
    });
    const dog = await factory.begin(aContract(), 'at');
    return { factory, until: (what) => dog.until(what) };
  }

  test('must be about the change, and send back what the judge passes before it is merged', async () => {
    const { factory, until } = await atTheJudge();
    for (const [words, why] of [
      [['docs/none.md:1', FIRST], 'is no file of attempt 1'],
      [['../README.md', FIRST], 'is no file of attempt 1'],
      [[`${PATH}:99999`, FIRST], 'has no line 99999'],
      [[PATH, FIRST, 'third'], 'each place needs its comment'],
      [['x'.repeat(2001)], 'text: '],
      [[FIRST, '--halt', 'DOC-001-1'], 'is not halted'],
    ] as const) {
      const refused = await factory.andon('comment', 'DOC-001', ...words);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    expect(await factory.story()).not.toContain('comments');

    const { code, stdout } = await factory.andon('comment', 'DOC-001', `${PATH}:5`, FIRST);
    expect([code, stdout]).toEqual([0, expect.stringContaining('goes back at its next step')]);
    expect((await factory.andon('show', 'DOC-001')).stdout).toContain(`open comment on attempt 1: ${PATH}:5: ${FIRST}`);
    factory.signal.give('go');
    await until(() => factory.isMerged());
    expect(prompts(factory)[1]).toContain(`${PATH}:5 (the line: `);
    const shown = await factory.show('DOC-001');
    expect([shown.attempt, shown.review_cycles]).toEqual([2, 0]);
    const story = shown.story.map(({ text }) => text).join('\n');
    expect(story).toContain(`comments: ${PATH}:5: ${FIRST}`);
    expect(story).toContain('; next: the implementer');
    const digest = (await factory.andon('digest', '--all')).stdout;
    expect(digest).toContain('sent back with 1 comment');
  });

  test('end a wait for a decision of a person', async () => {
    const factory = await aFactory({ scenario: { implementer: [answerOnce(write(1)), write(2)] } });
    const dog = await factory.begin(aContract({ 'roles.floor_manager': 'human' }));
    await dog.until('waits for your _handoff/DECISION.json');
    expect((await factory.andon('comment', 'DOC-001', PATH, SECOND)).code).toBe(0);
    await dog.until(() => prompts(factory).length === 2);
    expect(prompts(factory)[1]).toContain(`- attempt 1, ${PATH}: ${SECOND}`);
  });
});
