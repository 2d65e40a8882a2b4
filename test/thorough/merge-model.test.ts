/** @module-tag thorough */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { EVENTS, modelled, type Event, type Outcome, type Schedule } from '../support/merge-model.ts';
import { LiveFloor } from '../support/live-floor.ts';

const TASK = 'PLAIN-1';

describe('andon itself', () => {
  test('does what the model of merge, halt, record and target does, whatever falls around the landing', async () => {
    const events = fc.array(fc.constantFrom(...EVENTS.filter((event) => event !== 'restart')), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.record({ pinned: events, moved: events }), async (schedule) => {
        expect(await live(schedule)).toEqual(modelled(schedule, 'record'));
      }),
      {
        numRuns: Number(process.env['ANDON_RUNS'] ?? 5),
        endOnFailure: true,
        examples: [
          [{ pinned: [], moved: ['kill', 'restore'] }],
          [{ pinned: ['STOP'], moved: ['kill', 'reset'] }],
          [{ pinned: ['edit', 'foreign commit'], moved: ['STOP'] }],
        ],
      },
    );
  });
});

/** The same with andon itself, real git and real papers; a kill leaves what was under way where it stood, for good. */
async function live(schedule: Schedule): Promise<Outcome> {
  const one = await LiveFloor.make([{ 'one.txt': '1\n' }, { 'two.txt': '2\n' }, { 'three.txt': '3\n' }]);
  try {
    return await new Play(one, schedule).run();
  } finally {
    await one.close();
  }
}

class Play {
  private readonly one: LiveFloor;
  private readonly waiting: Map<'pinned' | 'moved', readonly Event[]>;
  private readonly saved: string;
  private again = 0;
  private killed = false;
  private commits = 0;

  constructor(one: LiveFloor, { pinned, moved }: Schedule) {
    this.one = one;
    this.waiting = new Map([
      ['pinned', pinned],
      ['moved', moved],
    ]);
    this.saved = join(one.state, '..', 'saved');
  }

  async run(): Promise<Outcome> {
    const { one } = this;
    await one.start();
    this.hook();
    one.drop(TASK);
    for (let turn = 0; turn < 20; turn += 1) {
      await one.until((record) => this.killed || this.isAtRest(record));
      if (this.killed) {
        this.killed = false;
        await one.start();
        this.hook();
        continue;
      }
      if (one.record?.halt === undefined) break;
      await this.answerHalt();
    }
    const { record } = one;
    // By the moves of main, not by the commits: what is merged again in the same second is the very same commit.
    const made = one
      .git('log', '-g', '--format=%gs\t%s', 'main')
      .split('\n')
      .filter((row) => /^merge .*\t/.test(row) && row.includes(`\tMerge task/${TASK}`));
    return { status: record?.status ?? '', held: one.merges(TASK).length, made: made.length, again: this.again };
  }

  private isAtRest({ halt, status }: NonNullable<LiveFloor['record']>): boolean {
    return halt === undefined ? status === 'merged' : existsSync(this.one.path('_handoff/TASK_CONTRACT.json.lock'));
  }

  private async answerHalt(): Promise<void> {
    const { one } = this;
    const { trip } = one.record?.halt ?? {};
    rmSync(one.path('_handoff/STOP'), { force: true });
    const isAgain = one.record?.lastFacts.mergeBlocked?.takenBack !== undefined;
    if (isAgain) this.again += 1;
    const path = trip?.breaker === 'contract_tampered' ? 2 : 1; // andon's own version goes on where it stood
    await one.resume({ taskId: TASK, path, haltId: undefined, by: 'erik', how: 'test' });
  }

  private hook(): void {
    this.one.meanwhile = {
      noted: (entry) => {
        if (entry.kind === 'moved' && entry.to === 'review_complete' && !existsSync(this.saved))
          cpSync(this.one.state, this.saved, { recursive: true });
      },
      beforeLanding: () => this.at('pinned'),
      afterLanding: () => this.at('moved'),
    };
  }

  private async at(moment: 'pinned' | 'moved'): Promise<void> {
    const events = this.waiting.get(moment) ?? [];
    if (moment === 'moved' && this.one.merges(TASK).length === 0) return; // the target had moved: it did not land
    this.waiting.delete(moment);
    if (moment === 'moved') this.waiting.delete('pinned');
    let isDown = false;
    for (const event of events) {
      if (event === 'kill' && !isDown) this.one.kill();
      isDown ||= event === 'kill';
      if (event !== 'restore' || isDown) this.happen(event);
      if (!isDown) await this.lookMeanwhile();
    }
    if (!isDown) return;
    this.killed = true;
    await new Promise(() => {});
  }

  private happen(event: Event): void {
    const { one } = this;
    const contract = '_handoff/TASK_CONTRACT.json';
    if (event === 'STOP') one.write('_handoff/STOP', 'enough\n');
    if (event === 'edit') one.write(contract, one.read(contract).replace('Write the note anew', 'Write another note'));
    if (event === 'reset') one.git('reset', '--quiet', '--hard', 'HEAD~1');
    if (event === 'foreign commit') one.commit({ [`foreign-${(this.commits += 1)}.txt`]: 'foreign\n' });
    if (event !== 'restore') return;
    rmSync(one.state, { recursive: true });
    cpSync(this.saved, one.state, { recursive: true });
  }

  private async lookMeanwhile(): Promise<void> {
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
    };
    await Promise.race([this.one.line.poll(), turns()]);
  }
}
