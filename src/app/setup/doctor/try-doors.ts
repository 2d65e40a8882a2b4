import { getLastLine } from '../../../base/get-last-line.ts';
import { quoteForShell } from '../../../base/shell-word.ts';
import { readFileSync, rmSync } from 'node:fs';
import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type ListenOptions } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Cage } from '../../../sandbox/cage.ts';
import { TRIAL_RUN } from './doctor-check.ts';
import { makeSocketFolder } from '../../../base/system/socket-folder.ts';

/** A listener outside the sandbox that reports who reaches it; the sandboxed command is not trusted to. */
interface Listener {
  readonly what: string;
  readonly at: ListenOptions;
}

/** Tries to get out of a cage by the doors that a machine has, with `setup`'s network where there is a setup; what got out. */
export async function tryDoors(cage: Cage, tree: string, alsoSetup: boolean): Promise<readonly string[]> {
  const folder = makeSocketFolder();
  const reached = new Set<string>();
  const { listeners, close } = await listen(folder, (what) => reached.add(what));
  try {
    const gate = await tryFrom(cage, tree, false, listeners);
    const fromGate = [...reached].map((what) => `a gate reaches ${what}`);
    if (!alsoSetup) return [...gate, ...fromGate];
    reached.clear();
    const own = cage.sharesNetwork?.() === undefined;
    const setup = await tryFrom(
      cage,
      tree,
      true,
      own ? listeners : listeners.filter(({ at }) => at.path !== undefined),
    );
    return [...gate, ...fromGate, ...setup, ...[...reached].map((what) => `setup reaches ${what}`)];
  } finally {
    close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A Unix socket with a name and one without, and a port of this machine by each of its addresses. */
async function listen(folder: string, reached: (what: string) => void) {
  const wanted: Listener[] = [{ what: 'a Unix socket of this machine', at: { path: join(folder, OWN_SOCKET) } }];
  if (process.platform === 'linux')
    wanted.push({ what: 'an abstract socket of this machine', at: { path: `\0andon-doors-${process.pid}` } });
  const servers = wanted.map(({ what, at }) => ({ what, at, server: createServer((visitor) => visit(what, visitor)) }));
  const port = createServer((visitor) => visit(SERVER, visitor));
  const packets = createSocket({ type: 'udp6' }, () => reached(SERVER));
  const visit = (what: string, visitor: { destroy(): void }): void => {
    reached(what);
    visitor.destroy();
  };
  await Promise.all([
    ...servers.map(({ server, at }) => new Promise<void>((done) => server.listen(at, done))),
    new Promise<void>((done) => port.listen(0, done)),
  ]);
  const number = (port.address() as AddressInfo).port;
  await new Promise<void>((done) => {
    packets.on('error', () => done()); // the port is taken, or there is no IPv6: only connections are counted
    packets.bind(number, done);
  });
  const addresses = [
    ...new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))),
  ];
  const ports = addresses.map((address): Listener => ({ what: SERVER, at: { host: address, port: number } }));
  return {
    listeners: [...wanted, ...ports],
    close: () => [...servers.map(({ server }) => server), port, packets].forEach((server) => server.close()),
  };
}

const SERVER = 'a server on this machine';

/** Metadata addresses where clouds serve secrets over HTTP. */
const METADATA = ['169.254.169.254', 'fd00:ec2::254'];

/** Runs the probe with the Node.js that runs andon, which need not be one that gates see. */
async function tryFrom(
  cage: Cage,
  tree: string,
  network: boolean,
  listeners: readonly Listener[],
): Promise<readonly string[]> {
  const plan = JSON.stringify({ places: [...listeners.map(({ at }) => at), ...servicesOfThisMachine()] });
  const hosts = listeners.flatMap(({ at }) => (at.host === undefined ? [] : [at.host]));
  const boundTo = [
    [`${SAID}reaches `, String(listeners.find(({ at }) => at.host !== undefined)?.at.port ?? 9), ...hosts],
    ...(hosts.length === 0 ? [] : [[`${SAID}reaches `, '80', ...METADATA]]),
  ];
  const { exit, output, ended } = await cage.run({
    ...TRIAL_RUN,
    run: `(${IN_SHELL}); ${boundTo.map((words) => `perl -e ${quoteForShell(BOUND_SOCKETS)} ${words.map(quoteForShell).join(' ')} 2>/dev/null &`).join(' ')} wait; node/${NODE} -e ${quoteForShell(PROBE)} ${quoteForShell(plan)}`,
    tree,
    network,
    share: [[dirname(process.execPath), 'node']],
    timeoutMs: 60_000,
  });
  const lines = output
    .split('\n')
    .filter((row) => row.startsWith(SAID))
    .map((row) => row.slice(SAID.length));
  if (lines.pop() === 'done' && exit === 0) return lines;
  return [
    `the doors could not be tried from ${network ? 'setup' : 'a gate'}: ${getLastLine(output) || (exit ?? ended)}`,
  ];
}

