import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract, hashOf } from '../support/contract.ts';
import { AUTH_V1, AUTH_V2, aFactory, type Factory } from '../support/factory.ts';
import { FINAL, judges, answerOnce, writes } from '../support/scenario.ts';

/** The contract of the blueprint, word for word; only its two hashes are made real. */
const SEED = {
  schema_version: '1.0',
  task_id: 'DOC-001-AUTH-MERGE',
  project: 'Project-A',
  status: 'pending_implementer',
  status_reason: 'Awaiting implementation',
  timestamps: { created_at: '2026-01-16T12:00:00Z', updated_at: '2026-01-16T12:00:00Z' },
  roles: { implementer: 'qwen2.5-coder', local_reviewer: 'deepseek-r1', judge: 'claude-code-cli' },
  limits: { max_rebuttals: 2, max_review_cycles: 5, timeout_minutes: 10 },
  constraints: {
    allowed_paths: ['Project-A/docs/'],
    forbidden_paths: ['.env', 'AGENTS.md'],
    allow_deletes: false,
    max_diff_size: 200,
  },
  specification: {
    source_files: [
      { path: 'auth_v1.md', hash: hashOf(AUTH_V1) },
      { path: 'auth_v2.md', hash: hashOf(AUTH_V2) },
    ],
    target_file: 'auth_final.md',
    requirements: ['Merge core logic', 'Standardize heading hierarchy (H1 -> H2 -> H3)', 'Maintain internal links'],
  },
  handoff_data: {
    implementer_notes: '',
    changed_files: [],
    judge_report_path: '_handoff/JUDGE_REPORT.md',
    judge_report_json: '_handoff/JUDGE_REPORT.json',
    rebuttal_path: '_handoff/REBUTTAL.md',
  },
  breaker: { status: 'armed', rebuttal_count: 0, max_delete_ratio: 0.05 },
  history: [],
};

/** A judge who waits for `go`, so that the world can change while it works. */
const slowJudge = [
  answerOnce(judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })),
  judges('PASS'),
];

/** Local edits in every form git knows. */
function makeDirt(factory: Factory): () => Record<string, string> {
  factory.write('README.md', '# Project A\n\nunstaged\n');
  factory.write('docs/auth_v1.md', `${AUTH_V1}staged\n`);
  factory.git('add', 'docs/auth_v1.md');
  factory.write('docs/auth_v1.md', `${AUTH_V1}staged\nand more\n`);
  factory.write('untracked.txt', 'untracked\n');
  factory.write('.env', 'ignored\n');
  factory.write('later.txt', 'intent to add\n');
  factory.git('add', '--intent-to-add', 'later.txt');
  return () => ({
    status: factory.git('status', '--porcelain', '--untracked-files=all', '--ignored', '--', '.', ':(exclude)_handoff'),
    unstaged: factory.git('diff', '--', '.', ':(exclude)docs/auth_final.md'),
    staged: factory.git('diff', '--cached', '--stat'),
    untracked: factory.read('untracked.txt') + factory.read('.env') + factory.read('later.txt'),
  });
}

