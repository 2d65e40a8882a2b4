import { lstatSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listCacheFolders } from '../../base/cache-folders.ts';
import type { CageLimits } from '../cage-limits.ts';
import type { Cage, CagedCommand } from '../cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { withOverlay, findOverlaySupport, supportsOverlay, temporaryFolder, readOverlayUsage } from './with-overlay.ts';
import {
  computeBounds,
  fitsInMemory,
  largestSegment,
  machineLimits,
  formatLimits,
  maxTmpfsBytes,
  overlaySize,
} from './compute-bounds.ts';
import { callOfBwrap, mountArguments, namespaceArguments, seccompArguments } from './bwrap-arguments.ts';
import { findEgress, resolverMount, describeSharedNetwork, withEgress } from './egress.ts';
import {
  boundedShellArguments,
  notStarted,
  readCageFault,
  runShell,
  withScratchFolder,
  type StartCommand,
} from './run-shell.ts';
import { retryUntilStarted } from './retry-until-started.ts';
import { findOnPath } from './resolve-path.ts';
import { buildCommandEnvironment, visiblePaths, type CageWorld } from './sandbox-mounts.ts';

/**
 * The cage of Linux: own namespaces, no network, a root with programs and their settings only, an empty home folder,
 * one writable tree. bwrap itself starts with an empty environment, because its own is readable inside.
 */
export function createBubblewrap(run: RunProgram, services: CageWorld): Cage {
  let found: ReturnType<typeof findOverlaySupport> | undefined;
  const limits = services.limits ?? machineLimits();
  const getOverlaySupport = (): ReturnType<typeof findOverlaySupport> =>
    (found ??= findOverlaySupport(run, services.environment['PATH']));
  return {
    name: 'bubblewrap',
    async unavailable() {
      const program = findOnPath('bwrap', services.environment['PATH']);
      if (program === undefined)
        return 'bubblewrap is not installed: install it (`apt-get install bubblewrap`, `dnf install bubblewrap`)';
      const probe = { signal: new AbortController().signal, timeoutMs: 10_000 };
      const { exit, ended, output } = await retryUntilStarted(
        'bubblewrap',
        () => startNothing(services, program),
        (nothing) => runShell(run, probe, nothing),
      );
      if (exit === 0) return undefined;
      return ended === 'not started' ? output : `bubblewrap cannot build a cage here: ${ended} ${output}`.trim();
    },
    limits: async () => formatLimits(limits, (await getOverlaySupport()) !== undefined && fitsInMemory(limits)),
    keepsTrees: async (folder) => {
      const found = await getOverlaySupport();
      return found !== undefined && fitsInMemory(limits) && supportsOverlay(found, folder);
    },
    sharesNetwork: () => describeSharedNetwork(services.environment['PATH']),
    async run(command) {
      const world = { ...services, environment: buildCommandEnvironment(services, command) };
      const may = { ...limits, ...command.limits };
      const bounds = computeBounds(run, command, may, []);
      const egress = command.network ? findEgress(services.environment['PATH']) : undefined;
      if (typeof egress === 'object')
        return withScratchFolder((scratch) =>
          retryUntilStarted(
            'bubblewrap',
            () => start(world, command, may, { resolver: resolverMount(egress, scratch) }),
            async (caged) => {
              const result = await runShell(run, command, withEgress(egress, caged, scratch), bounds);
              const why = readCageFault(scratch);
              return why === undefined ? result : notStarted(`setup gets no network: ${why}`, result.ms);
            },
          ),
        );
      const overlay = command.discards === true ? await getOverlaySupport() : undefined;
      const build = (): StartCommand => start(world, command, may, { laysAside: overlay !== undefined });
      return retryUntilStarted('bubblewrap', build, async (caged) => {
        if (overlay === undefined) return runShell(run, command, caged, bounds);
        const within = withOverlay(overlay, overlaySize(command.tree, may), caged);
        const result = await runShell(run, command, within, bounds);
        return result.exit === 125 && readOverlayUsage(command.tree) === undefined
          ? notStarted(`no place could be made: ${result.output.trim()}`, result.ms)
          : result;
      });
    },
  };
}

/** The bwrap call that tests whether it can build a cage. */
function startNothing(services: CageWorld, program: string): StartCommand {
  const filter = seccompArguments({ namespaces: true, unixSockets: false });
  const args = [
    ...namespaceArguments(false),
    ...mountArguments(visiblePaths(services, false)),
    '--remount-ro',
    '/',
    ...filter.words,
    '--',
    '/bin/sh',
    '-c',
    ':',
  ];
  return { program, args, cwd: '/', env: {}, ...filter.handed };
}

/** The bwrap call for one command. */
function start(
  services: CageWorld,
  command: CagedCommand,
  limits: CageLimits,
  { resolver = [], laysAside = false }: { readonly resolver?: readonly string[]; readonly laysAside?: boolean },
): StartCommand {
  const tree = realpathSync(command.tree);
  const most = maxTmpfsBytes(limits, command.network);
  return callOfBwrap(services, {
    tree,
    network: command.network,
    // On the machine's network, abstract sockets of any service would be reachable.
    unixSockets: command.network && resolver.length === 0,
    tmp: {
      temporary: laysAside ? temporaryFolder(command.tree) : undefined,
      most,
    },
    largestSegment: largestSegment(limits),
    before: resolver,
    after: command.share.flatMap(([from, path]) => [
      '--ro-bind',
      from,
      join(tree, path),
      ...listCacheFolders(from)
        .filter((cache) => lstatSync(cache, { throwIfNoEntry: false })?.isDirectory() === true)
        .flatMap((cache) => ['--size', String(most), '--tmpfs', join(tree, path, basename(cache))]),
    ]),
    env: {},
    run: boundedShellArguments(command.run, limits),
  });
}
