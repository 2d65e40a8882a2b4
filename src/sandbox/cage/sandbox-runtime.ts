import { existsSync, mkdirSync, realpathSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, basename, dirname } from 'node:path';
import { findPackageJSON } from 'node:module';
import { quoteForShell } from '../../base/shell-word.ts';
import type { CageLimits } from '../cage-limits.ts';
import type { Cage, CagedCommand, CagedResult } from '../cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { findEgress, resolverMount, describeSharedNetwork, withEgress, type Egress } from './egress.ts';
import { computeBounds, largestSegment, machineLimits, formatLimits } from './compute-bounds.ts';
import { linkShares } from './link-shares.ts';
import {
  boundedShellArguments,
  notStarted,
  readCageFault,
  runShell,
  withScratchFolder,
  type StartCommand,
} from './run-shell.ts';
import { seccompFilter } from './seccomp.ts';
import { ARE_THEY_ALLOWED, retryUntilStarted } from './retry-until-started.ts';
import { buildCommandEnvironment, visiblePaths, hiddenPaths, type CageWorld } from './sandbox-mounts.ts';
import { kernelMounts } from './bwrap-arguments.ts';
import { installRoot } from '../../base/system/install-root.ts';
import { findOnPath } from './resolve-path.ts';

/** The cage of `@anthropic-ai/sandbox-runtime`, if configured; it is tested before gates run. */
export function createSandboxRuntime(run: RunProgram, services: CageWorld, find = findSandboxRuntime): Cage {
  const ready = (): SandboxRuntime | string => {
    const runtime = find();
    return typeof runtime === 'string' ? runtime : (describeMissingPrograms(services.environment['PATH']) ?? runtime);
  };
  return {
    name: 'sandbox-runtime',
    async unavailable() {
      const runtime = ready();
      if (typeof runtime === 'string') return runtime;
      return withScratchFolder((scratch) => findLeaks(run, services, runtime, scratch));
    },
    limits: () => Promise.resolve(formatLimits(services.limits ?? machineLimits(), false)),
    keepsTrees: () => Promise.resolve(false), // shared folders are links in them
    sharesNetwork: () => describeSharedNetwork(services.environment['PATH']),
    run(command) {
      const runtime = ready();
      if (typeof runtime === 'string') return Promise.resolve(notStarted(runtime));
      const world = { ...services, environment: buildCommandEnvironment(services, command) };
      return withScratchFolder((scratch) => runCaged(run, world, runtime, scratch, command));
    },
  };
}

/** Runs a command; a cage that could not be built differs from a command that failed. */
async function runCaged(
  run: RunProgram,
  services: CageWorld,
  runtime: SandboxRuntime,
  scratch: string,
  command: CagedCommand,
): Promise<CagedResult> {
  linkShares(command);
  const limits = { ...(services.limits ?? machineLimits()), ...command.limits };
  const temporary = join(scratch, 'tmp');
  const egress = command.network ? findEgress(services.environment['PATH']) : undefined;
  const own = typeof egress === 'object' ? egress : undefined;
  return retryUntilStarted(
    'sandbox-runtime',
    () => {
      const start = startOf(services, runtime, { command, scratch, limits, egress: own });
      return own === undefined ? start : withEgress(own, start, scratch);
    },
    async (start) => {
      const result = await runShell(run, command, start, computeBounds(run, command, limits, [temporary]));
      const why = readCageFault(scratch);
      return why === undefined ? result : notStarted(describeRefusal(why), result.ms);
    },
  );
}

interface Wanted {
  readonly command: CagedCommand;
  readonly scratch: string;
  readonly limits: CageLimits;
  readonly egress: Egress | undefined;
}

