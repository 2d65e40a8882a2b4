import { describe, expect, it } from 'vitest';
import { seccompFilter, NEWER, NUMBERS } from '../../../../src/sandbox/cage/seccomp.ts';

const CAGE = { namespaces: true, unixSockets: false };
const ARCHITECTURE = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
type Processor = keyof typeof ARCHITECTURE;

/** What the kernel would answer: it runs the filter over what is called. */
function answer(filter: Uint8Array | undefined, architecture: number, number: number, args: readonly number[] = []) {
  const view = new DataView((filter ?? new Uint8Array()).buffer);
  const call = new Map([[0, number], [4, architecture], ...args.map((arg, at) => [16 + 8 * at, arg] as const)]);
  let taken = 0;
  for (let at = 0; ; at += 1) {
    const [code, yes, no] = [view.getUint16(at * 8, true), view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)];
    const value = view.getUint32(at * 8 + 4, true);
    if (code === 0x06) return value === 0x7fff_0000 ? 'allowed' : `errno ${value & 0xffff}`;
    if (code === 0x20) taken = call.get(value) ?? 0;
    else {
      const holds = { 0x15: taken === value, 0x35: taken >= value, 0x45: (taken & value) !== 0 }[code];
      if (holds === undefined) throw new Error(`unknown instruction ${code}`);
      at += holds ? yes : no;
    }
  }
}

describe.each(['x64', 'arm64'] as const)('the filter of system calls for %s', (processor: Processor) => {
  const numbers: Readonly<Record<string, number>> = { ...NUMBERS[processor], ...NEWER };
  const ask = (name: string, args: readonly number[] = [], doors = CAGE) =>
    answer(seccompFilter(doors, processor), ARCHITECTURE[processor], numbers[name] ?? -1, args);

  it('lets through what every program does', () => {
    const filter = seccompFilter(CAGE, processor);
    const busy = Array.from({ length: 460 }, (_, number) => number).filter(
      (one) => !Object.values(numbers).includes(one),
    );
    expect(busy.filter((one) => answer(filter, ARCHITECTURE[processor], one, [1, 1, 0]) !== 'allowed')).toEqual([]);
    expect(ask('clone', [0x11])).toBe('allowed'); // fork
    expect(ask('clone', [0x003d_0f00])).toBe('allowed'); // a thread
    expect(ask('unshare', [0x600])).toBe('allowed'); // its own open files and working folder
  });

  it('refuses namespaces, however they are asked for, and every mount', () => {
    for (const flag of [0x2_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]) {
      expect(ask('unshare', [flag])).toBe('errno 1');
      expect(ask('clone', [flag | 0x11])).toBe('errno 1');
    }
    expect(ask('unshare', [0x80])).toBe('errno 1');
    expect(ask('clone3', [1, 88])).toBe('errno 38');
    for (const name of ['mount', 'umount2', 'pivot_root', 'setns', 'fsopen', 'move_mount'])
      expect(ask(name)).toBe('errno 1');
  });

  it('refuses every family of sockets but the network’s, Unix and the list of addresses', () => {
    const families = Array.from({ length: 60 }, (_, family) => family).filter(
      (one) => ask('socket', [one, 1, 0]) === 'allowed',
    );
    expect(families).toEqual([1, 2, 10, 16]);
    expect(Array.from({ length: 24 }, (_, at) => at).filter((at) => ask('socket', [16, 3, at]) === 'allowed')).toEqual([
      0,
    ]);
    expect([ask('socketpair', [1, 1, 0]), ask('socketpair', [30, 1, 0])]).toEqual(['allowed', 'errno 97']);
    const shared = { namespaces: true, unixSockets: true };
    expect([ask('socket', [1, 1, 0], shared), ask('socketpair', [1, 1, 0], shared)]).toEqual(['errno 97', 'allowed']);
  });

  it('refuses what is the machine’s, and programs that number their calls otherwise', () => {
    for (const name of ['bpf', 'keyctl', 'perf_event_open', 'kexec_load', 'init_module', 'reboot'])
      expect(ask(name)).toBe('errno 1');
    for (const name of ['io_uring_setup', 'userfaultfd']) expect(ask(name)).toBe('errno 38');
    const filter = seccompFilter(CAGE, processor);
    expect(answer(filter, 0x4000_0003, 1)).toBe('errno 38');
    if (processor === 'x64') expect(answer(filter, ARCHITECTURE.x64, 0x4000_0001)).toBe('errno 38');
  });

  it('makes segments of System V up to the largest one', () => {
    const doors = { ...CAGE, largestSegment: 65_536 };
    const answers = [65_536, 65_537, 0xffff_ffff].map((size) => ask('shmget', [0, size], doors));
    expect(answers).toEqual(['allowed', 'errno 22', 'errno 22']);
    expect(ask('shmget', [0, 2 ** 31])).toBe('allowed');
  });

  it('leaves namespaces to a package that makes some itself', () => {
    const theirs = { namespaces: false, unixSockets: false };
    for (const name of ['mount', 'setns', 'clone3']) expect(ask(name, [], theirs)).toBe('allowed');
    expect(ask('unshare', [0x1000_0000], theirs)).toBe('allowed');
    expect(ask('bpf', [], theirs)).toBe('errno 1');
  });
});

describe('the filter for another processor', () => {
  it('does not exist', () => {
    expect(seccompFilter(CAGE, 'riscv64')).toBeUndefined();
  });
});
