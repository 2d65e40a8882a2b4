import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Factory } from '../../support/factory.ts';
import { liveOn } from '../live.ts';
import type { Life } from '../lives.ts';
import { diskAfter, say, type PowerLoss } from './fates.ts';
import type { RecordedLife } from './record-life.ts';

/** Lets the power go, starts the real andon on what the disk then holds, and says what of the end is not as it was. */
export async function liveAfter(life: Life, recorded: RecordedLife, loss: PowerLoss): Promise<readonly string[]> {
  const { factory, before, recording, end, goalsAfter } = recorded;
  const whole = diskAfter(recording, { done: loss.done, fates: new Map() });
  const log = whole.read('Project-A/_handoff/transition.ndjson')?.toString() ?? '';
  const told = log.split('\n').filter((line) => line.endsWith('}'));
  diskAfter(recording, loss).pour(factory.folder);
  startMachineAnew(factory);
  if (whole.find('Project-A/_handoff/TASK_CONTRACT.json') === undefined && told.length === 0)
    factory.drop(life.contract);
  const name = say(recording, loss);
  try {
    const lived = await liveOn(life, factory, { from: goalsAfter(loss.done), before, told });
    const others = (Object.keys(end) as (keyof typeof end)[]).filter(
      (part) => String(lived.end[part]) !== String(end[part]),
    );
    return [
      ...lived.wrong.map((what) => `${what}, ${name}`),
      ...others.map(
        (part) =>
          `another ${part}: ${String(lived.end[part])} instead of ${String(end[part])}${haltsOf(factory)}, ${name}`,
      ),
    ];
  } catch (error) {
    return [`${String(error)}, ${name}`];
  }
}

/** Why the line was halted on its way. */
function haltsOf(factory: Factory): string {
  const archive = join(factory.handoff, 'archive/DOC-001');
  const reports = readdirSync(archive).filter((file) => file.endsWith('ERIK_HALT.md'));
  const whys = reports.map((file) => /^\*\*.*$/m.exec(readFileSync(join(archive, file), 'utf8'))?.[0] ?? '');
  return whys.map((why) => ` (${why})`).join('');
}

/** What noted under which boot of the machine it was written was written under another one. */
function startMachineAnew(factory: Factory): void {
  const repositories = join(factory.folder, 'state/andon/repositories');
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const states = existsSync(repositories) ? readdirSync(repositories) : [];
  for (const file of states.flatMap((name) => NOTES.map((note) => join(repositories, name, note))))
    if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(boot, 'another boot'));
}

const NOTES = ['boot', 'daemon.json', 'forward.json'];
