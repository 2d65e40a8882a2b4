// Runs one command in a network of its own that leads out and not back: the internet and nothing of this machine. A
// helper (pasta or slirp4netns) carries the packets. What stands in the way is written into `not-started` in the scratch
// folder. Descriptors 3 and 4 are handed on to the command, in which the word PARENT stands for this process.
import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { constants, networkInterfaces } from 'node:os';
import { join } from 'node:path';

const [parent, scratch, plan] = process.argv.slice(2);
if (plan === undefined) {
  console.error('andon starts this program itself; see andon --help');
  process.exit(2);
}
const { holder, helper, ip, drop, environment, ...rest } = JSON.parse(plan);
const command = rest.command.map((word) => (word === 'PARENT' ? String(process.pid) : word));
let caged;
let carrier;

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => end(1));
// Nobody tells an orphan that it is one.
const isOrphan = () => process.ppid !== Number(parent);
setInterval(() => isOrphan() && end(1), 100);
process.on('exit', () => isOrphan() && rmSync(scratch, { recursive: true, force: true }));

// It waits for a line, so that the network is there before the command is, and for the addresses that lead nowhere.
const CLOSE = `read -r addresses && for address in $addresses; do
  case $address in
    *:*) "$1" -6 route add unreachable "$address" 2>/dev/null ;;
    *) "$1" -4 route add unreachable "$address" || { echo "ip: $address cannot be closed" > "$2"; exit 1; } ;;
  esac
done; shift 2; exec "$@" </dev/null`;
const note = join(scratch, 'not-started');
caged = spawn(holder[0], [...holder.slice(1), '/bin/sh', '-c', CLOSE, 'sh', ip, note, ...drop, ...command], {
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
caged.stdin.end(`${ofThisMachine().join(' ')}\n`);

/** Addresses of this machine, and those at which a cloud tells secrets to whoever asks. */
function ofThisMachine() {
  const own = Object.values(networkInterfaces()).flatMap((all) => all.filter(({ internal }) => !internal));
  return [...new Set(own.map(({ address }) => address.split('%')[0])), '169.254.0.0/16', 'fd00:ec2::254'];
}

/** Whether there is a way out: a default route, of either kind. */
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

/** Looks again and again; after ten seconds it will not come. */
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
