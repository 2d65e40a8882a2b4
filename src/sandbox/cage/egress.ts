import { accessSync, constants, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installRoot } from '../../base/system/install-root.ts';
import type { StartCommand } from './run-shell.ts';
import { findOnPath } from './resolve-path.ts';

/** How a command gets an outbound-only network. */
export interface Egress {
  /** `pasta` or `slirp4netns`. */
  readonly name: string;
  /** The command line of the helper for the process `PID`. */
  readonly helper: readonly string[];
  /** The DNS server inside. */
  readonly resolver: string;
  readonly unshare: string;
  readonly setpriv: string;
  readonly ip: string;
  /** Sets the packet filter; without it the command gets no network. */
  readonly nft: string;
}

/** How to make an outbound-only network for `setup` on this machine; else why it shares the machine's. */
export function findEgress(path: string | undefined): Egress | string {
  const on = (name: string): string | undefined => findOnPath(name, path);
  const [unshare, setpriv, ip] = [on('unshare'), on('setpriv'), on('ip')];
  const helper = HELPERS.find(({ name }) => on(name) !== undefined);
  if (helper === undefined) return `pasta is not installed: install it (${INSTALL})`;
  if (unshare === undefined || setpriv === undefined || ip === undefined)
    return 'unshare, setpriv or ip is not installed: install them (`apt-get install util-linux iproute2`, `dnf install util-linux iproute`)';
  if (!canOpen(TUNNEL)) return `${TUNNEL} cannot be opened here`;
  const name = on(helper.name) ?? helper.name;
  const nft = findOnPath('nft', [path, ...FOR_ROOT].join(delimiter)) ?? 'nft';
  return { ...helper, helper: [name, ...helper.words], unshare, setpriv, ip, nft };
}

/** The message for users; undefined when `setup` has a network of its own. */
export function describeSharedNetwork(path: string | undefined): string | undefined {
  const egress = findEgress(path);
  return typeof egress === 'string' ? egress : undefined;
}

const INSTALL = '`apt-get install passt nftables`, `dnf install passt nftables`';
/** Folders of programs outside of an ordinary user's PATH. */
const FOR_ROOT = ['/usr/sbin', '/sbin'];
const TUNNEL = '/dev/net/tun';

/** A resolver address that no network uses: reserved for documentation. */
const NAMES = '203.0.113.53';
const ROOT = process.getuid?.() === 0 ? ['--runas', '0:0'] : [];

const HELPERS = [
  {
    name: 'pasta',
    resolver: NAMES,
    words: [
      '--foreground',
      '--quiet',
      '--config-net',
      '--no-map-gw',
      '--dns-forward',
      NAMES,
      ...ROOT,
      ...['-t', '-u', '-T', '-U'].flatMap((ports) => [ports, 'none']),
      'PID',
    ],
  },
  {
    name: 'slirp4netns',
    resolver: '198.18.53.3',
    words: ['--configure', '--mtu=65520', '--disable-host-loopback', '--cidr=198.18.53.0/24', 'PID', 'tap0'],
  },
];

function canOpen(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The same start in an outbound-only network; the scratch folder holds the reason for a failure. */
export function withEgress(egress: Egress, start: StartCommand, scratch: string): StartCommand {
  const plan = {
    // Drops the rights to change the filter before the command begins.
    holder: [egress.unshare, '--user', '--map-current-user', '--keep-caps', '--net', '--'],
    helper: egress.helper,
    ip: egress.ip,
    nft: egress.nft,
    drop: [egress.setpriv, '--inh-caps=-all', '--ambient-caps=-all', '--'],
    command: [start.program, ...start.args],
    environment: start.env,
  };
  return {
    ...start,
    program: process.execPath,
    args: [join(installRoot(), 'bin', 'with-egress.mjs'), String(process.pid), scratch, JSON.stringify(plan)],
    env: { PATH: '/usr/bin:/bin' },
  };
}

/**
 * The arguments of bwrap that mount a resolver configuration over the machine's, which may name an unreachable server.
 */
export function resolverMount(egress: Egress, scratch: string): readonly string[] {
  if (!existsSync('/etc/resolv.conf')) return [];
  const place = realpathSync('/etc/resolv.conf');
  const others = readFileSync(place, 'utf8')
    .split('\n')
    .filter((row) => !/^\s*nameserver\b/.test(row));
  const file = join(scratch, 'resolv.conf');
  writeFileSync(file, [`nameserver ${egress.resolver}`, ...others].join('\n'));
  return ['--ro-bind', file, place];
}
