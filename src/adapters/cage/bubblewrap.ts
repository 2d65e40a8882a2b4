import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { CageLimits } from '../../config/cage-limits.ts';
import type { Cage, CagedCommand, CagedResult } from '../../ports/cage.ts';
import type { Bounds } from '../processes/bounds.ts';
import type { RunProgram } from '../processes/run.ts';
import { aside, findWay, mayLayAside, temporary, usedAside } from './aside.ts';
import {
  boundsOf,
  fitsInMemory,
  largestSegment,
  limitsHere,
  limitsInWords,
  mostInPlace,
  placeFor,
} from './bounds-of.ts';
import { callOfBwrap, mounts, namespaces, systemCalls } from './bwrap-call.ts';
import { egressOf, resolverMount, sharesNetwork, throughEgress } from './egress.ts';
import type { Egress } from './egress.ts';
import { bounded, runShell } from './run-shell.ts';
import type { Start } from './run-shell.ts';
import { inScratch, whyNotStarted } from './scratch.ts';
import { untilBegun } from './until-begun.ts';
import { onPath } from './way-to.ts';
import { sightOf } from './what-is-seen.ts';
import type { CageWorld } from './what-is-seen.ts';

/**
 * The cage of Linux: own namespaces, no network, a root with programs and their settings only, an empty home folder,
 * one writable tree. bwrap itself starts with an empty environment, because its own is readable inside.
 */
export function bubblewrap(run: RunProgram, services: CageWorld): Cage {
  let found: ReturnType<typeof findWay> | undefined;
  const limits = services.limits ?? limitsHere();
  const way = (): ReturnType<typeof findWay> => (found ??= findWay(run, services.environment['PATH']));
  return {
    name: 'bubblewrap',
    async unavailable() {
      const program = onPath('bwrap', services.environment['PATH']);
      if (program === undefined)
        return 'bubblewrap is not installed: install it (`apt-get install bubblewrap`, `dnf install bubblewrap`)';
      const asked = { signal: new AbortController().signal, timeoutMs: 10_000 };
      const { exit, ended, output } = await untilBegun(
        'bubblewrap',
        () => startNothing(services, program),
        (nothing) => runShell(run, asked, nothing),
      );
      if (exit === 0) return undefined;
      return ended === 'not started' ? output : `bubblewrap cannot build a cage here: ${ended} ${output}`.trim();
    },
    limits: async () => limitsInWords(limits, services.groups?.(), (await way()) !== undefined && fitsInMemory(limits)),
    keepsTrees: async (folder) => {
      const found = await way();
      return found !== undefined && fitsInMemory(limits) && mayLayAside(found, folder);
    },
    sharesNetwork: () => sharesNetwork(services.environment['PATH']),
    async run(command) {
      const may = { ...limits, ...command.limits };
      const bounds = boundsOf(run, command, may, []);
      const egress = command.network ? egressOf(services.environment['PATH']) : undefined;
      if (typeof egress === 'object') return runWithEgress(run, services, { command, may, bounds }, egress);
      const laysAside = command.discards === true ? await way() : undefined;
      const build = (): Start => start(services, command, may, { laysAside: laysAside !== undefined });
      if (laysAside === undefined)
        return untilBegun('bubblewrap', build, (caged) => runShell(run, command, caged, bounds));
      return untilBegun('bubblewrap', build, async (caged) => {
        const result = await runShell(run, command, aside(laysAside, placeFor(command.tree, may), caged), bounds);
        return result.exit === 125 && usedAside(command.tree) === undefined
          ? { ...result, exit: null, ended: 'not started', output: `no place could be made: ${result.output.trim()}` }
          : result;
      });
    },
  };
}

/** A command and its limits. */
interface Allowed {
  readonly command: CagedCommand;
  readonly may: CageLimits;
  readonly bounds: Bounds;
}

function runWithEgress(
  run: RunProgram,
  services: CageWorld,
  { command, may, bounds }: Allowed,
  egress: Egress,
): Promise<CagedResult> {
  return inScratch((scratch) =>
    untilBegun(
      'bubblewrap',
      () => start(services, command, may, { resolver: resolverMount(egress, scratch) }),
      async (caged) => {
        const result = await runShell(run, command, throughEgress(egress, caged, scratch), bounds);
        const reason = whyNotStarted(scratch);
        if (reason === undefined) return result;
        return { exit: null, output: `setup gets no network: ${reason}`, ms: result.ms, ended: 'not started' };
      },
    ),
  );
}

/** The bwrap call that tests whether it can build a cage. */
function startNothing(services: CageWorld, program: string): Start {
  const filter = systemCalls({ namespaces: true, unixSockets: false });
  const args = [
    ...namespaces(false),
    ...mounts(sightOf(services, false)),
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
): Start {
  const tree = realpathSync(command.tree);
  return callOfBwrap(services, {
    tree,
    network: command.network,
    // On the machine's network, abstract sockets of any service would be reachable.
    unixSockets: command.network && resolver.length === 0,
    tmp: { temporary: laysAside ? temporary(command.tree) : undefined, most: mostInPlace(limits, command.network) },
    largestSegment: largestSegment(limits, services.groups?.()),
    before: resolver,
    after: command.share.flatMap(([from, path]) => ['--ro-bind', from, join(tree, path)]),
    env: {},
    run: bounded(command.run, limits),
  });
}
