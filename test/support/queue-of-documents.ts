import { aContract } from './contract.ts';
import type { Factory, Options } from './factory.ts';
import { FINAL, judges, writes } from './scenario.ts';

/** A row of `andon queue --json`. */
export interface QueueRow {
  readonly file: string;
  readonly task_id: string | null;
  readonly waits_for: string;
  readonly tasks: readonly string[];
  readonly why: string;
  readonly by_hand: boolean;
}

/** What a judge quotes of every one of their documents. */
export const QUOTED = { evidence: [FINAL.split('\n')[4]] };

/** Each task writes a document of its own, so that none stands in another's way. */
export const each = (...ids: readonly string[]): Options => ({
  scenario: {
    implementer: ids.map((id) => ({
      ...writes({ [`docs/${id}.md`]: FINAL }),
      when: { model: 'qwen2.5-coder', includes: [`Target file: docs/${id}.md`] },
    })),
    judge: [judges('PASS', QUOTED)],
  },
});
export const task = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
  aContract({ task_id: id, 'specification.target_file': `docs/${id}.md`, ...more });
export const drop = (factory: Factory, id: string, more: Readonly<Record<string, unknown>> = {}): void =>
  factory.drop(task(id, more), `queue/${id}.json`);

/** What `andon queue` tells. */
export async function queueOf(factory: Factory): Promise<readonly QueueRow[]> {
  const { stdout } = await factory.andon('queue', '--json');
  return (JSON.parse(stdout) as { readonly queue: readonly QueueRow[] }).queue;
}

/** The tasks that were merged, in the order in which they were. */
export const merged = (factory: Factory): readonly unknown[] =>
  factory.transitions().flatMap((one) => (one['new_status'] === 'merged' ? [one['task_id']] : []));
