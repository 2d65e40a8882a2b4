// Runs in a network of a test's own, with addresses that a machine has: tries the doors of a cage there, and then to reach
// another machine. Prints one line of JSON.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createBubblewrap } from '../../../../src/sandbox/cage/bubblewrap.ts';
import { systemClock } from '../../../../src/base/system/system-clock.ts';
import { processRunner } from '../../../../src/sandbox/processes/run.ts';
import { tryDoors } from '../../../../src/app/setup/doctor/try-doors.ts';

const [folder, other] = process.argv.slice(2);
const run = processRunner(systemClock, { mark: {}, began: () => {}, ended: () => {} });
for (const name of ['home', 'tree']) mkdirSync(join(folder, name));
const environment = { PATH: process.env.PATH };
const cage = createBubblewrap(run, { home: join(folder, 'home'), environment, hide: [], read: [] });
const found = await tryDoors(cage, join(folder, 'tree'), true);
const { output } = await cage.run({
  run: `bash -c 'exec 3<>/dev/tcp/${other}/80 && cat <&3'`,
  tree: join(folder, 'tree'),
  network: true,
  share: [],
  timeoutMs: 20_000,
  signal: new AbortController().signal,
});
console.log(JSON.stringify({ found, output }));
