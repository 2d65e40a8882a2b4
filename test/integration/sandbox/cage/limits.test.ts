import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBubblewrap } from '../../../../src/sandbox/cage/bubblewrap.ts';
import { createNoCage } from '../../../../src/sandbox/cage/cage.ts';
import { systemClock } from '../../../../src/base/system/system-clock.ts';
import { processRunner } from '../../../../src/sandbox/processes/run.ts';
import type { CageLimits } from '../../../../src/sandbox/cage-limits.ts';
import { aFolder } from '../processes/a-runner.ts';
import { ENVIRONMENT, NOBODY } from './attacks.ts';
import { USERS } from './users.ts';

const registry = { mark: {}, began: () => {}, ended: () => {} };
const WATCHED = processRunner(systemClock, registry);
const LIMITS: CageLimits = { memoryMb: 256, processes: 60, diskMb: 64, files: 2000, openFiles: 300 };

const why = await createBubblewrap(WATCHED, {
  home: '/root',
  environment: ENVIRONMENT,
  hide: [],
  read: [],
}).unavailable();

/** Who runs it, in which cage, and who counts. */
const SIDES = [
  ...USERS.map(([name, as]) => [`in bubblewrap, by ${name}, watched`, 'bubblewrap', as(WATCHED), name] as const),
  ['in no cage', 'none', WATCHED, 'whoever runs the tests'] as const,
];

const inNode = (script: string): string => `node -e "${script}"`;
const HOG = inNode(
  `const held = []; for (let i = 0; i < 9; i++) held.push(Buffer.alloc(64e6, 1)); setTimeout(() => {}, 60000)`,
);
const files = (folder: string): string =>
  inNode(`for (let i = 0; i < 3000; i++) fs.writeFileSync('${folder}/f' + i, '')`);

for (const [title, driver, run, name] of SIDES) {
  const tags = name === 'nobody' || run !== WATCHED || driver === 'none' ? 'thorough' : [];
  describe.skipIf(why !== undefined)(`a gate ${title}`, { tags }, () => {
    function gate(script: string, discards = driver === 'bubblewrap') {
      const folder = aFolder();
      const tree = join(folder, 'state/tree');
      mkdirSync(tree, { recursive: true });
      mkdirSync(join(folder, 'home'));
      if (name === 'nobody') execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
      if (name === 'nobody') execFileSync('chmod', ['755', folder]);
      const world = { home: join(folder, 'home'), environment: ENVIRONMENT, hide: [], read: [], limits: LIMITS };
      const cage = driver === 'none' ? createNoCage(run, world) : createBubblewrap(run, world);
      const signal = new AbortController().signal;
      return cage.run({ run: script, tree, network: false, share: [], discards, timeoutMs: 50_000, signal });
    }

    it.each([
      ['twice the memory', HOG, /memory/],
      ['twice the memory in several processes', `for i in 1 2 3; do ${HOG.replace('9', '3')} & done; wait`, /memory/],
      ['more than 16 MB of output', 'yes', /^it printed more than 16 MB$/],
      [
        'more processes than allowed',
        'for i in $(seq 90); do sleep 60 & done; wait',
        /^it had \d+ processes and threads, 60/,
      ],
      [
        'more files than allowed, and is red for it',
        `${files('.')}; ${driver === 'bubblewrap' ? '' : 'sleep 60;'} exit 1`,
        /^it wrote \d+ files, 2000 are allowed/,
      ],
      // Where there is no place of its own to look at afterwards, only a gate that still runs can be seen.
      [
        'more files than allowed, and is green',
        driver === 'bubblewrap' ? files('.') : `${files('.')}; sleep 60`,
        /^it wrote \d+ files, 2000 are allowed/,
      ],
      [
        'more than the disk it may use',
        `head -c 90000000 /dev/zero > big; ${driver === 'bubblewrap' ? '' : 'sleep 60;'} exit 1`,
        /^it wrote \d+ MB, 64 MB are allowed/,
      ],
    ])('that takes %s is ended, and neither red nor green', async (_what, script, limit) => {
      expect(await gate(script)).toMatchObject({ ended: 'limit', exit: null, limit: expect.stringMatching(limit) });
    });

    it.runIf(driver === 'bubblewrap').each([
      ['/tmp', 'head -c 90000000 /dev/zero > /tmp/big; exit 1'],
      ['/dev/shm', 'head -c 90000000 /dev/zero > /dev/shm/big; sleep 30'],
      ['its home folder', 'head -c 90000000 /dev/zero > $HOME/big || exit 0; sleep 30'],
    ])('is held to its share of disk in %s as well', async (_what, script) => {
      const { ended, exit } = await gate(script);
      expect([ended, exit]).toSatisfy(([how, code]) => how === 'limit' || code === 0);
    });

    it.each([
      ['prints five megabytes', 'yes | head -c 5000000; exit 0', 0],
      ['prints that there is no space left', 'echo No space left on device; exit 1', 1],
      ['is killed by itself', 'kill -9 $$', 137],
      ['takes what it may', `${inNode(`Buffer.alloc(50e6, 1)`)}; head -c 20000000 /dev/zero > big; exit 3`, 3],
    ])('that %s is what it says', { tags: 'thorough' }, async (_what, script, exit) => {
      expect(await gate(script)).toMatchObject({
        ended: 'exited',
        exit: driver === 'none' ? Math.min(exit, 128) : exit,
      });
    });

    it.runIf(driver === 'bubblewrap')('opens no more files than it may', async () => {
      expect((await gate('ulimit -Hn; ulimit -n')).output).toBe('300\n300\n');
    });
  });
}
