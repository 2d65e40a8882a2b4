/** What a filter closes in addition to calls that no gate needs. */
export interface Doors {
  /** Whether namespaces and mounts are closed; sandbox-runtime makes some inside and closes them itself. */
  readonly namespaces: boolean;
  /** Whether Unix sockets are closed, named and abstract: where a command shares the machine's network. */
  readonly unixSockets: boolean;
  /**
   * Bytes of the largest segment of System V; default: no limit. A segment that no process has attached is invisible.
   */
  readonly largestSegment?: number | undefined;
}

/**
 * A filter of system calls for `bwrap --seccomp`: sockets reach only the cage's network, and calls about the machine
 * (keys, clock, modules, disks, tracing) are refused. Undefined for an unknown processor.
 */
export function seccompFilter(doors: Doors, processor: string = process.arch): Uint8Array | undefined {
  if (processor !== 'x64' && processor !== 'arm64') return undefined;
  const numbers = { ...NUMBERS[processor], ...NEWER };
  const call = (name: string, rule: readonly Step[]): readonly Step[] =>
    numbers[name] === undefined ? [] : [jump(EQUAL, numbers[name], 0, rule.length), ...rule];
  const closed = [...MACHINE, ...(doors.namespaces ? MOUNTS : [])];
  return assemble([
    load(ARCHITECTURE),
    ...unless(AUDIT[processor], refuse(ENOSYS)), // programs of another processor have other numbers
    load(NUMBER),
    ...(processor === 'x64' ? [jump(AT_LEAST, 0x4000_0000, 0, 1), refuse(ENOSYS)] : []),
    ...closed.flatMap((name) => call(name, [refuse(EPERM)])),
    ...ABSENT.flatMap((name) => call(name, [refuse(ENOSYS)])),
    ...(doors.namespaces ? call('clone3', [refuse(ENOSYS)]) : []), // its flags are in memory; libc then falls back to clone
    ...(doors.namespaces ? call('clone', onFlags(NEW_NAMESPACES)) : []),
    ...(doors.namespaces ? call('unshare', onFlags(NEW_NAMESPACES | NEW_TIME)) : []),
    ...(doors.largestSegment === undefined ? [] : call('shmget', upTo(doors.largestSegment))),
    ...call('socketpair', [load(FIRST), ...unless(AF_UNIX, refuse(EAFNOSUPPORT)), ALLOW]),
    ...call('socket', families(doors.unixSockets)),
    ALLOW,
  ]);
}

/**
 * Calls that concern the machine. Most need rights that a cage never has; they are blocked in case the kernel has a
 * hole.
 */
const MACHINE = [
  'add_key',
  'request_key',
  'keyctl',
  'bpf',
  'perf_event_open',
  'fanotify_init',
  'pidfd_getfd',
  'name_to_handle_at',
  'open_by_handle_at',
  'syslog',
  'acct',
  'quotactl',
  'quotactl_fd',
  'swapon',
  'swapoff',
  'reboot',
  'kexec_load',
  'kexec_file_load',
  'init_module',
  'finit_module',
  'delete_module',
  'iopl',
  'ioperm',
  'settimeofday',
  'clock_settime',
  'adjtimex',
  'clock_adjtime',
];

/** Calls that change mounts or join other namespaces. */
const MOUNTS = [
  'mount',
  'umount2',
  'pivot_root',
  'setns',
  'open_tree',
  'move_mount',
  'fsopen',
  'fsconfig',
  'fsmount',
  'fspick',
  'mount_setattr',
];