describe('a contract is dropped', () => {
  test("and the blueprint's own sample ends merged, with the document in the checkout and all its papers archived", async () => {
    const factory = await aFactory({
      files: { 'TODO.md': '# To do\n\n- [ ] DOC-001-AUTH-MERGE: one document\n- [ ] DOC-002: another\n' },
      scenario: { modelsLoaded: false },
    });
    const base = factory.git('rev-parse', 'main');
    const { status } = await factory.run(SEED);
    expect(status).toBe('merged');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);

    const [merge = '', ...more] = factory.merges();
    expect(more).toEqual([]);
    expect(factory.git('log', '-1', '--format=%P', merge)).toBe(`${base} ${factory.git('rev-parse', `${merge}^2`)}`);
    expect(factory.git('log', '-1', '--format=%P', `${merge}^2`)).toBe(base);
    expect(factory.git('rev-parse', `${merge}^2^{tree}`)).toBe(
      factory.git('rev-parse', 'refs/heads/task/DOC-001-AUTH-MERGE^{tree}'),
    );
    const trailers = factory.git('log', '-1', '--format=%(trailers:only,unfold)', merge);
    expect(trailers).toMatch(
      /^Andon-Task: DOC-001-AUTH-MERGE\nAndon-Attempt: 1\nAndon-Report: sha256-[0-9a-f]{64}\nAndon-Contract: sha256-[0-9a-f]{64}\nAndon-Gates: none$/,
    );
    expect(factory.git('rev-parse', 'refs/andon/DOC-001-AUTH-MERGE/1')).toBe(
      factory.git('rev-parse', 'task/DOC-001-AUTH-MERGE'),
    );

    // The tick is a commit of its own on top of the merge.
    expect(factory.git('rev-parse', 'main^')).toBe(merge);
    expect(factory.git('show', '--format=', '--name-only', 'main')).toBe('TODO.md');
    expect(factory.read('TODO.md')).toContain('- [x] DOC-001-AUTH-MERGE: one document\n- [ ] DOC-002: another\n');

    const archive = join(factory.handoff, 'archive/DOC-001-AUTH-MERGE');
    expect(readdirSync(archive).toSorted()).toEqual(['JUDGE_REPORT.json', 'JUDGE_REPORT.md', 'TASK_CONTRACT.json']);
    expect(readdirSync(factory.handoff).toSorted()).toEqual(['.gitignore', 'archive', 'queue', 'transition.ndjson']);
    const contract = JSON.parse(factory.paper('archive/DOC-001-AUTH-MERGE/TASK_CONTRACT.json') ?? '') as object;
    expect(contract).toMatchObject({ status: 'merged', project: 'Project-A', specification: SEED.specification });
    expect(factory.git('status', '--porcelain')).toBe('');
    factory.git('fsck', '--strict');
  });

  test(
    'and every transition is told to scripts in transition.ndjson, in order and chained',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      await factory.run(aContract());
      const rows = factory.transitions();
      expect(rows.map(({ old_status: from, new_status: to, event }) => [from, to, event])).toEqual([
        ['pending_implementer', 'pending_local_review', 'code_written'],
        ['pending_local_review', 'pending_judge_review', 'local_pass'],
        ['pending_judge_review', 'review_in_progress', 'review_started'],
        ['review_in_progress', 'review_complete', 'judge_complete'],
        ['review_complete', 'merged', 'pass'],
      ]);
      for (const row of rows)
        expect(row).toEqual({
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          task_id: 'DOC-001',
          event: expect.any(String),
          old_status: expect.any(String),
          new_status: expect.any(String),
          status_reason: expect.any(String),
          attempt: 1,
          cumulative_cost_usd: expect.any(Number),
          sequence: expect.any(Number),
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        });
      const order = rows.map(({ sequence }) => Number(sequence));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(rows.at(-1)?.['cumulative_cost_usd']).toBe(0.02);
    },
  );

  test('and a TODO.md that is not UTF-8 is left alone, byte for byte', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const latin = Buffer.from('# F\xfcr sp\xe4ter\n\n- [ ] DOC-001: Pr\xfcfung\n', 'latin1');
    writeFileSync(join(factory.repo, 'TODO.md'), latin);
    factory.git('commit', '--quiet', '--all', '--message=Latin');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(readFileSync(join(factory.repo, 'TODO.md'))).toEqual(latin);
  });
});

describe("the user's checkout", { tags: 'thorough' }, () => {
  test('stays byte for byte, whatever lies about in it, while another branch is checked out', async () => {
    const factory = await aFactory();
    factory.git('switch', '--quiet', '--create', 'mine');
    factory.write('README.md', 'stashed\n');
    factory.git('stash', '--quiet');
    makeDirt(factory);
    const before = factory.snapshot();
    expect((await factory.run(aContract({ git: { base_branch: 'main' } }))).status).toBe('merged');
    expect(factory.snapshot()).toEqual(before);
    expect(factory.git('show', 'main:docs/auth_final.md')).toBe(FINAL.trimEnd());
  });

  test('stays byte for byte while the agents work, even where the target is checked out', async () => {
    const factory = await aFactory({ scenario: { judge: slowJudge } });
    makeDirt(factory);
    const before = factory.snapshot('refs/heads/none');
    await factory.begin(aContract(), 'judging');
    expect(factory.git('rev-parse', '--verify', 'task/DOC-001')).toMatch(/^[0-9a-f]{40}$/);
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test('keeps its local edits through the fast-forward when they do not overlap', async () => {
    const factory = await aFactory();
    const dirt = makeDirt(factory);
    const before = dirt();
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(dirt()).toEqual(before);
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
  });

  test('is left alone when local edits overlap: the line halts, and goes on once they are stashed', async () => {
    const factory = await aFactory();
    factory.write('docs/auth_final.md', 'my own unfinished version\n');
    const before = factory.snapshot('refs/heads/none');
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('merge_blocked');
    expect(factory.paper('ERIK_HALT.md')).toContain('docs/auth_final.md');
    expect(factory.snapshot('refs/heads/none')).toEqual(before);

    factory.git('stash', '--quiet', '--include-untracked', '--', 'docs');
    expect(await factory.andon('resume', 'DOC-001', '--path', '1')).toMatchObject({ code: 0 });
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.merges()).toHaveLength(1);
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
  });

  test('may have local edits in TODO.md: the task is merged and the tick is left out', async () => {
    const factory = await aFactory();
    factory.write('TODO.md', `${factory.read('TODO.md')}- [ ] my own new item\n`);
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read('TODO.md')).toContain('- [ ] my own new item');
    expect(factory.git('rev-parse', 'main')).toBe(factory.merges()[0]);
  });

  test('may have a detached HEAD, which stays where it is', async () => {
    const factory = await aFactory();
    factory.git('checkout', '--quiet', '--detach');
    const before = factory.snapshot();
    expect((await factory.run(aContract({ git: { base_branch: 'main' } }))).status).toBe('merged');
    expect(factory.snapshot()).toEqual(before);
    expect(factory.merges()).toHaveLength(1);
  });

  test('may lie in a linked work tree, which is the one that is fast-forwarded', async () => {
    const factory = await aFactory();
    factory.git('branch', 'side');
    const side = join(factory.folder, 'side tree');
    factory.git('worktree', 'add', '--quiet', side, 'side');
    const { status } = await factory.run(aContract({ git: { base_branch: 'side' } }));
    expect(status).toBe('merged');
    expect(existsSync(join(side, 'docs/auth_final.md'))).toBe(true);
    expect(factory.has('docs/auth_final.md')).toBe(false);
    expect(factory.git('-C', side, 'status', '--porcelain')).toBe('');
    expect(factory.merges('main')).toEqual([]);
  });
});

