import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CageWorld } from '../../../../src/sandbox/cage/sandbox-mounts.ts';
import { tryDoors } from '../../../../src/app/setup/doctor/try-doors.ts';
import type { CagedCommand } from '../../../../src/sandbox/cage.ts';
import { aFolder, until } from '../processes/a-runner.ts';
import { ENVIRONMENT } from './attacks.ts';
import { cageDrivers, WORLD } from './cage-drivers.ts';
import { NEWER, NUMBERS } from '../../../../src/sandbox/cage/seccomp.ts';

const isRoot = process.getuid?.() === 0;

for (const { name, make, why } of cageDrivers) {
  describe(`the doors of ${name}`, { tags: name === 'bubblewrap' ? [] : 'thorough' }, () => {
    const open = it.skipIf(why !== undefined);

    /** A machine in which one folder is shown, and a cage around a tree of it. */
    const aPlace = (changes: Partial<CageWorld> = {}) => {
      const folder = aFolder();
      for (const sub of ['home', 'tree', 'read']) mkdirSync(join(folder, sub));
      const world = { ...WORLD, home: join(folder, 'home'), read: [join(folder, 'read')], ...changes };
      const run = (script: string, more: Partial<CagedCommand> = {}) =>
        make(world).run({
          run: script,
          tree: join(folder, 'tree'),
          network: false,
          share: [],
          timeoutMs: 20_000,
          signal: new AbortController().signal,
          ...more,
        });
      return { folder, run };
    };

    open('lets nobody write a setting of the kernel, root least of all, nor see devices', async () => {
      const before = readFileSync('/proc/sys/kernel/printk_ratelimit', 'utf8');
      const { output } = await aPlace().run(
        `find /proc -type f -perm /222 -writable 2>/dev/null | grep -v '^/proc/[0-9]' | while read file; do test -f $file && echo $file; done; ls -A /sys
      for file in $(find /proc/sys/kernel /proc/sys/vm -type f); do echo 7 > $file && echo "wrote $file"; done 2>/dev/null`,
      );
      expect(output.replace(/^ls: .*$/m, '').trim()).toBe('');
      expect(readFileSync('/proc/sys/kernel/printk_ratelimit', 'utf8')).toBe(before);
    });

    open(
      'reaches nobody by a Unix socket: not in what is shown, not elsewhere on the disk, not by an abstract name',
      async () => {
        const { folder, run } = aPlace();
        const places = [join(folder, 'read/service.sock'), `\0andon-test-${process.pid}`];
        if (isRoot) places.push(join(aFolderIn('/opt'), 'service.sock'), join(aFolderIn('/var/lib'), 'service.sock'));
        let visits = 0;
        for (const place of places) {
          const server = createServer((socket) => {
            visits += 1;
            socket.end('reached');
          });
          await new Promise<void>((done) => server.listen(place, done));
          onTestFinished(() => void server.close());
          if (!place.startsWith('\0')) chmodSync(place, 0o777);
        }
        const tries = places.map((place) => `${connecting(place)}; echo tried`);
        const { output } = await run(tries.join('\n'));
        expect([visits, output.match(/tried/g)?.length, output.includes('reached')]).toEqual([0, places.length, false]);
      },
    );

    it.skipIf(why !== undefined || !isRoot)(
      'reads no secret of the system, and sees nothing of it but programs and their settings',
      async () => {
        const place = aFolderIn('/var/lib');
        writeFileSync(join(place, 'data'), 'data of a service');
        const { output } = await aPlace().run(
          `cat /etc/shadow; ls -A /etc/ssl/private; cat ${join(place, 'data')}; ls -A /srv /mnt /boot /home; head -1 /etc/passwd`,
        );
        expect(output).toContain('root:x:0:0');
        expect(
          output
            .split('\n')
            .filter((row) => row !== '' && !row.startsWith('root:x:') && !/^(?:cat|ls): |^\/.*:$/.test(row)),
        ).toEqual([]);
      },
    );

    open('makes no namespaces, no mounts, and no sockets but those of the network', async () => {
      const numbers = { ...NUMBERS[process.arch as 'x64'], ...NEWER };
      const call = (what: string, ...args: readonly number[]) =>
        `perl -e '$! = 0; $r = syscall(${[numbers[what], ...args, 0, 0, 0].join(', ')}); print "${what}(${args.join()}) is open\\n" if $r >= 0'`;
      const closed = [
        ...[0x1000_0000, 0x2_0000, 0x2000_0000, 0x4000_0000, 0x0200_0000].map((flag) => call('unshare', flag)),
        ...[17, 38, 40, 31, 44].flatMap((family) => [1, 2, 3, 5].map((type) => call('socket', family, type, 0))),
        ...[4, 9, 12, 15, 16].map((protocol) => call('socket', 16, 3, protocol)),
        ...['io_uring_setup', 'bpf', 'keyctl', 'perf_event_open', 'userfaultfd'].map((what) => call(what, 1)),
        call('add_key'),
        call('setns', 0, 0),
        call('syslog', 3),
        call('open_tree', -100),
      ];
      const { output } = await aPlace().run([...closed, 'unshare -Ur true && echo unshared', 'echo tried'].join('\n'));
      expect(output.split('\n').filter((row) => row.includes('open') || row.includes('unshared'))).toEqual([]);
      expect(output).toContain('tried');
    });

    const shared = make(WORLD).sharesNetwork?.();
    it.skipIf(why !== undefined || shared !== undefined)(
      'gives setup a network that leads out, and to nothing of this machine',
      async () => {
        const { visits, listeners } = await onThisMachine();
        const { output, exit } = await aPlace().run(
          `${listeners.map((script) => `${script}; echo tried`).join('\n')}
        grep -qE '^[a-z0-9]+\\s00000000' /proc/net/route || grep -qE '^0{32} 00 ' /proc/net/ipv6_route || echo leads nowhere; exit 42`,
          { network: true },
        );
        expect([exit, output.match(/tried/g)?.length, visits(), output.includes('nowhere')]).toEqual([
          42,
          listeners.length,
          0,
          false,
        ]);
      },
    );

    open(
      'says that setup shares the network of the machine where nothing can make one, and opens no Unix socket there',
      async () => {
        const programs = aFolder();
        for (const program of ['bwrap', 'sh', 'bash', 'cat', 'perl', 'socat', 'rg', 'which', 'setpriv', 'env'])
          symlinkSync(onPath(program), join(programs, program));
        const environment = { ...ENVIRONMENT, PATH: programs };
        expect(make({ ...WORLD, environment }).sharesNetwork?.()).toContain('apt-get install passt nftables');
        const { visits, listeners } = await onThisMachine();
        const { output } = await aPlace({ environment }).run(listeners.join('\n'), { network: true });
        expect([visits(), output.match(/reached/g)?.length]).toEqual([1, 1]); // the port, which is said; not the socket
      },
    );

    open('holds against all that andon doctor tries, from a gate and from setup', { tags: 'thorough' }, async () => {
      const folder = aFolder();
      const tree = join(folder, 'tree');
      for (const sub of ['home', 'tree']) mkdirSync(join(folder, sub));
      expect(await tryDoors(make({ ...WORLD, home: join(folder, 'home') }), tree, true)).toEqual([]);
    });

    open('ends setup with everything in it, its network too, when andon says so', async () => {
      const { folder, run } = aPlace();
      const abort = new AbortController();
      const mark = `${process.pid}${name.length}77`;
      const ends = run(`echo > begun; setsid sleep ${mark} & sleep ${mark}`, { network: true, signal: abort.signal });
      expect(await until(() => existsSync(join(folder, 'tree/begun')))).toBe(true);
      const helpers = shared === undefined ? processes().filter((words) => words.includes('--dns-forward')) : [];
      expect(helpers.length > 0 || shared !== undefined).toBe(true);
      abort.abort();
      expect(await ends).toMatchObject({ ended: 'aborted' });
      expect(await until(() => !processes().some((words) => words.includes(`sleep ${mark}`)))).toBe(true);
    });

    open('lets tests talk to each other: processes by pipes and socket pairs, servers by loopback', async () => {
      const { output } = await aPlace().run(
        `perl -MSocket -e 'socketpair($a, $b, AF_UNIX, SOCK_STREAM, 0) or die; if (fork) { sysread($a, $x, 4); print "$x\\n" } else { syswrite($b, "pair") }'
      perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die; if ($p = fork) { $s->accept->print("loop\\n"); waitpid($p, 0) } else { print IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $s->sockport)->getline }'
      ( ( echo deep ) | cat ) | cat
      ${name === 'bubblewrap' ? `perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new(Listen => 1, Local => "/tmp/own.sock") or die; print "named\\n" if IO::Socket::UNIX->new("/tmp/own.sock")'` : 'echo named'}`,
      );
      expect(output.trim().split('\n')).toEqual(['pair', 'loop', 'deep', 'named']);
    });

    open('hides the checkout also where it lies in a folder that is shown, unless you name it', async () => {
      const folder = aFolder();
      const checkout = join(folder, 'bin/checkout');
      mkdirSync(checkout, { recursive: true });
      writeFileSync(join(folder, 'bin/words'), 'words\n');
      writeFileSync(join(checkout, '.env'), 'secret of the checkout\n');
      const environment = { ...ENVIRONMENT, PATH: `${join(folder, 'bin')}:${ENVIRONMENT.PATH}` };
      const look = `cat ${checkout}/../words ${checkout}/.env; ( : > ${checkout}/new ) 2>/dev/null; true`;
      const hidden = await aPlace({ environment, hide: [checkout] }).run(look);
      const named = await aPlace({ environment, hide: [checkout], read: [checkout] }).run(look);
      expect([hidden, named].map(({ output }) => output.includes('secret of'))).toEqual([false, true]);
      expect([hidden.output.includes('words\n'), existsSync(join(checkout, 'new'))]).toEqual([true, false]);
    });

    open('shows a toolchain that lies elsewhere: on PATH, by a link, with the libraries beside it', async () => {
      const folder = aFolder();
      const at = (path: string): string => join(folder, path);
      for (const path of [
        'data/tool-1.2/bin',
        'data/tool-1.2/lib',
        'links',
        'data/checkout/.git',
        'data/checkout/bin',
        'data/checkout/lib',
      ])
        mkdirSync(at(path), { recursive: true });
      writeFileSync(at('data/tool-1.2/lib/words'), 'from its library\n');
      writeFileSync(at('data/tool-1.2/bin/tool'), '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../lib/words"\n', {
        mode: 0o755,
      });
      writeFileSync(at('data/checkout/lib/words'), 'of a checkout\n');
      writeFileSync(at('data/checkout/bin/other'), '#!/bin/sh\ncat "$(dirname "$0")/../lib/words"\n', { mode: 0o755 });
      symlinkSync('../data/tool-1.2', at('links/tool'));
      symlinkSync(at('data/tool-1.2/bin/tool'), at('links/again'));
      const PATH = [at('links/tool/bin'), at('links'), at('data/checkout/bin'), ENVIRONMENT.PATH].join(':');
      const { run } = aPlace({ environment: { ...ENVIRONMENT, PATH } });
      const { output } = await run('tool; again; other');
      expect(output.match(/from its library/g)?.length).toBe(2);
      expect(output).not.toContain('of a checkout');
    });
  });
}

