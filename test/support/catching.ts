import { STATUS_PHRASES } from '../../src/line/words/view-activity.ts';
import type { Status } from '../../src/base/names.ts';
import { expect } from 'vitest';
import { aContract } from './contract.ts';
import { aFactory, eventually, type Factory, type Options, type Watchdog } from './factory.ts';
import { isAlive } from './processes.ts';
import { FINAL, judges, reviewPasses, writes } from './scenario.ts';

/** A call that says when it is reached and waits until it may go on. */
export const waits = { does: [{ touch: 'at' }, { 'wait-for': 'go' }] };
/** A gate that does the same. */
export const gate = (when: string) => ({
  gates: [{ name: 'waits', run: `${when} || exit 0; touch "$HOME/at"; until test -f "$HOME/go"; do sleep 0.05; done` }],
});

type Place = readonly [place: string, options: Options];

/** While the local reviewer works. */
export const AT_REVIEW: Place = ['pending_local_review', { scenario: { reviewer: [reviewPasses(waits)] } }];

/** Where the line can be caught, and the world that makes it wait there. */
export const PLACES: readonly Place[] = [
  [
    'pending_implementer, the implementer at work',
    { scenario: { implementer: [writes({ 'docs/auth_final.md': FINAL }, waits)] } },
  ],
  ['pending_implementer, a gate running', { projectConfig: gate('test -f docs/auth_final.md') }],
  AT_REVIEW,
  ['review_in_progress', { scenario: { judge: [judges('PASS', {}, waits)] } }],
  [
    'review_complete, a gate running on the merge result',
    {
      projectConfig: gate('test -f moved'),
      scenario: { judge: [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'judged' }] })] },
    },
  ],
];

/** Starts the daemon and a task, and waits until the line stands where the world makes it wait. */
export async function caughtAt(place: string, factory: Factory): Promise<Watchdog> {
  const dog = await factory.watch();
  if (factory.face() === undefined) factory.drop(aContract());
  if (place.startsWith('review_complete')) {
    await dog.until(() => factory.signal.has('judging'));
    factory.write('moved', '');
    factory.git('add', 'moved');
    factory.git('commit', '--quiet', '--message=By hand');
    factory.signal.give('judged');
  }
  await dog.until(() => factory.signal.has('at') || factory.has('../home/at'));
  expect(factory.face()).toBe(place.split(',')[0]);
  return dog;
}

/** Lets what waits go on. */
export function goOn(factory: Factory): void {
  factory.signal.give('go');
  factory.write('../home/go', '');
}

/** The end is the same as without a crash: one merge, one tick, the document, nothing else. */
export async function expectMergedOnce(factory: Factory, dog: Watchdog): Promise<void> {
  expect(await factory.end(dog)).toBe('merged');
  expect(factory.merges()).toHaveLength(1);
  const [merge = ''] = factory.merges();
  expect(factory.git('diff', '--name-only', `${merge}^1`, 'main').split('\n')).toEqual([
    'TODO.md',
    'docs/auth_final.md',
  ]);
  expect(factory.git('rev-list', '--count', `${merge}..main`)).toBe('1');
  expect(`${factory.git('show', 'main:docs/auth_final.md')}\n`).toBe(FINAL);
  expect(factory.git('show', 'main:TODO.md')).toContain('- [x] DOC-001');
  expect(factory.git('status', '--porcelain')).toBe('');
  factory.git('fsck', '--strict');
  await eventually(() => factory.processes().every(({ pid }) => pid === dog.pid), 'only the daemon is left');
}

/** Kills andon at that place and starts it again: what was left running is ended, and the task is merged once. */
export async function survivesKillAt(place: string, options: Options): Promise<void> {
  const factory = await aFactory({ apart: true, ...options });
  const dog = await caughtAt(place, factory);
  await dog.kill9();
  const orphans = factory.processes();
  const again = await factory.watch();
  await again.until(() => orphans.every(({ pid }) => !isAlive(pid)));
  await again.until(`going on (${STATUS_PHRASES[(place.split(',')[0] ?? '') as Status]})`);
  goOn(factory);
  await expectMergedOnce(factory, again);
}