/** Calls that programs do without, since some kernels lack them. */
const ABSENT = ['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'userfaultfd', 'memfd_secret'];

/** Only network families and Unix sockets; of netlink only the query of addresses. */
function families(closesUnix: boolean): readonly Step[] {
  return [
    load(FIRST),
    jump(EQUAL, AF_INET, 0, 1),
    ALLOW,
    jump(EQUAL, AF_INET6, 0, 1),
    ALLOW,
    jump(EQUAL, AF_UNIX, 0, 1),
    closesUnix ? refuse(EAFNOSUPPORT) : ALLOW,
    ...unless(AF_NETLINK, refuse(EAFNOSUPPORT)),
    load(THIRD),
    ...unless(NETLINK_ROUTE, refuse(EAFNOSUPPORT)),
    ALLOW,
  ];
}

/** Refused when the first argument has one of these flags. */
const onFlags = (flags: number): readonly Step[] => [load(FIRST), jump(HAS_BITS, flags, 0, 1), refuse(EPERM), ALLOW];

/** Refused, as above the kernel's own limit, when the second argument exceeds this. */
const upTo = (most: number): readonly Step[] => [
  load(SECOND + 4),
  ...unless(0, refuse(EINVAL)),
  load(SECOND),
  jump(AT_LEAST, most + 1, 0, 1),
  refuse(EINVAL),
  ALLOW,
];

/** One instruction of classic BPF: code, two jumps, one number. */
type Step = readonly [code: number, yes: number, no: number, value: number];

const EQUAL = 0x15;
const AT_LEAST = 0x35;
const HAS_BITS = 0x45;

const load = (offset: number): Step => [0x20, 0, 0, offset];
const jump = (code: number, value: number, yes: number, no: number): Step => [code, yes, no, value];
const unless = (value: number, step: Step): readonly Step[] => [jump(EQUAL, value, 1, 0), step];
const refuse = (errno: number): Step => [0x06, 0, 0, 0x0005_0000 | errno];
const ALLOW: Step = [0x06, 0, 0, 0x7fff_0000];

/** The layout of the data: number, processor, then six arguments of eight bytes, the lower half first. */
const [NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD] = [0, 4, 16, 24, 32];
const AUDIT = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

const [EPERM, EINVAL, ENOSYS, EAFNOSUPPORT] = [1, 22, 38, 97];
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, NETLINK_ROUTE] = [1, 2, 10, 16, 0];
/**
 * Mounts, control groups, host name, shared memory, users, processes and network; the lowest byte of `clone` is a
 * signal.
 */
const NEW_NAMESPACES = 0x7e02_0000;
const NEW_TIME = 0x80;

function assemble(steps: readonly Step[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(steps.length * 8));
  for (const [at, [code, yes, no, value]] of steps.entries()) {
    bytes.setUint16(at * 8, code, true);
    bytes.setUint8(at * 8 + 2, yes);
    bytes.setUint8(at * 8 + 3, no);
    bytes.setUint32(at * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}

/** Numbers of system calls by Node.js' name of the processor; a call that a processor lacks is not in its column. */
export const NUMBERS: Readonly<Record<'x64' | 'arm64', Readonly<Record<string, number>>>> = {
  x64: {
    socket: 41,
    socketpair: 53,
    shmget: 29,
    clone: 56,
    pivot_root: 155,
    adjtimex: 159,
    acct: 163,
    settimeofday: 164,
    mount: 165,
    umount2: 166,
    swapon: 167,
    swapoff: 168,
    reboot: 169,
    iopl: 172,
    ioperm: 173,
    init_module: 175,
    delete_module: 176,
    quotactl: 179,
    clock_settime: 227,
    syslog: 103,
    kexec_load: 246,
    add_key: 248,
    request_key: 249,
    keyctl: 250,
    unshare: 272,
    perf_event_open: 298,
    fanotify_init: 300,
    name_to_handle_at: 303,
    open_by_handle_at: 304,
    clock_adjtime: 305,
    setns: 308,
    finit_module: 313,
    kexec_file_load: 320,
    bpf: 321,
    userfaultfd: 323,
  },
  arm64: {
    socket: 198,
    socketpair: 199,
    shmget: 194,
    clone: 220,
    pivot_root: 41,
    adjtimex: 171,
    acct: 89,
    settimeofday: 170,
    mount: 40,
    umount2: 39,
    swapon: 224,
    swapoff: 225,
    reboot: 142,
    init_module: 105,
    delete_module: 106,
    quotactl: 60,
    clock_settime: 112,
    syslog: 116,
    kexec_load: 104,
    add_key: 217,
    request_key: 218,
    keyctl: 219,
    unshare: 97,
    perf_event_open: 241,
    fanotify_init: 262,
    name_to_handle_at: 264,
    open_by_handle_at: 265,
    clock_adjtime: 266,
    setns: 268,
    finit_module: 273,
    kexec_file_load: 294,
    bpf: 280,
    userfaultfd: 282,
  },
};

/** Numbers that all processors share. */
export const NEWER: Readonly<Record<string, number>> = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  pidfd_getfd: 438,
  mount_setattr: 442,
  quotactl_fd: 443,
  memfd_secret: 447,
};
