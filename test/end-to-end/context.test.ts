import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { scriptModels } from '../support/models.ts';
import { FINAL, answerOnce, writes } from '../support/scenario.ts';

const PATH = 'docs/auth_final.md';
const GOOD = writes({ [PATH]: FINAL });
/** Twelve further documents, so that the scope is not shown as a whole. */
const MANY = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    `docs/part_${at}.md`,
    `# Part ${at}\n\n## Section\n\n${'Some words. '.repeat(60)}\n`,
  ]),
);
const named = aContract({
  'specification.source_files': [
    { path: 'docs/auth_v1.md', hash: '' },
    { path: 'docs/part_3.md', hash: '' },
  ],
});

/** What `andon show --json` says about the choice for each call. */
interface Choice {
  readonly call: number;
  readonly model: string;
  readonly context: {
    readonly window: number;
    readonly tokens: number;
    readonly whole: readonly { readonly path: string }[];
    readonly signatures: readonly string[];
    readonly leftOut: readonly { readonly what: string; readonly why: string }[];
    readonly rework?: string;
  };
}

const choices = async (factory: Awaited<ReturnType<typeof aFactory>>): Promise<readonly Choice[]> =>
  ((await factory.show('DOC-001')) as unknown as { contexts: readonly Choice[] }).contexts;

const prompts = (factory: Awaited<ReturnType<typeof aFactory>>): readonly string[] =>
  factory.calls('implementer').map(({ prompt }) => prompt);

describe('the prompt of a local model', () => {
  test('holds the files in question and the signatures of their neighbours; the choice is in the journal and shown', async () => {
    const factory = await aFactory({ files: MANY });
    scriptModels(factory, { 'qwen2.5-coder': 32_768 }, { implementer: [GOOD] });
    expect((await factory.run(named)).status).toBe('merged');
    const [prompt = ''] = prompts(factory);
    expect(prompt).toContain('file docs/part_3.md');
    expect(prompt).toContain('docs/part_7.md\n  # Part 7\n  ## Section');
    const [choice] = await choices(factory);
    expect(choice).toMatchObject({ call: 1, model: 'qwen2.5-coder', context: { window: 32_768, leftOut: [] } });
    expect(choice?.context.whole.map(({ path }) => path)).toEqual(['docs/auth_v1.md', 'docs/part_3.md']);
    expect(choice?.context.signatures).toContain('docs/part_7.md');
    const { stdout } = await factory.andon('show', 'DOC-001');
    expect(stdout).toMatch(
      /call 1, implementer qwen2.5-coder: prompt of about \d+ of 32768 tokens; whole files: docs\/auth_v1.md/,
    );
    expect((await factory.andon('show', 'DOC-001', '--prompt', '1')).stdout.trimEnd()).toBe(prompt.trimEnd());
  });

  test(
    'that does not fit however little it holds halts the line before the call, and says what to do',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      scriptModels(factory, { 'qwen2.5-coder': 512 }, { implementer: [GOOD] });
      expect((await factory.run(aContract())).status).toBe('erik_consultation');
      expect(factory.breaker()).toBe('fault');
      expect(prompts(factory)).toEqual([]);
      expect(factory.paper('ERIK_HALT.md')).toContain('does not fit the window of 512 tokens');
    },
  );

  test(
    'that was cut although it seemed to fit is a strike, and the next one is much smaller',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({
        files: { ...MANY, 'docs/part_3.md': `# A tale\n\n${'and so on '.repeat(1200)}\n` },
      });
      const cut = { ...GOOD, usage: { in: 8192 - 4094, out: 10 } };
      scriptModels(factory, { 'qwen2.5-coder': 8192 }, { implementer: [answerOnce(cut), GOOD] });
      expect((await factory.run(named)).status).toBe('merged');
      const [first = '', second = ''] = prompts(factory);
      expect(second.length).toBeLessThan(first.length / 2);
      expect((await choices(factory))[1]?.context.rework).toContain('too-long');
      expect(second).not.toContain('docs/part_7.md');
    },
  );

  test('that is cut twice halts the line with a stall report', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ files: MANY });
    const cut = { ...GOOD, usage: { in: 8192 - 4094, out: 10 } };
    scriptModels(factory, { 'qwen2.5-coder': 8192 }, { implementer: [cut] });
    expect((await factory.run(named)).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('stalled');
    expect(prompts(factory)).toHaveLength(2);
    expect(factory.paper('STALL_REPORT.md')).toContain('cut the prompt');
  });
});
