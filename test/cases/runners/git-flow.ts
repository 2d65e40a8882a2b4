import { aContract } from '../../support/contract.ts';
import { AUTH_V1, aFactory } from '../../support/factory.ts';
import type { Factory } from '../../support/factory.ts';
import { judges, once, writes } from '../../support/scenario.ts';
import type { Facts, Runner } from '../run-cases.ts';

/** Branches, commits and merges of the real line. */
export const gitFlow: Runner = ({ input }) => {
  const { task_id: taskId, op } = input;
  if (input['dry_run'] === true) return dryRun();
  if (input['changes'] === 0) return nothingToCommit();
  if (op === 'setup' && typeof taskId === 'string') return branchOf(taskId);
  if (op === 'merge' && input['conflict'] === true) return conflictIn(String(input['LANG']));
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
async function conflictIn(language: string): Promise<Facts> {
  const slow = once(judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] }));
  const factory = await aFactory({ scenario: { judge: [slow] } });
  const german = `${language}.UTF-8`;
  Object.assign(factory.env, { LANG: german, LC_ALL: german, LANGUAGE: language });
  const dog = await factory.watch();
  factory.drop(aContract());
  await dog.until(() => factory.signal.has('judging'));
  factory.write('docs/auth_final.md', 'Another document with the same name.\n');
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--message=By hand');
  factory.signal.give('go');
  await factory.end(dog);
  return { halt: factory.isHalted() && factory.breaker() === 'merge_blocked', breaker: factory.breaker() };
}