/** The command line of andon's own script, which makes the package run the command. */
function startOf(
  services: CageWorld,
  runtime: SandboxRuntime,
  { command, scratch, limits, egress }: Wanted,
): StartCommand {
  const tree = realpathSync(command.tree); // a link on the way may be hidden inside
  const temporary = join(scratch, 'tmp');
  const variables = Object.entries({ ...services.environment, TMPDIR: temporary });
  const words = [
    ...WITHOUT_RIGHTS,
    '/usr/bin/env',
    '-i',
    ...variables.map((pair) => pair.join('=')),
    ...boundedShellArguments(command.run, limits),
  ];
  const inTree = `cd ${quoteForShell(tree)} || exit 126; exec ${words.map(quoteForShell).join(' ')}`;
  const rules = JSON.stringify(policy(services, runtime, scratch, command));
  const closed = JSON.stringify(
    process.platform === 'linux'
      ? buildRestrictions(largestSegment(limits), egress && resolverMount(egress, scratch))
      : {},
  );
  const parent = egress === undefined ? String(process.pid) : 'PARENT';
  return {
    program: process.execPath,
    args: [runtime.script, runtime.entry, parent, scratch, rules, closed, inTree],
    cwd: scratch, // the package forbids names such as .mcp.json in its working folder; in this one they do no harm
    env: { PATH: services.environment['PATH'] ?? '', HOME: services.home, TMPDIR: temporary },
  };
}

/** Root has all rights over the package's namespaces; a gate gets none. */
const WITHOUT_RIGHTS =
  process.getuid?.() === 0 && process.platform === 'linux' ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Closes what the package leaves open: kernel files, and system calls that its own filter permits. */
function buildRestrictions(largestSegment: number, resolver: readonly string[] = []): object {
  const filter = seccompFilter({ namespaces: false, unixSockets: false, largestSegment });
  return {
    mounts: [...kernelMounts(), '--tmpfs', '/sys', ...resolver],
    filter: filter && Buffer.from(filter).toString('base64'),
  };
}

/** The settings of the package. Its own temporary folders are excluded: all tasks on a machine would share them. */
function policy(services: CageWorld, { folder }: SandboxRuntime, scratch: string, command: CagedCommand): object {
  const sight = visiblePaths(services, command.network);
  const hidden = [...hiddenPaths(sight, services), ...sight.own, ...sight.hidden, ...sight.masked, tmpdir()];
  const writable = [command.tree, join(scratch, 'tmp')];
  const shared = command.share.map(([from]) => from);
  const shown = [...sight.shown, join(folder, 'vendor'), ...shared, ...writable];
  const own = [...SHARED_TEMPORARY, join(services.home, '.npm/_logs'), join(services.home, '.claude/debug')];
  return {
    ...(command.network ? {} : { network: { allowedDomains: [], deniedDomains: [] } }),
    credentials: { files: own.map((path) => ({ path, mode: 'deny' })) },
    filesystem: {
      denyRead: [...new Set(hidden)].map(exactly),
      allowRead: shown.filter((path) => existsSync(path)).map((path) => exactly(realpathSync(path))),
      allowWrite: writable.map((path) => exactly(realpathSync(path))),
      denyWrite: own.map(exactly),
    },
  };
}

const SHARED_TEMPORARY = ['/tmp/claude', '/private/tmp/claude'];

/** A literal path, without patterns. */
const exactly = (path: string): object => ({ path, literal: true });

