import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameProcess } from './descendants.ts';
import { readProc } from './proc.ts';

/** Processes that the kernel counts and limits together. */
export type ControlGroup = NonNullable<ReturnType<typeof makeGroup>>;

/** Folders for groups, by controller; in version 2 one folder holds both. */
export interface Groups {
  readonly version: 1 | 2;
  readonly memory: string;
  readonly pids: string;
}

const ROOT = '/sys/fs/cgroup';
let made = 0;

/** Where this process may make groups that limit memory and number; undefined where it may not. */
export function findGroups(root = ROOT, own = readProc('self/cgroup')): Groups | undefined {
  const groups = firstVersion(root, own) ?? secondVersion(root, own);
  if (groups === undefined) return undefined;
  removeLeft(groups);
  const trial = makeGroup(groups, { memoryBytes: 64 * 1024 * 1024, processes: 10 });
  void trial?.remove();
  return trial === undefined ? undefined : groups;
}

/** A new group; undefined when the kernel refuses the limits. */
export function makeGroup(groups: Groups, limits: { readonly memoryBytes: number; readonly processes: number }) {
  made += 1;
  const name = `andon-${process.pid}-${made}`;
  const [memory, pids] = [join(groups.memory, name), join(groups.pids, name)];
  const folders = [...new Set([memory, pids])];
  const [limit, events, anonymous] =
    groups.version === 1
      ? (['memory.limit_in_bytes', 'memory.oom_control', 'total_rss'] as const)
      : (['memory.max', 'memory.events', 'anon'] as const);
  const readStat = (field: string): number => numberIn(join(memory, 'memory.stat'), field);
  try {
    for (const folder of folders) mkdirSync(folder);
    writeFileSync(join(memory, limit), String(limits.memoryBytes));
    writeFileSync(join(pids, 'pids.max'), String(limits.processes));
    if (Math.abs(Number(readFileSync(join(memory, limit), 'utf8')) - limits.memoryBytes) > 64 * 1024)
      throw new Error('the kernel refused the limit');
  } catch {
    for (const folder of folders) removeEmpty(folder);
    return undefined;
  }
  return {
    /** Files into which a process writes its pid to join. */
    join: folders.map((folder) => join(folder, 'cgroup.procs')),
    /** How many of its processes the kernel killed for lack of memory. */
    killed: (): number => numberIn(join(memory, events), 'oom_kill'),
    /** How often the kernel refused a process because of their number. */
    refused: (): number => numberIn(join(pids, 'pids.events'), 'max'),
    usage: () => ({
      anonymous: readStat(anonymous),
      shared: readStat(groups.version === 1 ? 'total_shmem' : 'shmem'),
      processes: Number(readText(join(pids, 'pids.current'))),
    }),
    async remove(): Promise<void> {
      // A killed process is in the group until it is gone.
      for (let tries = 0; tries < 40 && !folders.map(removeEmpty).every(Boolean); tries += 1) await sleep(50);
    },
  };
}

/** Makes the kernel end this process, and its later descendants, before others when memory runs out. */
export function preferOomKill(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '300');
  } catch {
    // The process is gone, or the system has no such setting.
  }
}

function firstVersion(root: string, own: string): Groups | undefined {
  const [memory, pids] = (['memory', 'pids'] as const).map((controller) => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(own)?.[1];
    const places = path === undefined ? [] : [join(root, controller, path), join(root, controller)];
    return places.find(canMakeGroups);
  });
  return memory === undefined || pids === undefined ? undefined : { version: 1, memory, pids };
}

/** In version 2 a group with processes holds no groups: ours is beside our own. */
function secondVersion(root: string, own: string): Groups | undefined {
  const path = /^0::(.*)$/m.exec(own)?.[1];
  if (path === undefined) return undefined;
  const here = join(root, path);
  const folder = [here, dirname(here)].find((place) => {
    const controllers = readText(join(place, 'cgroup.subtree_control')).split(/\s+/);
    return (
      place.startsWith(root) && ['memory', 'pids'].every((one) => controllers.includes(one)) && canMakeGroups(place)
    );
  });
  return folder === undefined ? undefined : { version: 2, memory: folder, pids: folder };
}

function canMakeGroups(folder: string): boolean {
  try {
    accessSync(join(folder, 'cgroup.procs'), constants.W_OK);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Groups of an andon that was killed. */
function removeLeft(groups: Groups): void {
  for (const folder of new Set([groups.memory, groups.pids]))
    for (const name of readdirSync(folder)) {
      const pid = /^andon-(\d+)-\d+$/.exec(name)?.[1];
      if (pid !== undefined && nameProcess(Number(pid)) === undefined) removeEmpty(join(folder, name));
    }
}

function removeEmpty(folder: string): boolean {
  try {
    if (existsSync(folder)) rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

const numberIn = (file: string, field: string): number =>
  Number(new RegExp(`^${field} (\\d+)$`, 'm').exec(readText(file))?.[1] ?? 0);

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
