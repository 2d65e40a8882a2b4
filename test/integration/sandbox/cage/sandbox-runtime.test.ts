import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCage } from '../../../../src/sandbox/cage/cage.ts';
import {
  createSandboxRuntime,
  findSandboxRuntime,
  type SandboxRuntime,
} from '../../../../src/sandbox/cage/sandbox-runtime.ts';
import type { RunProgram } from '../../../../src/sandbox/processes/run.ts';
import type { CagedCommand, CagedResult } from '../../../../src/sandbox/cage.ts';
import { aPort, connecting } from './a-port.ts';
import { aFolder, aRunner, until } from '../processes/a-runner.ts';
import { ATTACKS, ENVIRONMENT, HARMLESS, NOBODY, SECRET, aMachine, expectUnharmed } from './attacks.ts';

/** A world with a home, a checkout and a state folder, and a cage around a tree in the state folder. */
function aPlace() {
  const folder = aFolder();
  const at = (name: string): string => join(folder, name);
  for (const name of ['home/.ssh', 'checkout', 'state/trees/t', 'shared/node_modules'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('home/.ssh/id'), SECRET);
  writeFileSync(at('checkout/.env'), SECRET);
  writeFileSync(at('state/journal.sqlite'), SECRET);
  writeFileSync(at('shared/node_modules/x'), 'shared');
  const hide = [at('checkout'), at('state')];
  const caged = createSandboxRuntime(aRunner().run, { home: at('home'), environment: ENVIRONMENT, hide, read: [] });
  const tree = at('state/trees/t');
  const run = (script: string, changes: Partial<CagedCommand> = {}): Promise<CagedResult> =>
    caged.run({
      run: script,
      tree,
      network: false,
      share: [],
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      ...changes,
    });
  return { at, tree, run };
}

const NOTHING = {
  run: 'true',
  network: false,
  share: [],
  timeoutMs: 20_000,
  signal: new AbortController().signal,
} as const;

const services = { home: '/root', environment: ENVIRONMENT, hide: [], read: [] };
const why = await createCage('sandbox-runtime', aRunner().run, services).unavailable();
const skipped = why === undefined ? '' : ` (skipped: ${why})`;

describe.skipIf(why !== undefined)(`the cage of sandbox-runtime${skipped}`, () => {
  it('gives back the exit code', async () => {
    const { run } = aPlace();
    const ends = await Promise.all(
      ['exit 42', 'no-such-program-anywhere', 'kill -TERM $$'].map((script) => run(script)),
    );
    expect(ends.map(({ exit, ended }) => [exit, ended])).toEqual([42, 127, 143].map((exit) => [exit, 'exited']));
  });

  it('lets a command write its tree and a TMPDIR of its own, and nothing else; neither is left behind', async () => {
    withSharedTemporary();
    const { at, tree, run } = aPlace();
    for (const name of ['home/.npm/_logs', 'home/.claude/debug']) mkdirSync(at(name), { recursive: true });
    const own = [at('home/.npm/_logs/out'), at('home/.claude/debug/out'), '/tmp/claude/out']; // as the package would
    const outside = [...own, at('out'), at('state/out'), '/etc/out', '/out', '/usr/out'];
    const { output } = await run(
      `pwd; umask; echo x > made; echo "$TMPDIR"; echo t > "$TMPDIR/t" && cat "$TMPDIR/t"; for f in ${outside.join(' ')}; do echo x > $f; done; true`,
    );
    const [where, umask, temporary = '', kept] = output.split('\n');
    expect([where, umask, kept]).toEqual([tree, process.umask().toString(8).padStart(4, '0'), 't']);
    expect(temporary.startsWith(tmpdir())).toBe(true);
    expect([existsSync(temporary), readdirSync(tree)]).toEqual([false, ['made']]);
    expect(outside.filter((file) => existsSync(file))).toEqual([]);
  });

  it('hides the home folder, the checkout, the state and what lies beside the tree', async () => {
    withSharedTemporary();
    const { at, run } = aPlace();
    const { output } = await run(
      `cat ${at('home/.ssh/id')} ${at('checkout/.env')} ${at('state/journal.sqlite')}; ls -A ${at('home')} ${at('checkout')} /tmp/claude; cat /tmp/claude/*`,
    );
    expect(output).not.toContain(SECRET);
    expect(output).toContain('No such file');
  });

  it('has no network, not even to this machine', async () => {
    const { run } = aPlace();
    const connect = connecting(await aPort());
    expect(await run(`grep -c : /proc/net/dev; ${connect}`)).toMatchObject({
      exit: 7,
      output: expect.stringMatching(/^1\n/),
    });
  });

  it('shows nothing of andon’s environment, though the package hands on the whole of its own', async () => {
    process.env['ANDON_TEST_SECRET'] = SECRET;
    onTestFinished(() => {
      delete process.env['ANDON_TEST_SECRET'];
    });
    const { output } = await aPlace().run(`cat /proc/*/environ | tr '\\0' '\\n'; env; ls /proc | grep -c '^[0-9]'`);
    expect(output).not.toContain(SECRET);
    expect(output).toContain('LANG=C.UTF-8');
    const names = new Set(output.split('\n').flatMap((row) => /^([A-Za-z_]+)=/.exec(row)?.[1] ?? []));
    expect([...names].filter((name) => !SEEN.includes(name))).toEqual([]);
  });

  it('shares no namespace with what runs outside, and can gain nothing', { tags: 'thorough' }, async () => {
    const kinds = ['ipc', 'uts', 'net', 'pid', 'mnt', 'user', 'cgroup'];
    const { output } = await aPlace().run(
      `for kind in ${kinds.join(' ')}; do readlink /proc/self/ns/$kind; done; grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status; unshare -U true && echo made`,
    );
    const shared = kinds.filter((kind) => output.includes(readlinkSync(`/proc/self/ns/${kind}`)));
    expect([shared, output.match(/NoNewPrivs:\t1|Seccomp:\t2|made/g)]).toEqual([[], ['NoNewPrivs:\t1', 'Seccomp:\t2']]);
  });

  it(
    'shows shared folders as links, and does not let what is behind them be changed',
    { tags: 'thorough' },
    async () => {
      const { at, run } = aPlace();
      const share = [[at('shared/node_modules'), 'node_modules']] as const;
      const result = await run('cat node_modules/x; echo y > node_modules/x; rm node_modules/x', { share });
      expect(result.output).toContain('shared');
      expect(result.exit).not.toBe(0);
      expect(readFileSync(at('shared/node_modules/x'), 'utf8')).toBe('shared');
    },
  );

  it('is ended at its time limit and when andon says so, with everything in it', { tags: 'thorough' }, async () => {
    const script = "trap '' TERM; setsid sleep 765432 & echo begun > begun; sleep 765432";
    const [limit, word, abort] = [aPlace(), aPlace(), new AbortController()];
    const begun = ({ tree }: typeof limit): boolean => existsSync(join(tree, 'begun'));
    void until(() => begun(word)).then(() => abort.abort());
    const aborted = word.run(script, { signal: abort.signal, timeoutMs: 50_000 });
    // Where the sandbox itself takes longer to start than the time limit, there was nothing yet to be ended.
    for (let timeoutMs = 2000; !begun(limit) && timeoutMs < 40_000; timeoutMs *= 3)
      expect(await limit.run(script, { timeoutMs })).toMatchObject({ ended: 'timeout', exit: null });
    expect(await aborted).toMatchObject({ ended: 'aborted', exit: null });
    expect([begun(limit), begun(word)]).toEqual([true, true]);
    expect(await until(() => !someoneRuns('sleep\u0000765432'))).toBe(true);
  });

  it('leaves nothing running when the command is done', async () => {
    const result = await aPlace().run('setsid sleep 654321 & echo done');
    expect(result).toMatchObject({ ended: 'exited', exit: 0, output: 'done\n' });
    expect(await until(() => !someoneRuns('sleep\u0000654321'))).toBe(true);
  });

  it('is ended with andon, even by kill -9, and leaves no folder', { tags: 'thorough' }, async () => {
    const { tree } = aPlace();
    const file = (path: string): string => JSON.stringify(join(import.meta.dirname, '../../../../src', path));
    const andon = `
      import { createSandboxRuntime } from ${file('sandbox/cage/sandbox-runtime.ts')};
      import { processRunner } from ${file('sandbox/processes/run.ts')};
      import { systemClock } from ${file('base/system/system-clock.ts')};
      const run = processRunner(systemClock, { mark: {}, began() {}, ended() {} });
      const command = { tree: ${JSON.stringify(tree)}, run: 'echo "$TMPDIR" > begun; setsid sleep 543210 & sleep 543210' };
      await createSandboxRuntime(run, ${JSON.stringify(services)}).run({ ...${JSON.stringify(NOTHING)}, ...command, signal: new AbortController().signal });`;
    const child = spawn(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      andon,
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await until(() => existsSync(join(tree, 'begun')) && someoneRuns('sleep\u0000543210'))).toBe(true);
    const scratch = dirname(readFileSync(join(tree, 'begun'), 'utf8').trim());
    expect(existsSync(scratch)).toBe(true);
    child.kill('SIGKILL');
    expect(await until(() => !someoneRuns('sleep\u0000543210') && !existsSync(scratch))).toBe(true);
  });

  it('says which programs it lacks', async () => {
    const some = aFolder();
    for (const program of ['sh', 'bwrap', 'which', 'setpriv']) symlinkSync(onPath(program), join(some, program));
    const caged = createSandboxRuntime(aRunner().run, { ...services, environment: { PATH: some } });
    expect(await caged.unavailable()).toBe(
      'sandbox-runtime needs socat, rg: install it (`apt-get install socat ripgrep`, `dnf install socat ripgrep`)',
    );
    expect(await caged.run({ ...NOTHING, tree: some })).toMatchObject({ exit: null, ended: 'not started' });
  });
});

describe('the package sandbox-runtime', () => {
  it('is not looked for in the project: the line to type puts it beside andon', async () => {
    const place = aFolder();
    mkdirSync(join(place, 'bin'));
    for (const name of ['andon', 'in-sandbox-runtime']) writeFileSync(join(place, `bin/${name}.mjs`), '');
    const found = (): SandboxRuntime | string => findSandboxRuntime(pathToFileURL(join(place, 'dist/x.js')).href);
    const caged = createSandboxRuntime(aRunner().run, services, found);
    const said = `@anthropic-ai/sandbox-runtime is not installed beside andon: install it (\`npm install --prefix ${place} --no-save @anthropic-ai/sandbox-runtime\`)`;
    expect(await caged.unavailable()).toBe(said);
    expect(await caged.run({ ...NOTHING, tree: place })).toMatchObject({ ended: 'not started', output: said });
  });
});

describe.skipIf(why !== undefined)(`a sandbox-runtime that cannot be trusted${skipped}`, () => {
  it.each([
    ['runs the command as it is', 'command', 'it would run the command uncaged'],
    ['is started otherwise than known', '"env " + command', 'does not start bwrap as expected'],
    [
      'cages nothing',
      '"bwrap --dev-bind / / --proc /proc sh -c \'" + command.replaceAll("\'", "\'\\\\\'\'") + "\'"',
      'does not hold here',
    ],
    ['gets no namespaces', '"bwrap --ro-bind / /nowhere --proc /proc -- true"', 'cannot build a cage here: bwrap: '],
    ['cannot cage', '(() => { throw new Error("no namespaces") })()', 'no namespaces'],
  ])('because it %s: no gate runs', { tags: 'thorough' }, async (_, wrap, said) => {
    const folder = aFolder();
    writeFileSync(
      join(folder, 'index.mjs'),
      `export const SandboxManager = { wrapWithSandbox: async (command) => ${wrap}, cleanupAfterCommand() {} };`,
    );
    const real = findSandboxRuntime() as SandboxRuntime;
    const caged = createSandboxRuntime(aRunner().run, services, () => ({
      ...real,
      folder,
      entry: join(folder, 'index.mjs'),
    }));
    expect(await caged.unavailable()).toContain(said);
  });
});

/** The same runner, as an ordinary user who owns the scratch folder of a command. */
const asNobody =
  (run: RunProgram): RunProgram =>
  (command) => {
    // Never what somebody else owns: andon runs some programs in `/`.
    if (basename(command.cwd).startsWith('andon-caged-')) execFileSync('chown', ['-R', String(NOBODY), command.cwd]);
    const args = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', command.program, ...command.args];
    return run({ ...command, program: 'setpriv', args });
  };

const USERS: readonly (readonly [string, (run: RunProgram) => RunProgram])[] = [
  ['whoever runs the tests', (run) => run],
  ...(process.getuid?.() === 0 ? [['nobody', asNobody] as const] : []),
];

describe.skipIf(why !== undefined).each(USERS)(
  `the cage of sandbox-runtime, run by %s${skipped}`,
  { tags: 'thorough' },
  (name, as) => {
    it('stands against the 33 attacks: the first three succeed, the rest is refused', async () => {
      const machine = await aMachine((caged) => createSandboxRuntime(as(aRunner().run), caged), name === 'nobody');
      // One cage for all of them, for each takes a third of a second to build; the one that may take the tree away is last.
      const scripts = [...ATTACKS.map(([, script]) => script(machine)), ...HARMLESS];
      const numbered = scripts.map((script, at) => `( ${script}\n) > "$TMPDIR/out" 2>&1; say ${at} $?`);
      const say = `say() { if grep -q ${SECRET} "$TMPDIR/out"; then echo "$1 tells"; elif [ $2 = 0 ]; then echo "$1 done"; fi; }`;
      const { output } = await machine.run([say, ...numbered].join('\n'));
      expect(output.split('\n').filter((row) => /^\d+ (?:tells|done)$/.test(row))).toEqual([
        '0 done',
        '1 done',
        '2 done',
        '32 done',
        '33 done',
      ]);
      expectUnharmed(machine);
    });
  },
);

/** What a caged command finds set; the shell adds the last four. */
const SEEN = ['LANG', 'PATH', 'TMPDIR', 'OLDPWD', 'PWD', 'SHLVL', '_'];

/** Where the package by itself would let every command of the machine write. */
function withSharedTemporary(): void {
  mkdirSync('/tmp/claude', { recursive: true }); // it stays: a cage that is just being built may have seen it
  const file = `/tmp/claude/of-another-task-${process.pid}`;
  writeFileSync(file, SECRET);
  onTestFinished(() => rmSync(file));
}

const onPath = (program: string): string =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file)) ?? '/nowhere';

function someoneRuns(commandLine: string): boolean {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(commandLine);
      } catch {
        return false;
      }
    });
}
