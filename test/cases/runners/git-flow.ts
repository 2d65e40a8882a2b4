import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aContract } from '../../support/contract.ts';
import { AUTH_V1, aFactory, type Factory } from '../../support/factory.ts';
import { judges, answerOnce, writes } from '../../support/scenario.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { textsOf } from '../shapes.ts';

/** Branches, commits and merges of the real line. */
export const gitFlow: Runner = ({ input }) => {
  const { task_id: taskId, op } = input;
  if (input['dry_run'] === true) return dryRun();
  if (input['changes'] === 0) return nothingToCommit();
  if (op === 'setup' && typeof taskId === 'string') return branchOf(taskId);
  if (op === 'merge' && input['conflict'] === true) return conflictIn(input['LANG']);
  if (op === 'merge' && input['main_advanced'] === true) return advanced();
  if (op === 'merge') return merged();
  if (Array.isArray(input['changed']) && String(op).endsWith('checkout main')) return leftover(input);
  if (typeof taskId === 'string' && typeof input['event'] === 'string') return checkpoint(taskId, input);
  throw new Error(`nothing on the line is ${JSON.stringify(input)}`);
};

/** A task that a halt keeps on its branch. */
async function halted(taskId: string): Promise<Factory> {
  const factory = await aFactory({ scenario: { judge: [judges('CRITICAL_HALT')] } });
  await factory.run(aContract({ task_id: taskId }));
  return factory;
}

const branches = (factory: Factory): string =>
  factory.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/task/');

async function branchOf(taskId: string): Promise<Facts> {
  return { branch: branches(await halted(taskId)) };
}

/** The subject of the commit that a transition brought, with the row's names in place of that transition's. */
async function checkpoint(taskId: string, { status, event }: Facts): Promise<Facts> {
  const factory = await halted(taskId);
  const subject = factory.git('log', '-1', '--format=%s', `refs/heads/task/${taskId}`);
  const [first] = factory.transitions();
  return {
    subject: subject
      .replace(`: ${String(first?.['new_status'])} (`, `: ${String(status)} (`)
      .replace(`: ${String(first?.['event'])})`, `: ${String(event)})`),
  };
}

/** An implementer that answers with what stands there already, until the line stops. */
async function nothingToCommit(): Promise<Facts> {
  const factory = await aFactory({ scenario: { implementer: [writes({ 'docs/auth_v1.md': AUTH_V1 })] } });
  const { status } = await factory.run(aContract());
  const { commit } = await factory.show('DOC-001');
  return { commit: commit ?? (branches(factory) || null), status };
}

async function dryRun(): Promise<Facts> {
  const factory = await aFactory();
  const before = factory.git('count-objects', '--verbose') + factory.git('for-each-ref');
  factory.drop(aContract());
  const { code, stderr } = await factory.andon('watch', '--dry-run');
  if (code !== 0) return { git_mutations: `there is no dry run: ${stderr.split('\n')[0] ?? ''}` };
  const after = factory.git('count-objects', '--verbose') + factory.git('for-each-ref');
  return { git_mutations: before === after ? 0 : 1 };
}

/** The target moves into a conflict while the judge is at work, on a machine that speaks another language. */
async function conflictIn(language: unknown): Promise<Facts> {
  const slow = answerOnce(judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] }));
  const factory = await aFactory({ scenario: { judge: [slow] } });
  const named = `${String(language)}.UTF-8`;
  if (language !== undefined) Object.assign(factory.env, { LANG: named, LC_ALL: named, LANGUAGE: language });
  const dog = await factory.begin(aContract(), 'judging');
  factory.write('docs/auth_final.md', 'Another document with the same name.\n');
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--message=By hand');
  factory.signal.give('go');
  await factory.end(dog);
  return {
    halt: factory.isHalted() && factory.breaker() === 'merge_blocked',
    breaker: factory.breaker(),
    merge_in_progress: factory.has('.git/MERGE_HEAD'),
    worktree_clean: factory.git('status', '--porcelain', '--untracked-files=no') === '',
  };
}

/** A task that goes through. */
async function merged(): Promise<Facts> {
  const factory = await aFactory();
  await factory.run(aContract());
  const [commit = 'HEAD'] = factory.merges();
  return {
    on: factory.git('rev-parse', '--abbrev-ref', 'HEAD'),
    file_present: factory.has('docs/auth_final.md'),
    merge_commit: factory.git('rev-list', '--parents', '--max-count=1', commit).split(' ').length === 3,
  };
}

/** The target moves elsewhere while the judge is at work: the gate is asked again, about what would be merged. */
async function advanced(): Promise<Facts> {
  const slow = answerOnce(judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] }));
  const factory = await aFactory({ scenario: { judge: [slow, judges('PASS')] } });
  const asked = join(factory.folder, 'gate-runs');
  const runs = (): number => (existsSync(asked) ? readFileSync(asked, 'utf8').split('\n').length - 1 : 0);
  const dog = await factory.begin(aContract({ gates: [{ name: 'counted', run: `echo ran >> ${asked}` }] }), 'judging');
  const before = runs();
  factory.write('README.md', '# Project A, by hand\n');
  factory.git('commit', '--quiet', '--all', '--message=By hand');
  factory.signal.give('go');
  const status = await factory.end(dog);
  const looked = runs() > before || factory.calls('judge').length > 1;
  return { re_review_or_retest: status === 'merged' && before > 0 && looked, gate_runs: [before, runs()] };
}

/** An answer that reaches beyond the scope, and then one that does not. */
async function leftover(input: Facts): Promise<Facts> {
  const changed = textsOf(input, 'changed');
  const allowed = textsOf(input, 'allowed_paths');
  const drafts = (paths: readonly string[]) => writes(Object.fromEntries(paths.map((path) => [path, 'a draft\n'])));
  const inside = changed.filter((path) => allowed.some((folder) => path.startsWith(folder)));
  const [target = ''] = inside;
  const factory = await aFactory({
    scenario: {
      implementer: [answerOnce(drafts(changed)), drafts(inside)],
      judge: [judges('PASS', { evidence: [{ file: target, quote: 'a draft', line: null }] })],
    },
  });
  const { status } = await factory.run(
    aContract({ 'constraints.allowed_paths': allowed, 'specification.target_file': target }),
  );
  factory.git('checkout', '--quiet', 'main');
  return { status, ...Object.fromEntries(changed.map((path) => [`${path}_on_main`, factory.has(path)])) };
}