/** Tries to escape from a test cage; returns what escaped, or why the cage cannot be built. */
async function findLeaks(
  run: RunProgram,
  services: CageWorld,
  runtime: SandboxRuntime,
  scratch: string,
): Promise<string | undefined> {
  const tree = join(scratch, 'tree');
  const secret = join(scratch, 'secret');
  const spoiled = join(scratch, 'spoiled');
  mkdirSync(tree);
  writeFileSync(secret, 'reads what is hidden\n');
  const signal = new AbortController().signal;
  const probe = [
    `cat ${quoteForShell(secret)} 2>/dev/null`,
    `( : > ${quoteForShell(spoiled)} ) 2>/dev/null`,
    'if test -r /proc/net/dev; then test "$(grep -c : /proc/net/dev)" -le 1 || echo reaches the network; fi',
    '( : > "$TMPDIR/x" && : > x ) || echo cannot write its own tree',
    'echo held',
  ].join('\n');
  const result = await runCaged(run, services, runtime, scratch, {
    run: probe,
    tree,
    network: false,
    share: [],
    timeoutMs: 20_000,
    signal,
  });
  if (result.ended === 'not started') return result.output;
  const lines = result.output.trim().split('\n');
  if (lines.pop() !== 'held') {
    const why = describeRefusal(result.output || `exit ${result.exit ?? result.ended}`);
    return process.platform === 'linux' ? `${why} ${ARE_THEY_ALLOWED}` : why;
  }
  if (existsSync(spoiled)) lines.push('writes outside its tree');
  return lines.length === 0 ? undefined : `the cage of sandbox-runtime does not hold here: ${lines.join('; ')}`;
}

const describeRefusal = (reason: string): string =>
  `sandbox-runtime cannot build a cage here: ${reason.trim().split('\n')[0] ?? ''}`;

/** The package `@anthropic-ai/sandbox-runtime`, and andon's own script that runs it. */
export interface SandboxRuntime {
  readonly folder: string;
  readonly entry: string;
  readonly script: string;
}

const PACKAGE = '@anthropic-ai/sandbox-runtime';

/**
 * Finds the package beside andon, or says how to install it. The project's own `node_modules` is ignored: a repository
 * must not bring its own cage.
 */
export function findSandboxRuntime(from: string = import.meta.url): SandboxRuntime | string {
  const place = installRoot(from);
  const file = found(from);
  if (file === undefined) return `${PACKAGE} is not installed beside andon: install it (\`${installLine(place)}\`)`;
  const { main } = JSON.parse(readFileSync(file, 'utf8')) as { readonly main?: unknown };
  const folder = dirname(file);
  const entry = join(folder, typeof main === 'string' ? main : 'index.js');
  if (!existsSync(entry)) return `${PACKAGE} in ${folder} is damaged: install it again (\`${installLine(place)}\`)`;
  return { folder, entry, script: join(place, 'bin', 'in-sandbox-runtime.mjs') };
}

/** Programs that the package needs, with their packages for apt-get and dnf; none on macOS. */
const PROGRAMS = [
  ['bwrap', 'bubblewrap', 'bubblewrap'],
  ['socat', 'socat', 'socat'],
  ['rg', 'ripgrep', 'ripgrep'],
  ['which', 'debianutils', 'which'],
  ...(process.getuid?.() === 0 ? ([['setpriv', 'util-linux', 'util-linux']] as const) : []),
] as const;

/** The message about programs missing on PATH; undefined when none is. */
function describeMissingPrograms(path: string | undefined): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const lacking = PROGRAMS.filter(([program]) => findOnPath(program, path) === undefined);
  if (lacking.length === 0) return undefined;
  const [programs, apt, dnf] = ([0, 1, 2] as const).map((column) => lacking.map((row) => row[column]));
  return `sandbox-runtime needs ${programs?.join(', ')}: install it (\`apt-get install ${apt?.join(' ')}\`, \`dnf install ${dnf?.join(' ')}\`)`;
}

function found(from: string): string | undefined {
  try {
    return findPackageJSON(PACKAGE, from);
  } catch {
    return undefined;
  }
}

/** A clone installs it into itself; an installed andon beside itself. */
function installLine(place: string): string {
  const beside = dirname(place);
  if (basename(beside) !== 'node_modules') return `npm install --prefix ${place} --no-save ${PACKAGE}`;
  const prefix = dirname(beside);
  return basename(prefix) === 'lib' ? `npm install -g ${PACKAGE}` : `npm install --prefix ${prefix} ${PACKAGE}`;
}
