import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBubblewrap } from '../../../../src/sandbox/cage/bubblewrap.ts';
import { findEgress } from '../../../../src/sandbox/cage/egress.ts';
import { hasProgram } from '../../../support/has-program.ts';
import { aFolder, aRunner } from '../processes/a-runner.ts';
import { ENVIRONMENT } from './attacks.ts';

const lacks =
  process.getuid?.() !== 0 ||
  typeof findEgress(ENVIRONMENT.PATH) === 'string' ||
  !hasProgram('nft') ||
  !mayMakeNetworks();

/** A network with two machines: this one with the addresses of a bridge and of a cloud's metadata service, and another. */
const NETWORK = `set -e
ip link set lo up; ip link add d0 type veth peer name d1
unshare -n sleep 60 & other=$!
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
ip link set d1 netns $other; in_other="nsenter -t $other -n"
$in_other ip addr add 10.99.0.1/24 dev d1; $in_other ip link set d1 up
$in_other "$1" -e 'require("node:net").createServer((one) => one.end("the other machine")).listen(80)' & server=$!
trap 'kill $server $other' EXIT
until $in_other grep -q ':0050 .* 0A ' /proc/net/tcp6; do sleep 0.01; done
ip addr add 10.99.0.2/24 dev d0; ip -6 addr add fd99::2/64 dev d0 nodad; ip link set d0 up
ip route add default via 10.99.0.1; ip -6 route add default via fd99::1 dev d0
ip link add b0 type bridge; ip link set b0 up
for address in 172.17.0.1/16 169.254.169.254/32; do ip addr add $address dev b0; done
for address in fd17::1/64 fd00:ec2::254/128; do ip -6 addr add $address dev b0 nodad; done
"$1" -e 'for (const host of ["169.254.169.254", "fd00:ec2::254"]) require("node:net").createServer((one) => one.end("a secret")).listen(80, host)' & metadata=$!
trap 'kill $server $other $metadata' EXIT
until grep -q ':0050 .* 0A ' /proc/net/tcp; do sleep 0.01; done
"$@"`;

describe('the network of setup', () => {
  it.skipIf(lacks)(
    'reaches other machines, and this one by no address, device or option of a socket, nor a metadata service',
    () => {
      const child = join(import.meta.dirname, 'own-network.mjs');
      const words = [
        '-n',
        'bash',
        '-c',
        NETWORK,
        'sh',
        process.execPath,
        '--no-warnings',
        child,
        aFolder(),
        '10.99.0.1',
      ];
      const said = execFileSync('unshare', words, { encoding: 'utf8', timeout: 100_000 });
      expect(JSON.parse(said.trim().split('\n').at(-1) ?? '')).toEqual({ found: [], output: 'the other machine' });
    },
  );

  it.skipIf(lacks)('is refused in words where no packet filter can be set', async () => {
    const folder = aFolder();
    for (const name of ['home', 'tree', 'bin']) mkdirSync(join(folder, name));
    symlinkSync('/bin/false', join(folder, 'bin/nft'));
    const environment = { ...ENVIRONMENT, PATH: `${join(folder, 'bin')}:${ENVIRONMENT.PATH}` };
    const cage = createBubblewrap(aRunner().run, { home: join(folder, 'home'), environment, hide: [], read: [] });
    const asked = { tree: join(folder, 'tree'), network: true, share: [], timeoutMs: 20_000 };
    const { ended, output } = await cage.run({ ...asked, run: 'echo began', signal: new AbortController().signal });
    expect(ended).toBe('not started');
    expect(output).toMatch(/^setup gets no network: .*without a packet filter .* `apt-get install nftables`/);
  });
});

function mayMakeNetworks(): boolean {
  try {
    accessSync('/dev/net/tun', constants.W_OK);
    execFileSync('unshare', ['-n', 'ip', 'link', 'add', 'type', 'veth']);
    return true;
  } catch {
    return false; // no networks of one's own can be made here
  }
}
