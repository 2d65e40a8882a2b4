import { quoteForShell } from '../../../base/shell-word.ts';
import { existsSync, rmSync, mkdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import type { Needs } from '../../../line/services/services.ts';
import { DOCTOR_PLACE, failedCheck, warningCheck, passedCheck, TRIAL_RUN, type DoctorCheck } from './doctor-check.ts';
import { tryDoors } from './try-doors.ts';
import type { AskedLimits } from '../../../sandbox/cage-limits.ts';

export async function examineCage(
  services: Needs<'cage' | 'folders' | 'settings'>,
  place: Workspace,
  env: NodeJS.ProcessEnv,
): Promise<DoctorCheck> {
  if (services.cage.name === 'none')
    return warningCheck(
      'cage',
      'none: gates run as you, because your own configuration says so',
      `remove \`cage: none\` from ${place.userConfig}`,
    );
  const missing = await services.cage.unavailable();
  if (missing !== undefined)
    return failedCheck(
      'cage',
      missing,
      `install it, or add to ${place.userConfig} (gates then run as you): \`cage: none\``,
    );
  const outside = [place.facts.root, place.state, env['HOME'] ?? '/nowhere'].map((folder) =>
    join(folder, '.andon-cage-probe'),
  );
  const script = [
    ...outside.map((file) => `( : > ${quoteForShell(file)} ) 2>/dev/null`),
    ...(mayRead(services, place) ? [] : [readsTheCheckout(join(place.facts.root, '.git'))]),
    REACHES_THE_NETWORK,
    `kill -0 ${process.pid} 2>/dev/null && echo "sees processes outside"`,
    'test -z "$ANTHROPIC_API_KEY" || echo "sees the key"',
    'true',
  ].join('\n');
  const tree = services.folders.empty(DOCTOR_PLACE);
  const result = await services.cage.run({ ...TRIAL_RUN, run: script, tree, timeoutMs: 20_000 });
  const doors = result.exit === 0 ? await tryDoors(services.cage, tree, services.settings.setup.length > 0) : [];
  const escaped = outside.filter((file) => existsSync(file));
  for (const file of escaped) rmSync(file);
  services.folders.tidy(DOCTOR_PLACE);
  const found = [
    ...escaped.map((file) => `wrote ${file}`),
    ...result.output
      .trim()
      .split('\n')
      .filter((row) => row !== ''),
    ...doors,
  ];
  const shared = services.cage.sharesNetwork?.();
  const tried = `${services.cage.name}; a break-out was tried and failed${AS_ROOT}`;
  if (result.exit === 0 && found.length === 0 && shared !== undefined && services.settings.setup.length > 0)
    return warningCheck(
      'cage',
      `${tried}; but \`setup\` has the network of this machine, with all that listens on it: ${shared}`,
      'install pasta and nftables, so that it has one of its own: `apt-get install passt nftables`',
    );
  if (result.exit === 0 && found.length === 0) return passedCheck('cage', tried);
  return failedCheck(
    'cage',
    `the cage leaks: ${found.join('; ') || `exit ${result.exit ?? result.ended}`}`,
    `do not run unattended here; update it: \`${services.cage.name === 'bubblewrap' ? 'apt-get install bubblewrap' : 'npm install -g @anthropic-ai/sandbox-runtime@latest'}\``,
  );
}

/** What it means that andon is run by root. */
const AS_ROOT =
  process.getuid?.() === 0
    ? '; you are root, so gates may read what only root may read: an ordinary user is safer'
    : '';

/** Whether your own configuration shows the checkout, so that reading it is no leak. */
const mayRead = (services: Needs<'settings'>, { facts }: Workspace): boolean =>
  services.settings.cage.read.some((path) => `${facts.root}/.git/`.startsWith(`${path.replace(/\/+$/, '')}/`));

/** In a linked worktree it is a file, else a folder. */
const readsTheCheckout = (git: string): string =>
  `{ cat ${quoteForShell(git)} || cat ${quoteForShell(join(git, 'HEAD'))}; } >/dev/null 2>&1 && echo "reads the checkout"`;

/** Where there is no list of interfaces, a port that refuses was reached. */
const REACHES_THE_NETWORK = `if test -r /proc/net/dev; then test "$(grep -c : /proc/net/dev)" -le 1
else ! (exec 3<>/dev/tcp/127.0.0.1/9) 2>&1 | grep -qi refused; fi || echo "reaches the network"`;

/** Exit code of a try that could not be made. */
const NOT_TRIED = 77;

/** Seconds for which a try keeps what it took: a loaded machine may take a while to end it. */
const HOLD_SECONDS = 15;

interface LimitTry {
  readonly what: string;
  /** How little it may have. */
  readonly limits: AskedLimits;
  /** Takes too much, and keeps it for some seconds. */
  readonly run: (seconds: number) => string;
  /** Without a cage only the kernel counts it, and at once: a longer try would show nothing more. */
  readonly uncagedSeconds?: number;
}

const TRIES: readonly LimitTry[] = [
  {
    what: 'memory',
    limits: { memoryMb: 32 },
    run: (seconds) =>
      `head -c 60000000 /dev/zero | tail -c 60000000 | { sleep ${seconds}; cat; } > /dev/null; sleep ${seconds}`,
  },
  {
    what: 'processes',
    limits: { processes: 20 },
    run: (seconds) => `i=0; while [ $i -lt 30 ]; do sleep ${seconds} & i=$((i+1)); done; wait`,
  },
  { what: 'memory that no process has mapped', limits: { memoryMb: 32 }, run: runPerl(memfd()) },
  {
    what: 'data in connections',
    limits: { memoryMb: 32 },
    run: runPerl(
      'use IO::Socket::INET; $x = "x" x 65536; $s = IO::Socket::INET->new(Listen => 99, LocalAddr => "127.0.0.1"); for (1..40) { $a = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $s->sockport) or last; $a->blocking(0); 1 while syswrite($a, $x); push @all, $a }',
    ),
    uncagedSeconds: 2,
  },
  {
    what: 'files without a name',
    limits: { diskMb: 8 },
    run: (seconds) => `exec 3> fill; rm fill; head -c 16000000 /dev/zero >&3; sleep ${seconds}`,
  },
  {
    what: 'written bytes',
    limits: { diskMb: 8 },
    run: (seconds) => `head -c 16000000 /dev/zero > fill; sleep ${seconds}`,
  },
  {
    what: 'files',
    limits: { files: 50 },
    run: (seconds) => `i=0; while [ $i -lt 100 ]; do : > "f$i"; i=$((i+1)); done; sleep ${seconds}`,
  },
];

/** A program that keeps what it took; exits with NOT_TRIED where there is no Perl. */
function runPerl(script: string): LimitTry['run'] {
  return (seconds) => `command -v perl >/dev/null || exit ${NOT_TRIED}; perl -e '${script}; sleep ${seconds}'`;
}

function memfd(): string {
  const number = { x64: 319, arm64: 279 }[process.arch as string];
  if (number === undefined) return `exit ${NOT_TRIED}`; // its number is not known here
  return `$n = "x"; $f = syscall(${number}, $n, 0); open($h, ">&=", $f); $x = "x" x 1e6; for (1..60) { syswrite($h, $x) }`;
}

/** Proves the limits by passing each; says which hold, and what holds them. */
export async function examineLimits(services: Needs<'cage' | 'folders'>): Promise<DoctorCheck> {
  if ((await services.cage.unavailable()) !== undefined)
    return warningCheck('limits', 'not tried: there is no cage', 'see the line about the cage');
  const results = await Promise.all(TRIES.map((one, at) => tryLimit(services, one, at)));
  // The tries run at once, so a slow machine may need longer for them together; each gets a second try alone.
  for (const [at, one] of TRIES.entries())
    if (results[at] === 'unsure') results[at] = await tryLimit(services, one, at);
  services.folders.tidy(DOCTOR_PLACE);
  return describeLimits(
    TRIES.map(({ what }, at) => ({ what, result: results[at] ?? 'unsure' })),
    await services.cage.limits(),
  );
}

/** How a try to pass a limit ended; `unsure`: it ran out of time. */
type LimitResult = 'held' | 'open' | 'untried' | 'unsure';

/** The check of the limits, from the result of each try and the words of the cage about its limits. */
export function describeLimits(
  tries: readonly { readonly what: string; readonly result: LimitResult }[],
  words: string,
): DoctorCheck {
  const list = (result: LimitResult): string =>
    tries
      .filter((one) => one.result === result)
      .map(({ what }) => what)
      .join(', ');
  const [open, unsure, untried] = [list('open'), list('unsure'), list('untried')];
  const lack = untried === '' ? [] : [`not tried, for want of Perl: ${untried}`];
  const limits = `Per gate: ${words}`;
  if (open === '' && unsure === '')
    return passedCheck('limits', ['each held when it was tried', ...lack, limits].join('. '));
  const parts = [
    ...(open === '' ? [] : [`not held here: ${open}`]),
    ...(unsure === '' ? [] : [`not sure, because the machine is busy: ${unsure}`]),
    ...(list('held') === '' ? [] : [`held: ${list('held')}`]),
    ...lack,
    limits,
  ];
  return warningCheck(
    'limits',
    parts.join('. '),
    open === ''
      ? 'run `andon doctor` again when the machine is less busy'
      : 'a gate may take as much of these as the machine has; run gates of strangers elsewhere',
  );
}

async function tryLimit(
  services: Needs<'cage' | 'folders'>,
  { limits, run, uncagedSeconds = HOLD_SECONDS }: LimitTry,
  at: number,
): Promise<LimitResult> {
  const tree = services.folders.tree(DOCTOR_PLACE, `limit-${at}`);
  mkdirSync(tree, { recursive: true });
  const { ended, exit } = await services.cage.run({
    ...TRIAL_RUN,
    run: run(services.cage.name === 'none' ? uncagedSeconds : HOLD_SECONDS),
    tree,
    limits,
    discards: await services.cage.keepsTrees(dirname(tree)),
    timeoutMs: 60_000,
  });
  if (exit === NOT_TRIED) return 'untried';
  if (ended === 'timeout') return 'unsure';
  return ended === 'limit' ? 'held' : 'open';
}
