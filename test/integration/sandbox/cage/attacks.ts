import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { CageWorld } from '../../../../src/sandbox/cage/sandbox-mounts.ts';
import type { AskedLimits } from '../../../../src/sandbox/cage-limits.ts';
import type { Cage } from '../../../../src/sandbox/cage.ts';
import { aFolder, isAlive } from '../processes/a-runner.ts';

/** Who else than whoever runs the tests tries to get out, where the tests are run by root. */
export const NOBODY = 65534;
/** What must never be printed. */
export const SECRET = 'sesame-open-1234';
/** What a caged command may see: of root's folders of programs only those that everybody may look into. */
export const ENVIRONMENT = {
  PATH: (process.env['PATH'] ?? '').split(delimiter).filter(isEverybodys).join(delimiter),
  LANG: 'C.UTF-8',
};

function isEverybodys(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o5) === 0o5 && (folder === '/' || isEverybodys(dirname(folder)));
}

/** A machine with things to steal and to spoil, and a cage around one tree. */
export async function aMachine(makeCage: (world: CageWorld) => Cage, isNobody: boolean) {
  const folder = aFolder();
  const at = (name: string): string => join(folder, name);
  for (const name of ['home/.ssh', 'checkout/.git/hooks', 'checkout/_handoff', 'state/trees/t/docs', 'other'])
    mkdirSync(at(name), { recursive: true });
  const files = {
    'home/.ssh/id': SECRET,
    'home/.npmrc': SECRET,
    'checkout/.env': SECRET,
    'checkout/.git/config': '[core]\n',
    'checkout/.git/HEAD': 'ref: refs/heads/main\n',
    'checkout/_handoff/TASK_CONTRACT.json': '{}',
    'checkout/_handoff/JUDGE_REPORT.json': '{}',
    'other/.env': SECRET,
    'state/journal.sqlite': SECRET,
    'state/trees/t/docs/a.md': 'a\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  if (isNobody) {
    execFileSync('chown', ['-R', String(NOBODY), folder]);
    chmodSync(folder, 0o755);
    chownSync(folder, NOBODY, NOBODY);
  }
  const victim = spawn('sleep', ['300'], { stdio: 'ignore', env: { SECRET } });
  const server = createServer((socket) => socket.end(SECRET));
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    victim.kill('SIGKILL');
    server.close();
  });
  const hide = [at('checkout'), at('state'), at('other')];
  const cage = makeCage({ home: at('home'), environment: ENVIRONMENT, hide, read: [] });
  const tree = at('state/trees/t');
  const run = (script: string, timeoutMs = 20_000, limits: AskedLimits = {}) =>
    cage.run({ run: script, tree, network: false, share: [], limits, timeoutMs, signal: new AbortController().signal });
  return { at, tree, run, victim, port: (server.address() as AddressInfo).port, before: files };
}

export type Machine = Awaited<ReturnType<typeof aMachine>>;

/** The 33 attacks of the fault catalogue, in its order; the first three must succeed, no other may. */
export const ATTACKS: readonly (readonly [what: string, script: (machine: Machine) => string])[] = [
  ['writes a file of its own', () => 'echo b > docs/a.md'],
  ['makes a file in its own tree', () => 'echo b > docs/b.md'],
  ['renames over a file of its own', () => 'echo c > docs/c.tmp && mv docs/c.tmp docs/a.md'],
  ['writes a file beside its tree', ({ at }) => `echo x > ${at('other/x')} && cat ${at('other/.env')}`],
  [
    'makes a package.json in the checkout',
    ({ at }) => `echo x > ${at('checkout/package.json')} && ls ${at('checkout/.git')}`,
  ],
  ['writes through a link into the checkout', ({ at }) => `ln -s ${at('checkout')} l && echo x > l/.git/config`],
  ['writes through a link into /etc', () => 'ln -s /etc e && echo x > e/andon-was-here'],
  ['makes a hard link to a secret', ({ at }) => `ln ${at('checkout/.env')} stolen && cat stolen`],
  ['renames its tree away', ({ at }) => `mv ${at('state/trees/t')} ${at('state/trees/gone')}`],
  [
    'takes the place of the git folder',
    ({ at }) => `rm -rf ${at('checkout/.git')} && echo x > ${at('checkout/.git')} && cat ${at('checkout/.env')}`,
  ],
  ['makes a hook', ({ at }) => `echo x > ${at('checkout/.git/hooks/post-merge')}`],
  ['sets core.fsmonitor', ({ at }) => `git -C ${at('checkout')} config core.fsmonitor /bin/true`],
  ['writes a report', ({ at }) => `echo PASS > ${at('checkout/_handoff/JUDGE_REPORT.json')}`],
  ['edits the contract', ({ at }) => `echo PASS > ${at('checkout/_handoff/TASK_CONTRACT.json')}`],
  ['commits', ({ at }) => `git -C ${at('checkout')} add -A && git -C ${at('checkout')} commit -m x`],
  ['moves a branch', ({ at }) => `git -C ${at('checkout')} update-ref refs/heads/main HEAD`],
  ['mounts again, for writing', () => 'mount -o remount,rw / && touch /andon-was-here'],
  ['takes away what hides the home folder', ({ at }) => `umount ${at('home')} && cat ${at('home/.ssh/id')}`],
  ['makes namespaces in namespaces', () => 'unshare -Urm sh -c "mount -o remount,bind,rw / && touch /andon-was-here"'],
  ['writes through the root of process 1', ({ at }) => `echo x > /proc/1/root${at('checkout/.env')}`],
  ['sees processes outside', ({ victim }) => `grep sleep /proc/${victim.pid ?? 0}/comm`],
  ['ends a process outside', ({ victim }) => `kill -9 ${victim.pid ?? 0}`],
  ['reaches a server on this machine', ({ port }) => `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'`],
  ['reads .env', ({ at }) => `cat ${at('checkout/.env')}`],
  ['reads keys in the home folder', ({ at }) => `cat ${at('home/.ssh/id')} || cat ${at('home/.npmrc')}`],
  ['finds the secret in an environment', () => `cat /proc/*/environ | tr '\\0' '\\n' | grep SECRET`],
  ['finds the secret in its own environment', () => 'env | grep SECRET'],
  ['finds a socket of docker', () => 'ls /run/docker.sock /var/run/docker.sock'],
  ['makes a disk and reads it', () => 'mknod disk b 8 0 && head -c 1 disk'],
  ['sits at a terminal', () => 'tty -s || (echo x > /dev/tty)'],
  ['reads the memory of its parent', () => 'head -c 1 /proc/1/mem'],
  ['reads the journal', ({ at }) => `cat ${at('state/journal.sqlite')}`],
];

/** Two that may succeed in its own tree, where nobody is harmed: andon opens nothing there but plain files, and git keeps neither. */
export const HARMLESS = ['mkfifo docs/pipe', 'cp /bin/true docs/set && chmod 4755 docs/set'];

/** Nothing that was tried has changed a file outside of the tree, left one behind or ended a process. */
export function expectUnharmed(machine: Machine): void {
  for (const [file, text] of Object.entries(machine.before))
    if (!file.startsWith('state/trees/')) expect([file, readFileSync(machine.at(file), 'utf8')]).toEqual([file, text]);
  for (const place of ['/etc/andon-was-here', '/andon-was-here', machine.at('checkout/package.json')])
    expect(existsSync(place)).toBe(false);
  expect(isAlive(machine.victim.pid ?? 0)).toBe(true);
}
