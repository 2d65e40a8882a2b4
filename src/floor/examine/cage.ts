import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../open-floor.ts';
import type { World } from '../world.ts';
import type { Check } from './check.ts';

/** Proves the cage by trying to get out of it. */
export async function examineCage(world: World, place: Place, env: NodeJS.ProcessEnv): Promise<Check> {
  if (world.cage.name === 'none')
    return {
      name: 'cage',
      state: 'warn',
      detail: 'none: gates run as you, because your own configuration says so',
      remedy: `remove \`cage: none\` from ${place.userConfig}`,
    };
  const missing = await world.cage.unavailable();
  if (missing !== undefined)
    return {
      name: 'cage',
      state: 'fail',
      detail: missing,
      remedy: `or say \`cage: none\` in ${place.userConfig}: gates then run as you`,
    };
  const outside = [place.facts.root, place.state, env['HOME'] ?? '/nowhere'].map((folder) =>
    join(folder, '.andon-cage-probe'),
  );
  const script = [
    ...outside.map((file) => `( : > ${quote(file)} ) 2>/dev/null`),
    ...(mayRead(world, place) ? [] : [readsTheCheckout(join(place.facts.root, '.git'))]),
    REACHES_THE_NETWORK,
    `kill -0 ${process.pid} 2>/dev/null && echo "sees processes outside"`,
    'test -z "$ANTHROPIC_API_KEY" || echo "sees the key"',
    'true',
  ].join('\n');
  const tree = world.folders.empty('doctor');
  const result = await world.cage.run({
    run: script,
    tree,
    network: false,
    share: [],
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  });
  const escaped = outside.filter((file) => existsSync(file));
  for (const file of escaped) rmSync(file);
  world.folders.tidy('doctor');
  const found = [
    ...escaped.map((file) => `wrote ${file}`),
    ...result.output
      .trim()
      .split('\n')
      .filter((row) => row !== ''),
  ];
  if (result.exit === 0 && found.length === 0)
    return {
      name: 'cage',
      state: 'ok',
      detail: `${world.cage.name}; a break-out was tried and failed (files, network, processes, key)`,
    };
  return {
    name: 'cage',
    state: 'fail',
    detail: `the cage leaks: ${found.join('; ') || `exit ${result.exit ?? result.ended}`}`,
    remedy: `do not run unattended here; update ${world.cage.name}`,
  };
}

const quote = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** Whether your own configuration shows the checkout, so that reading it is no leak. */
const mayRead = (world: World, { facts }: Place): boolean =>
  world.settings.cage.read.some((path) => `${facts.root}/.git/`.startsWith(`${path.replace(/\/+$/, '')}/`));

/** In a linked worktree it is a file, else a folder. */
const readsTheCheckout = (git: string): string =>
  `{ cat ${quote(git)} || cat ${quote(join(git, 'HEAD'))}; } >/dev/null 2>&1 && echo "reads the checkout"`;

/** Where there is no list of interfaces, a port that refuses was reached. */
const REACHES_THE_NETWORK = `if test -r /proc/net/dev; then test "$(grep -c : /proc/net/dev)" -le 1
else ! (exec 3<>/dev/tcp/127.0.0.1/9) 2>&1 | grep -qi refused; fi || echo "reaches the network"`;
