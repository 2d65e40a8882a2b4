import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { quoteForShell } from '../../base/shell-word.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { CageDriver } from '../cage-limits.ts';
import { installRoot } from '../../base/system/install-root.ts';
import type { RunProgram } from '../processes/run.ts';
import { computeBounds, largestSegment, machineLimits } from './compute-bounds.ts';
import { createBubblewrap } from './bubblewrap.ts';
import { callOfBwrap } from './bwrap-arguments.ts';
import { boundedShellArguments } from './run-shell.ts';
import { findOnPath } from './resolve-path.ts';
import type { CageWorld } from './sandbox-mounts.ts';
import type { Enclosed, Enclosing, Enclosure } from '../processes/command.ts';

/** Where a caged agent finds the folder with the socket that leads out, and the port of its model. */
const DOOR = '/run/andon';
/** An arbitrary port: the network of the cage is its own, and tests of a project are unlikely to listen here. */
const PORT_INSIDE = 47_113;
/** Size of mounts in memory whose content is discarded. */
const SCRAP_BYTES = 64 * 1024 * 1024;

/** The cage for agents that edit a copy of the project, as the user configured it. */
export function createEnclosure(driver: CageDriver, run: RunProgram, world: CageWorld): Enclosure {
  if (driver === 'bubblewrap')
    return {
      cage: 'bubblewrap',
      port: PORT_INSIDE,
      unavailable: () => createBubblewrap(run, world).unavailable(),
      enclose: (wanted) => encloseInBubblewrap(run, world, wanted),
    };
  if (driver === 'none')
    return {
      cage: undefined,
      port: PORT_INSIDE,
      unavailable: () => Promise.resolve(undefined),
      enclose: ({ program, args, env, tree, temporary }) =>
        success({
          program,
          args,
          cwd: tree,
          env: { ...world.environment, ...env, TMPDIR: temporary },
          isBuilt: () => true,
        }),
    };
  return {
    cage: driver,
    port: PORT_INSIDE,
    unavailable: () =>
      Promise.resolve('an agent that edits needs `cage: bubblewrap`: sandbox-runtime lets no socket out of its cage'),
    enclose: () => failure('an agent that edits needs `cage: bubblewrap`'),
  };
}

/** The same cage as around a gate, plus the agent's program, a home, and the socket that leads out. */
function encloseInBubblewrap(run: RunProgram, world: CageWorld, wanted: Enclosed): Outcome<Enclosing, string> {
  const found = findInstallation(wanted.program, world.environment['PATH']);
  if (found === undefined) return failure(`${wanted.program} is not installed or not on PATH`);
  const limits = world.limits ?? machineLimits();
  const tree = realpathSync(wanted.tree);
  const home = realpathSync(wanted.home);
  const own = [process.execPath, join(installRoot(), 'bin', 'behind-door.mjs')].map((file) => realpathSync(file));
  const words = [...own, `${DOOR}/socket`, String(PORT_INSIDE), found.program, ...wanted.args];
  let account = '';
  return success({
    isBuilt: () => account.includes('"exit-code"'),
    account: (text) => void (account += text),
    ...callOfBwrap(world, {
      tree,
      network: false,
      unixSockets: false,
      tmp: { temporary: wanted.temporary, most: SCRAP_BYTES },
      largestSegment: largestSegment(limits),
      before: [...[...found.places, ...own].flatMap((place) => ['--ro-bind', place, place]), '--bind', home, home],
      after: wanted.door === undefined ? [] : ['--ro-bind', wanted.door, DOOR],
      env: wanted.env,
      run: boundedShellArguments(`exec ${words.map(quoteForShell).join(' ')}`, limits),
    }),
    bounds: computeBounds(run, { tree, network: false }, limits, [home, wanted.temporary]),
  });
}

/** The real path of a program, and the parts of its installation that must be visible. */
function findInstallation(
  program: string,
  path: string | undefined,
): { readonly program: string; readonly places: readonly string[] } | undefined {
  const file = isAbsolute(program) ? program : findOnPath(program, path);
  if (file === undefined || !existsSync(file)) return undefined;
  const real = realpathSync(file);
  const at = real.indexOf('/node_modules/');
  return { program: real, places: [at === -1 ? real : real.slice(0, at + '/node_modules'.length)] };
}
