import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cage, CagedCommand, CagedResult } from '../../ports/cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { findSandboxRuntime, lackingPrograms } from './find-sandbox-runtime.ts';
import type { SandboxRuntime } from './find-sandbox-runtime.ts';
import { linkShares } from './link-shares.ts';
import { bounded, runShell } from './run-shell.ts';
import { hiddenFolders, shownPaths } from './what-is-seen.ts';
import type { CageWorld } from './what-is-seen.ts';

/** The cage of `@anthropic-ai/sandbox-runtime`, for whoever chose it; it is tried before gates run, not believed. */
export function sandboxRuntime(run: RunProgram, world: CageWorld, find = findSandboxRuntime): Cage {
  const ready = (): SandboxRuntime | string => {
    const runtime = find();
    return typeof runtime === 'string' ? runtime : (lackingPrograms(world.environment['PATH']) ?? runtime);
  };
  return {
    name: 'sandbox-runtime',
    async unavailable() {
      const runtime = ready();
      if (typeof runtime === 'string') return runtime;
      return inScratch((scratch) => whatLeaks(run, world, runtime, scratch));
    },
    run(command) {
      const runtime = ready();
      if (typeof runtime === 'string')
        return Promise.resolve({ exit: null, output: runtime, ms: 0, ended: 'not started' });
      return inScratch((scratch) => runCaged(run, world, runtime, scratch, command));
    },
  };
}

/** Runs a command; a cage that could not be built is told apart from a command that failed. */
async function runCaged(
  run: RunProgram,
  world: CageWorld,
  runtime: SandboxRuntime,
  scratch: string,
  command: CagedCommand,
): Promise<CagedResult> {
  linkShares(command);
  const tree = realpathSync(command.tree); // a link on the way may be hidden inside
  const temporary = join(scratch, 'tmp');
  const variables = Object.entries({ ...world.environment, TMPDIR: temporary });
  const words = ['/usr/bin/env', '-i', ...variables.map((pair) => pair.join('=')), ...bounded(command.run)];
  const inTree = `cd ${quote(tree)} || exit 126; exec ${words.map(quote).join(' ')}`;
  const rules = JSON.stringify(policy(world, runtime, scratch, command));
  const result = await runShell(run, command, {
    program: process.execPath,
    args: [runtime.script, runtime.entry, String(process.pid), scratch, rules, inTree],
    cwd: scratch, // the package forbids names such as .mcp.json in the folder it works in; here they harm nobody
    env: { PATH: world.environment['PATH'] ?? '', HOME: world.home, TMPDIR: temporary },
  });
  const note = join(scratch, 'not-started');
  return existsSync(note)
    ? { exit: null, output: whyNot(readFileSync(note, 'utf8')), ms: result.ms, ended: 'not started' }
    : result;
}

/** What the package is told. Its own places for temporary files are taken away: every task on a machine would share them. */
function policy(world: CageWorld, { folder }: SandboxRuntime, scratch: string, command: CagedCommand): object {
  const hidden = hiddenFolders({ ...world, hide: [...world.hide, tmpdir()] });
  const writable = [command.tree, join(scratch, 'tmp')];
  const shared = command.share.map(([from]) => from);
  const shown = [...shownPaths(world, command.network), join(folder, 'vendor'), ...shared, ...writable];
  const own = [...SHARED_TEMPORARY, join(world.home, '.npm/_logs'), join(world.home, '.claude/debug')];
  return {
    ...(command.network ? {} : { network: { allowedDomains: [], deniedDomains: [] } }),
    credentials: { files: own.map((path) => ({ path, mode: 'deny' })) },
    filesystem: {
      denyRead: hidden.map(exactly),
      allowRead: shown.filter((path) => existsSync(path)).map((path) => exactly(realpathSync(path))),
      allowWrite: writable.map((path) => exactly(realpathSync(path))),
      denyWrite: own.map(exactly),
    },
  };
}

const SHARED_TEMPORARY = ['/tmp/claude', '/private/tmp/claude'];

/** A path as it is, whatever characters are in it. */
const exactly = (path: string): object => ({ path, literal: true });

/** Tries to get out of a cage around a folder of its own; the sentence names what got out, or why there is no cage. */
async function whatLeaks(
  run: RunProgram,
  world: CageWorld,
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
    `cat ${quote(secret)} 2>/dev/null`,
    `( : > ${quote(spoiled)} ) 2>/dev/null`,
    'if test -r /proc/net/dev; then test "$(grep -c : /proc/net/dev)" -le 1 || echo reaches the network; fi',
    '( : > "$TMPDIR/x" && : > x ) || echo cannot write its own tree',
    'echo held',
  ].join('\n');
  const result = await runCaged(run, world, runtime, scratch, {
    run: probe,
    tree,
    network: false,
    share: [],
    timeoutMs: 20_000,
    signal,
  });
  if (result.ended === 'not started') return result.output;
  const said = result.output.trim().split('\n');
  if (said.pop() !== 'held')
    return `${whyNot(result.output || `exit ${result.exit ?? result.ended}`)}${ARE_THEY_ALLOWED}`;
  if (existsSync(spoiled)) said.push('writes outside its tree');
  return said.length === 0 ? undefined : `the cage of sandbox-runtime does not hold here: ${said.join('; ')}`;
}

const whyNot = (reason: string): string =>
  `sandbox-runtime cannot build a cage here: ${reason.trim().split('\n')[0] ?? ''}`;

const ARE_THEY_ALLOWED =
  process.platform === 'linux'
    ? ' (are user namespaces allowed? on Ubuntu see `kernel.apparmor_restrict_unprivileged_userns`)'
    : '';

/** A folder for one command, with its TMPDIR in it, gone when the command is. */
async function inScratch<Result>(work: (scratch: string) => Promise<Result>): Promise<Result> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'andon-caged-')));
  try {
    mkdirSync(join(scratch, 'tmp'));
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
