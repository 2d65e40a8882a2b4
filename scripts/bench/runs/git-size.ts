import { startDaemon } from '../daemon.ts';
import { inTurns, median } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Figure, Measured, Side } from '../report.ts';
import { git, openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

/** What the size of a repository costs: the same task at 27,000 files and at 50, with and without a checkout to update. */
export async function gitSize(stage: Stage, { repo, pairs }: Options): Promise<Measured> {
  const [big, small] = [await openSource(stage, repo === 'small' ? 'big' : repo), await openSource(stage, 'small')];
  const sides: Side[] = [];
  const figures: Figure[] = [];
  for (const where of ['elsewhere', 'checkout'] as const) {
    const repos = [big.copy(`big-${where}`), small.copy(`small-${where}`)] as const;
    const target = git(stage, repos[0], 'symbolic-ref', '--short', 'HEAD');
    if (where === 'elsewhere') for (const folder of repos) git(stage, folder, 'checkout', '--quiet', '--detach');
    const daemons = [await startDaemon(stage, [repos[0]]), await startDaemon(stage, [repos[1]])] as const;
    const task = (at: 0 | 1) => (round: number) =>
      daemons[at].task(repos[at], `TASK-${round}`, { git: { base_branch: at === 0 ? target : 'main' } });
    try {
      const [atBig = [], atSmall = []] = await inTurns(pairs, [task(0), task(1)]);
      const label = where === 'checkout' ? 'checkout updated' : 'target not checked out';
      sides.push({ label: `${big.files} files, ${label}`, unit: 'ms', values: atBig });
      sides.push({ label: `${small.files} files, ${label}`, unit: 'ms', values: atSmall });
      figures.push({ key: `git-size.${where}`, label, value: median(atBig) / median(atSmall) });
    } finally {
      for (const daemon of daemons) await daemon.stop();
    }
  }
  return {
    name: 'git-size',
    notes: ['Whole tasks through the daemon, not only their git part; no gates.'],
    sides,
    figures,
  };
}
