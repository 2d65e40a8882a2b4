import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AskedLimits } from '../../config/cage-limits.ts';
import type { Needs } from '../../wiring/services.ts';
import { warningCheck, passedCheck, type DoctorCheck } from './check.ts';

/** With what a try ends that could not be made. */
const NOT_TRIED = 77;

/** What tries to take too much of each, and how little it may have. None lasts when it is ended; a loaded machine may take a while to. */
const TRIES: readonly (readonly [what: string, limits: AskedLimits, run: string])[] = [
  [
    'memory',
    { memoryMb: 64 },
    `head -c 150000000 /dev/zero | tail -c 150000000 | { sleep 15; cat; } > /dev/null; sleep 15`,
  ],
  ['processes', { processes: 20 }, 'i=0; while [ $i -lt 40 ]; do sleep 15 & i=$((i+1)); done; wait'],
  ['memory that no process has mapped', { memoryMb: 64 }, inPerl(memfd())],
  [
    'data in connections',
    { memoryMb: 64 },
    inPerl(
      'use IO::Socket::INET; $x = "x" x 65536; $s = IO::Socket::INET->new(Listen => 400, LocalAddr => "127.0.0.1"); for (1..300) { $a = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $s->sockport) or last; $a->blocking(0); 1 while syswrite($a, $x); push @all, $a }',
    ),
  ],
  ['files without a name', { diskMb: 16 }, 'exec 3> fill; rm fill; head -c 40000000 /dev/zero >&3; sleep 15'],
  ['written bytes', { diskMb: 16 }, 'head -c 40000000 /dev/zero > fill; sleep 15'],
  ['files', { files: 100 }, 'i=0; while [ $i -lt 400 ]; do : > "f$i"; i=$((i+1)); done; sleep 15'],
];

/** A program that keeps what it took until it is ended; what cannot be tried without Perl says so. */
function inPerl(script: string): string {
  return `command -v perl >/dev/null || exit ${NOT_TRIED}; perl -e '${script}; sleep 15'`;
}

function memfd(): string {
  const number = { x64: 319, arm64: 279 }[process.arch as string];
  if (number === undefined) return `exit ${NOT_TRIED}`; // its number is not known here
  return `$n = "x"; $f = syscall(${number}, $n, 0); open($h, ">&=", $f); $x = "x" x 1e6; for (1..150) { syswrite($h, $x) }`;
}

/** Proves the limits by passing each; says which hold, and what holds them. */
export async function examineLimits(services: Needs<'cage' | 'folders'>): Promise<DoctorCheck> {
  if ((await services.cage.unavailable()) !== undefined)
    return warningCheck('limits', 'not tried: there is no cage', 'see the line about the cage');
  const held = await Promise.all(TRIES.map((one, at) => isHeld(services, one, at)));
  services.folders.tidy('doctor');
  const open = TRIES.filter((_, at) => held[at] === false).map(([what]) => what);
  const words = await services.cage.limits();
  const untried = TRIES.filter((_, at) => held[at] === undefined).map(([what]) => what);
  const lack = untried.length === 0 ? '' : ` (not tried, for want of Perl: ${untried.join(', ')})`;
  if (open.length === 0) return passedCheck('limits', `each was passed, and ended what passed it${lack}: ${words}`);
  return warningCheck(
    'limits',
    `not held here: ${open.join(', ')}. ${words}`,
    'a gate may take as much of these as the machine has; run gates of strangers elsewhere',
  );
}

async function isHeld(
  services: Needs<'cage' | 'folders'>,
  [, limits, run]: (typeof TRIES)[number],
  at: number,
): Promise<boolean | undefined> {
  const tree = services.folders.tree('doctor', `limit-${at}`);
  mkdirSync(tree, { recursive: true });
  const { ended, exit } = await services.cage.run({
    run,
    tree,
    network: false,
    share: [],
    limits,
    discards: await services.cage.keepsTrees(dirname(tree)),
    timeoutMs: 60_000,
    signal: new AbortController().signal,
  });
  return exit === NOT_TRIED ? undefined : ended === 'limit';
}
