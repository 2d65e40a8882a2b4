import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aContract } from './contract.ts';
import { aFactory, type Factory, type Options, type Watchdog } from './factory.ts';

/** A halt by `destructive_action`: the document is longer than the contract allows. */
export async function aHalt(options: Options = {}): Promise<{ factory: Factory; dog: Watchdog; id: string }> {
  const factory = await aFactory(options);
  const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
  return { factory, dog, id: headOf(factory, 'halt') };
}

/** What the halt report says for programs, under a key. */
export const headOf = (factory: Factory, key: string): string =>
  new RegExp(`^<!-- .*"${key}":"([^"]*)".* -->$`, 'm').exec(factory.paper('ERIK_HALT.md') ?? '')?.[1] ?? '';

/** Edits the halt report as a human does. */
export function editReport(factory: Factory, change: (text: string) => string): void {
  const file = join(factory.handoff, 'ERIK_HALT.md');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** `DECISION.json` as the halt report shows it, with other or further keys. */
export const answer = (factory: Factory, more: object = {}): object => ({
  task_id: headOf(factory, 'task_id'),
  halt: headOf(factory, 'halt'),
  path: 1,
  tree: headOf(factory, 'tree'),
  contract_digest: headOf(factory, 'contract_digest'),
  nonce: headOf(factory, 'nonce'),
  ...more,
});

/** Writes `DECISION.json`. */
export const decide = (factory: Factory, decision: object | string): void =>
  writeFileSync(
    join(factory.handoff, 'DECISION.json'),
    typeof decision === 'string' ? decision : JSON.stringify(decision, null, 2),
  );

/** The nonce that a decision on the newest report names, as the line tells it. */
export const nonceTold = (dog: Watchdog): string | undefined =>
  [...dog.output().matchAll(/"nonce": "([0-9a-f]{16})"/g)].at(-1)?.[1];

/** Everything that a refused choice must leave as it is. */
export const standing = (factory: Factory): unknown => [
  ...['TASK_CONTRACT.json.lock', 'TASK_CONTRACT.json', 'transition.ndjson'].map((name) => factory.paper(name)),
  factory.git('for-each-ref', 'refs/heads'),
];

/** Takes a path by `DECISION.json`. */
export const choose = (factory: Factory, path: 1 | 2): void => decide(factory, answer(factory, { path }));

/** The two ways to answer a halt without a browser. */
export const WAYS = ['andon resume', 'DECISION.json'] as const;

/** Takes a path by one of them; a refusal is found in the daemon's output. */
export async function takePath(factory: Factory, way: (typeof WAYS)[number], path: 1 | 2): Promise<void> {
  if (way === 'DECISION.json') return choose(factory, path);
  const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', String(path));
  if (code !== 0) throw new Error(stderr);
}