describe('the target', { tags: 'thorough' }, () => {
  test('is the branch that the contract names', async () => {
    const factory = await aFactory();
    factory.git('branch', 'release');
    const before = factory.snapshot('refs/heads/release');
    expect((await factory.run(aContract({ git: { base_branch: 'release' } }))).status).toBe('merged');
    expect(factory.merges('release')).toHaveLength(1);
    expect(factory.snapshot('refs/heads/release')).toEqual(before);
  });

  test('is the branch of the project configuration when the contract names none', async () => {
    const factory = await aFactory({ projectConfig: { target: 'develop' } });
    factory.git('branch', 'develop');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.merges('develop')).toHaveLength(1);
    expect(factory.merges('main')).toEqual([]);
  });

  test('that moved in other files meanwhile takes the judged change without a second judgement', async () => {
    const factory = await aFactory({ scenario: { judge: slowJudge } });
    const dog = await factory.begin(aContract(), 'judging');
    factory.write('README.md', '# Project A, by Erik\n');
    factory.git('commit', '--quiet', '--all', '--message=By hand');
    const moved = factory.git('rev-parse', 'main');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
    expect(factory.merges()).toHaveLength(1);
    expect(factory.git('log', '-1', '--format=%P', factory.merges()[0] ?? '')).toContain(moved);
    expect(factory.read('README.md')).toBe('# Project A, by Erik\n');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
  });

  test('that moved and turns a gate red on the merge result sends the change back', async () => {
    const factory = await aFactory({
      scenario: {
        judge: slowJudge,
        implementer: [
          answerOnce(writes({ 'docs/auth_final.md': FINAL })),
          writes({ 'docs/auth_final.md': `${FINAL}\nRead by Erik.\n` }),
        ],
      },
      projectConfig: {
        gates: [
          { name: 'words', run: '! test -f strict || ! test -f docs/auth_final.md || grep -q Erik docs/auth_final.md' },
        ],
      },
    });
    const dog = await factory.begin(aContract(), 'judging');
    factory.write('strict', '');
    factory.git('add', 'strict');
    factory.git('commit', '--quiet', '--message=Stricter');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read('docs/auth_final.md')).toContain('Read by Erik.');
    expect(factory.calls('judge')).toHaveLength(2);
  });

  test('that moved in the same file without a conflict is judged again on the new base', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `Line ${index + 1} of the guide.`);
    const text = (changed: Readonly<Record<number, string>>): string =>
      `${lines.map((line, index) => changed[index] ?? line).join('\n')}\n`;
    const quote = { file: 'docs/guide.md', line: 1, quote: 'Line 1 by the agent.' };
    const factory = await aFactory({
      files: { 'docs/guide.md': text({}) },
      scenario: {
        implementer: [writes({ 'docs/guide.md': text({ 0: 'Line 1 by the agent.' }) })],
        judge: [
          answerOnce(judges('PASS', { evidence: [quote] }, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })),
          judges('PASS', { evidence: [quote] }),
        ],
      },
    });
    const dog = await factory.begin(aContract({ 'specification.target_file': 'docs/guide.md' }), 'judging');
    factory.write('docs/guide.md', text({ 11: 'Line 12 by hand.' }));
    factory.git('commit', '--quiet', '--all', '--message=By hand');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read('docs/guide.md')).toBe(text({ 0: 'Line 1 by the agent.', 11: 'Line 12 by hand.' }));
    const judged = factory.calls('judge').map(({ prompt }) => /^commit: (\S+)$/m.exec(prompt)?.[1] ?? '');
    expect(new Set(judged).size).toBe(2);
    // What was judged last is exactly what was merged.
    const [merge = ''] = factory.merges();
    expect(factory.git('rev-parse', `${merge}^{tree}`)).toBe(factory.git('rev-parse', `${judged[1]}^{tree}`));
    expect(factory.calls('implementer')).toHaveLength(1);
  });

  test('that moved into a conflict halts the line; no conflict marker appears anywhere', async () => {
    const factory = await aFactory({ scenario: { judge: slowJudge } });
    const dog = await factory.begin(aContract(), 'judging');
    factory.write('docs/auth_final.md', 'Another document with the same name.\n');
    factory.git('add', '--all');
    factory.git('commit', '--quiet', '--message=By hand');
    const before = factory.snapshot('refs/heads/none');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('merge_blocked');
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
    expect(factory.has('.git/MERGE_HEAD')).toBe(false);
  });
});