/** A folder of this test's own where services of a machine have theirs. */
function aFolderIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'andon-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(existsSync(folder)).toBe(true);
  return folder;
}

/** Who listens on this machine, and the commands that go there: a port, and a socket with an abstract name. */
async function onThisMachine() {
  let visits = 0;
  const name = `\0andon-test-${process.pid}-${performance.now()}`;
  const servers = await Promise.all(
    [{ port: 0 }, { path: name }].map(async (at) => {
      const server = createServer((socket) => {
        visits += 1;
        socket.end('reached');
      });
      await new Promise<void>((done) => server.listen(at, done));
      onTestFinished(() => void server.close());
      return server;
    }),
  );
  const port = (servers[0]?.address() as AddressInfo | undefined)?.port ?? 0;
  const listeners = [`bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'`, connecting(name)];
  return { visits: () => visits, listeners };
}

const onPath = (program: string): string =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file)) ?? '/nowhere';

/** The command lines of all processes of this machine. */
const processes = (): readonly string[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });

/** Connects to a Unix socket; Perl is where git is. */
function connecting(place: string): string {
  const name = place.replace('\0', '\\0');
  return `perl -MSocket -e 'socket($s, AF_UNIX, SOCK_STREAM, 0) && connect($s, sockaddr_un("${name}")) && print <$s>'`;
}
