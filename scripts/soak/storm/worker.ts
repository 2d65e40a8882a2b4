import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { StormProject } from './project.ts';

/** Commands to a process of the storm, one word a line: stop everything, continue, or finish current work. */
export type Order = 'still' | 'go' | 'drain';

/** What it tells, one line of JSON each. */
export type Told =
  | { readonly kind: 'open' | 'still' | 'drained' }
  | { readonly kind: 'broke'; readonly reason: string };

/** What is under way when the storm is over ends within seconds, on a machine that is busy with something else within minutes. */
const DRAIN_MS = 240_000;

const tell = (told: Told): boolean => process.stdout.write(`${JSON.stringify(told)}\n`);
const broke = (reason: string): void => void tell({ kind: 'broke', reason });

async function work(folders: readonly (readonly [number: number, folder: string])[], seed: number): Promise<void> {
  const projects: StormProject[] = [];
  for (const [number, folder] of folders) projects.push(await StormProject.open(folder, { number, seed }, broke));
  for (const project of projects) void project.live();
  tell({ kind: 'open' });
  const orders: Readonly<Record<Order, () => Promise<void>>> = {
    async still() {
      for (const project of projects) await project.stop();
      tell({ kind: 'still' });
    },
    async go() {
      for (const project of projects) await project.start();
      tell({ kind: 'open' });
    },
    async drain() {
      const end = performance.now() + DRAIN_MS;
      while (!projects.map((project) => project.drain()).every(Boolean)) {
        if (performance.now() > end) break;
        await sleep(50);
      }
      for (const project of projects)
        if (!project.drain()) broke(`what is under way does not come to its end: ${project.standing}`);
      tell({ kind: 'drained' });
    },
  };
  let last = Promise.resolve();
  const given = createInterface({ input: process.stdin });
  given.on('close', () => process.exit(0)); // the parent is gone
  given.on('line', (order) => {
    last = last.then(() => orders[order as Order]()).catch((error: unknown) => broke(String(error)));
  });
}

await work(JSON.parse(process.argv[2] ?? '[]') as [], Number(process.argv[3])).catch((error: unknown) => {
  broke(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
});