const NODE = process.platform === 'win32' ? 'node.exe' : 'node';

const SAID = 'door: ';

/** The name of a trial's own socket: other trials leave it out, since a leak there would count as one here. */
const OWN_SOCKET = 'andon-doctor-trial';

/** Named Unix sockets with a listener, as far as this user sees them, without those of trials. */
function servicesOfThisMachine(): readonly ListenOptions[] {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .flatMap((row) => /^\S+ \S+ \S+ 00010000 .* (\/\S+)$/.exec(row)?.[1] ?? [])
      .filter((path) => basename(path) !== OWN_SOCKET)
      .slice(0, 64)
      .map((path) => ({ path }));
  } catch {
    return [];
  }
}

/** Opens what it may not: connects to each place, and opens settings of the kernel for writing, without writing. */
const PROBE = `
const { connect } = require('node:net');
const fs = require('node:fs');
const say = (text) => console.log('\\n${SAID}' + text);
const { places } = JSON.parse(process.argv[1]);
const reach = (at) => new Promise((done) => {
  const socket = connect(at, () => { if (at.path && at.path[0] === '/') say('reaches ' + at.path); socket.destroy(); done(); });
  socket.on('error', done);
  setTimeout(() => { socket.destroy(); done(); }, 3000).unref();
});
let open = 0;
const look = (folder) => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = folder + '/' + entry.name;
    try { if (entry.isDirectory()) look(path); else { fs.closeSync(fs.openSync(path, 'r+')); open += 1; } } catch {}
  }
};
if (fs.existsSync('/proc/sys')) look('/proc/sys');
if (open > 0) say('writes ' + open + ' settings of the kernel (/proc/sys)');
Promise.all(places.map(reach)).then(() => say('done'));
`;

/** Makes namespaces and mounts, where the programs for it are seen. */
const IN_SHELL = [
  'command -v unshare >/dev/null || exit 0',
  `unshare -U true 2>/dev/null && echo '${SAID}makes namespaces of its own'`,
  `mkdir -p m && mount -t tmpfs none m 2>/dev/null && umount m && echo '${SAID}mounts'`,
  `unshare -Urm mount -t tmpfs none m 2>/dev/null && echo '${SAID}mounts in namespaces of its own'`,
].join('; ');

/**
 * A script for Perl, which is where git is: connects to addresses, and sends a packet to each, by sockets that name the
 * device they go through. The kernel asks no route for these. It prints `<address> by <way>` for each connection it gets.
 * Its arguments are the words before each line, a port, and the addresses; Node.js cannot open such sockets.
 */
const BOUND_SOCKETS = `
use strict; use Socket qw(:all); use Fcntl;
my ($said, $port, @addresses) = @ARGV;
open(my $list, "<", "/proc/net/dev") or exit;
my @devices = grep { $_ ne "lo" } map { /^\\s*([^:\\s]+):/ ? $1 : () } <$list>;
my @open;
for my $device (@devices) {
  for my $address (@addresses) {
    my $isSix = $address =~ /:/;
    my @forms = $isSix ? ([AF_INET6, $address]) : ([AF_INET, $address], [AF_INET6, "::ffff:$address"]);
    for my $form (@forms) {
      for my $way ("SO_BINDTODEVICE", "UNICAST_IF", "SO_DONTROUTE") {
        for my $type (SOCK_STREAM, SOCK_DGRAM) {
          my ($family, $name) = @$form;
          socket(my $socket, $family, $type, 0) or next;
          my $asked = pack("a16x24", $device);
          ioctl($socket, 0x8933, $asked) or next;
          my $index = unpack("x16i", $asked);
          my @option = $way eq "SO_BINDTODEVICE" ? (SOL_SOCKET, 25, "$device\\0")
            : $way eq "SO_DONTROUTE" ? (SOL_SOCKET, 5, pack("i", 1))
            : $isSix ? (41, 76, pack("N", $index)) : (0, 50, pack("N", $index));
          setsockopt($socket, $option[0], $option[1], $option[2]) or next;
          my $binary = inet_pton($family, $name);
          my $place = $family == AF_INET ? pack_sockaddr_in($port, $binary) : pack_sockaddr_in6($port, $binary);
          fcntl($socket, F_SETFL, O_NONBLOCK);
          if ($type == SOCK_DGRAM) { send($socket, "door", 0, $place); next; }
          connect($socket, $place);
          push @open, [$socket, "$name by $way"];
        }
      }
    }
  }
}
my $last = time + 3;
while (@open && time < $last) {
  my @left;
  for (@open) { if (getpeername($_->[0])) { print "\n$said$_->[1]\n" } elsif (!unpack("i", getsockopt($_->[0], SOL_SOCKET, SO_ERROR))) { push @left, $_ } }
  @open = @left;
  select(undef, undef, undef, 0.05) if @open;
}
`;
