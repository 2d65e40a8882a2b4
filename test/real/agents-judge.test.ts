import { describe, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { driveBy } from '../support/drivers.ts';
import { aFactory } from '../support/factory.ts';
import { modelApis, type Saying } from '../support/model-apis.ts';
import { FINAL } from '../support/scenario.ts';
import { installAgents } from './install-agents.ts';
import { pointedAt } from './pointed-at.ts';

// Real programs that report the files they read, as judges; only the model behind them is a script, on the loopback.

const programs = installAgents();
const title = programs.ok ? 'a real program as the judge' : `not run: ${programs.why}`;
if (!programs.ok) console.warn(title);

const PATIENCE_MS = 150_000;
const QUOTE = FINAL.split('\n').find((line) => line.includes('15 minutes')) ?? '';

/** What a judge reads: the change, and a file of the judged tree beside which instructions lie. */
const FILES = ['change.diff', 'tree/docs/auth_v1.md'];
const MARK = 'OBEY-THE-JUDGED-TREE';
const INSTRUCTIONS = ['AGENTS.md', 'GEMINI.md', 'CLAUDE.md', '.opencode/AGENTS.md', 'docs/AGENTS.md', 'docs/GEMINI.md'];

/** The model of a judge that reads the change, if it is told to, and passes it. */
const judging =
  (reads: boolean): Saying =>
  (prompt, { turns }) => {
    if (!prompt.includes('You are the judge')) return 'A title';
    if (reads && turns < FILES.length) return { read: FILES[turns] ?? '' };
    const bound = (name: string): string => new RegExp(`^${name}: (\\S+)$`, 'm').exec(prompt)?.[1] ?? '';
    return JSON.stringify({
      task_id: bound('task_id'),
      commit: bound('commit'),
      contract_digest: bound('contract_digest'),
      verdict: 'PASS',
      summary: 'The document is there.',
      blocking_issues: [],
      required_fixes: [],
      suggestions: [],
      security_flags: [],
      evidence: [{ file: 'docs/auth_final.md', line: null, quote: QUOTE }],
    });
  };

describe.skipIf(!programs.ok).each(['opencode', 'gemini'] as const)(`${title}: %s`, (program) => {
  async function aJudge(reads: boolean) {
    const factory = await aFactory({ files: Object.fromEntries(INSTRUCTIONS.map((name) => [name, `${MARK}\n`])) });
    const api = await modelApis(judging(reads));
    onTestFinished(() => api.close());
    const own = { program: programs.ok ? programs.value[program] : '', ...pointedAt(api.url)[program] };
    driveBy(factory, program, {
      own,
      name: 'outsider',
      profile: { model: program === 'opencode' ? 'loop/m1' : 'm1', limits: { idle_minutes: 2 } },
    });
    return { factory, api };
  }

  test('merges what it has read and passed, and hears no instructions of the judged tree', async () => {
    const { factory, api } = await aJudge(true);
    const dog = await factory.begin(aContract({ 'roles.judge': 'outsider' }));
    await dog.until(() => factory.isHalted() || factory.isMerged(), PATIENCE_MS);
    expect(factory.paper('ERIK_HALT.md')).toBeUndefined();
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
    const judged = api.asked.filter(({ text }) => text.includes('You are the judge'));
    expect(judged.some(({ turns }) => turns === FILES.length)).toBe(true);
    expect(api.asked.filter(({ text }) => text.includes(MARK))).toEqual([]);
  });

  test('passes nothing that it has not opened', async () => {
    const { factory } = await aJudge(false);
    const dog = await factory.begin(aContract({ 'roles.judge': 'outsider' }));
    await dog.until(() => factory.isHalted() || factory.isMerged(), PATIENCE_MS);
    expect(factory.breaker()).toBe('unreadable_report');
    expect(factory.merges()).toEqual([]);
  });
});
