// Runs one command in a network of its own that reaches the internet and nothing of this machine. A helper (pasta or
// slirp4netns) carries the packets. The reason for a failed start is written to `not-started` in the scratch folder.
// Descriptors 3 and 4 are passed to the command, in which the word PARENT is replaced by the pid of this process.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

const [parent, scratch, plan] = process.argv.slice(2);
if (plan === undefined) {
  console.error('andon starts this program itself; see andon --help');
  process.exit(2);
}
const { holder, helper, ip, nft, drop, environment, ...rest } = JSON.parse(plan);
const command = rest.command.map((word) => (word === 'PARENT' ? String(process.pid) : word));
/** Loopback, link-local and multicast addresses, at which this machine may listen, and metadata services of clouds. */
const CLOSED = {
  four: [
    '0.0.0.0/8',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '224.0.0.0/4',
    '255.255.255.255',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
  ],
  six: [
    '::/127',
    '::ffff:0:0/96',
    '64:ff9b::a9fe:0/112',
    'fe80::/10',
    'ff00::/8',
    'fd00:ec2::/32',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
  ],
};
let caged;
let carrier;

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => end(1));
// An orphan gets no signal, so it polls.
const isOrphan = () => process.ppid !== Number(parent);
setInterval(() => isOrphan() && end(1), 100);
process.on('exit', () => isOrphan() && rmSync(scratch, { recursive: true, force: true }));

// It waits for the rules, so that network and packet filter exist before the command starts. Routes alone are not
// enough: the kernel ignores them for a socket that names its device.
const CLOSE = `rules=$(cat) && [ -n "$rules" ] || exit 1
said=$(printf '%s\\n' "$rules" | "$1" -f - 2>&1) || { echo "$3 (nft: $said)" > "$2"; exit 1; }
shift 3; exec "$@" </dev/null`;
const OPEN =
  'without a packet filter it would reach this machine, and none can be set. Is nftables installed? `apt-get install nftables`, `dnf install nftables`';
const note = join(scratch, 'not-started');
caged = spawn(holder[0], [...holder.slice(1), '/bin/sh', '-c', CLOSE, 'sh', nft, note, OPEN, ...drop, ...command], {
  stdio: ['pipe', 'inherit', 'inherit', 3, 4],
  env: environment,
  detached: true,
});
caged.on('error', (error) => refuse(error.message));
caged.on('exit', (code, signal) => end(signal === null ? code : 128 + constants.signals[signal]));
caged.stdin.on('error', () => {});

await until(() => linkOf(caged.pid) !== linkOf('self'));
let said = '';
const words = helper.slice(1).map((word) => (word === 'PID' ? String(caged.pid) : word));
carrier = spawn(helper[0], words, {
  stdio: ['ignore', 'ignore', 'pipe'],
});
carrier.stderr.on('data', (text) => (said += text));
carrier.on('error', (error) => refuse(error.message));
carrier.on('exit', () => refuse(said.trim().split('\n').at(-1)));
await until(leadsOut);
caged.stdin.end(rules());

/** The packet filter drops packets to this machine and to the metadata services of clouds, which hand out secrets. */
function rules() {
  const [four, six] = [
    [...CLOSED.four, ...ofThisMachine('-4')],
    [...CLOSED.six, ...ofThisMachine('-6')],
  ];
  return [
    'add table inet andon',
    'add chain inet andon out { type filter hook output priority 0; policy accept; }',
    'add rule inet andon out oifname "lo" accept', // its own loopback
    ...four.map((address) => `add rule inet andon out ip daddr ${address} reject`),
    // The kernel itself finds neighbours and routers; a command without rights sends none of these.
    'add rule inet andon out icmpv6 type { 133, 134, 135, 136, 143 } accept',
    ...six.map((address) => `add rule inet andon out ip6 daddr ${address} reject`),
  ].join('\n');
}

/** Every address at which this machine receives packets, including idle interfaces and broadcasts. */
function ofThisMachine(family) {
  const { status, stdout, error } = spawnSync(ip, [family, 'route', 'show', 'table', 'all'], { encoding: 'utf8' });
  if (status !== 0) refuse(`the addresses of this machine are not known (${ip}: ${error?.message ?? status})`);
  // A transparent proxy's table holds `local default`: a route for everything, not an address of this machine.
  return [...stdout.matchAll(/^(?:local|broadcast|anycast) (\S+)/gm)]
    .map(([, address]) => address)
    .filter((address) => !/^default$|\/0$/.test(address));
}

/** Whether a default route exists, for either protocol. */
function leadsOut() {
  const read = (name) => {
    try {
      return readFileSync(`/proc/${caged.pid}/net/${name}`, 'utf8');
    } catch {
      return '';
    }
  };
  return /^(?!lo)\S+\t00000000\t/m.test(read('route')) || /^0{32} 00 .* (?!lo$)\S+$/m.test(read('ipv6_route'));
}

function linkOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return readlinkSync('/proc/self/ns/net');
  }
}

/** Polls for at most ten seconds. */
async function until(isSo) {
  for (const last = performance.now() + 10_000; !isSo();) {
    if (performance.now() > last) refuse('it does not come up');
    await new Promise((done) => setTimeout(done, 5));
  }
}

function refuse(reason) {
  writeFileSync(note, `${helper[0]}: ${reason || 'it ended'}`);
  end(1);
}

function end(code) {
  carrier?.removeAllListeners('exit');
  carrier?.kill('SIGKILL');
  try {
    process.kill(-caged.pid, 'SIGKILL');
  } catch {
    // it has ended
  }
  process.exit(code);
}
