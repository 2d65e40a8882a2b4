import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessStat } from '../../src/sandbox/processes/proc.ts';
import { waits } from './catching.ts';
import { aContract } from './contract.ts';
import { aFactory, eventually, type Factory, type Watchdog } from './factory.ts';
import type { Event, Outcome, Schedule } from './merge-model.ts';
import { judges, answerOnce } from './scenario.ts';

/** The built program's own names of the two moments of a landing. */
const FAILPOINTS = { pinned: 'merge.before-fast-forward', moved: 'merge.after-fast-forward' } as const;
type Moment = keyof typeof FAILPOINTS;

/** Plays a schedule with the built program: its daemon stands still at the failpoints, and is killed and started again. */
export async function playBuilt({ pinned, moved }: Schedule): Promise<Outcome> {
  const scenario = { judge: [answerOnce(judges('PASS', {}, waits)), judges('PASS')] };
  const factory = await aFactory({ apart: true, scenario, files: { 'TODO.md': '# To do\n' } });
  for (const name of ['one', 'two', 'three']) commit(factory, name);
  return new Play(factory, { pinned, moved }).run();
}

class Play {
  private readonly factory: Factory;
  private readonly schedule: Schedule;
  private readonly moments: Moment[] = ['pinned', 'moved'];
  private dog: Watchdog | undefined;
  private again = 0;
  private commits = 0;

  constructor(factory: Factory, schedule: Schedule) {
    this.factory = factory;
    this.schedule = schedule;
  }

  async run(): Promise<Outcome> {
    const { factory } = this;
    let dog = await this.watch();
    factory.drop(aContract());
    await dog.until(() => factory.signal.has('at'));
    cpSync(this.state, this.saved, { recursive: true }); // as a backup from before the merge has it
    factory.signal.give('go');
    for (let turn = 0; turn < 20; turn += 1) {
      await eventually(
        () => this.stands() || factory.isHalted() || factory.isMerged(),
        'it stands, halts or is merged',
      );
      if (this.stands()) {
        await this.atMoment();
        dog = this.dog ?? (await this.watch());
      } else if (factory.isMerged()) break;
      else await this.answerHalt(dog);
    }
    const { status } = await factory.show('DOC-001');
    const made = new Set(
      factory
        .git('log', '-g', '--format=%H %s', 'main')
        .split('\n')
        .filter((row) => row.includes('Merge task/DOC-001')),
    );
    await dog.stop();
    return { status, held: factory.merges().length, made: made.size, again: this.again };
  }

  private get state(): string {
    return join(this.factory.folder, 'state');
  }

  private get saved(): string {
    return join(this.factory.folder, 'saved');
  }

  /** A daemon that stands still at the next moment of the schedule. */
  private async watch(): Promise<Watchdog> {
    const wishes = { pinned: `${FAILPOINTS.pinned}:stop#1`, moved: `${FAILPOINTS.moved}:stop#1-` };
    this.factory.env['ANDON_FAILPOINT'] = this.moments.map((moment) => wishes[moment]).join(' ');
    this.dog = await this.factory.watch();
    return this.dog;
  }

  private stands(): boolean {
    return this.dog !== undefined && readProcessStat(this.dog.pid)?.state === 'T';
  }

  /** What falls into the moment at which the daemon stands; then it goes on, or is started again. */
  private async atMoment(): Promise<void> {
    const [moment] = this.moments;
    if (this.dog === undefined) throw new Error('nothing stands');
    if (moment === undefined || (moment === 'moved' && !this.hasLanded())) return this.letGo(this.dog.pid);
    this.moments.shift();
    let isDown = false;
    for (const event of this.schedule[moment]) {
      if (event === 'kill' && !isDown) await this.dog.kill9();
      isDown ||= event === 'kill';
      if (event !== 'restore' || isDown) this.happen(event);
    }
    if (isDown) this.dog = undefined;
    else process.kill(this.dog.pid, 'SIGCONT');
  }

  private hasLanded(): boolean {
    return this.factory.merges().length > 0;
  }

  /** Nothing falls into this stop; one that was only just left, or has only just come, is looked at again. */
  private async letGo(pid: number): Promise<void> {
    await sleep(50);
    if (this.stands() && (this.moments.length === 0 || !this.hasLanded())) process.kill(pid, 'SIGCONT');
  }

  private happen(event: Event): void {
    const { factory } = this;
    const text = factory.paper('TASK_CONTRACT.json');
    if (event === 'STOP') factory.write('_handoff/STOP', 'enough\n');
    if (event === 'edit' && text !== undefined)
      factory.write('_handoff/TASK_CONTRACT.json', text.replace('"project"', '"x-edited": true, "project"'));
    if (event === 'reset') factory.git('reset', '--quiet', '--hard', 'HEAD~1');
    if (event === 'foreign commit') commit(factory, `foreign-${(this.commits += 1)}`);
    if (event !== 'restore') return;
    rmSync(join(factory.handoff, 'transition.ndjson'), { force: true }); // as the refusal of such a journal says
    rmSync(this.state, { recursive: true });
    cpSync(this.saved, this.state, { recursive: true });
  }

  private async answerHalt(dog: Watchdog): Promise<void> {
    const { factory } = this;
    const { halt } = await factory.show('DOC-001');
    rmSync(join(factory.handoff, 'STOP'), { force: true });
    if (halt?.reason.includes('was taken back') === true) this.again += 1;
    const path = factory.breaker() === 'contract_tampered' ? 2 : 1;
    const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', String(path));
    if (code !== 0) throw new Error(stderr);
    await dog.until(() => this.stands() || factory.paper('ERIK_HALT.md')?.includes(`"${halt?.id ?? ''}"`) !== true);
  }
}

function commit(factory: Factory, name: string): void {
  factory.write(`${name}.txt`, `${name}\n`);
  factory.git('add', '--', `${name}.txt`);
  factory.git('commit', '--quiet', '--message=By hand');
}
