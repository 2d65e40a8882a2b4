import { quoteForShell } from '../../base/shell-word.ts';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../wiring/load-workspace.ts';
import type { Needs } from '../../wiring/services.ts';
import { failedCheck, warningCheck, passedCheck, type DoctorCheck } from './check.ts';
import { tryDoors } from './doors.ts';

/** Proves the cage by trying to get out of it. */
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
  const tree = services.folders.empty('doctor');
  const result = await services.cage.run({
    run: script,
    tree,
    network: false,
    share: [],
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  });
  const doors = result.exit === 0 ? await tryDoors(services.cage, tree, services.settings.setup.length > 0) : [];
  const escaped = outside.filter((file) => existsSync(file));
  for (const file of escaped) rmSync(file);
  services.folders.tidy('doctor');
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
