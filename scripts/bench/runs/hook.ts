import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inTurns, median } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import { openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

/** What the hook of `git commit` takes with one line staged, against Node.js itself, and how often it starts git. */
export async function hook(stage: Stage, { pairs, repo: which }: Options): Promise<Measured> {
  const repo = (await openSource(stage, which)).copy('repo');
  const git = (...args: readonly string[]): void => {
    execFileSync('git', args, { cwd: repo, env: stage.env, stdio: 'ignore' });
  };
  timed(stage.env, repo, [stage.andon, 'rules', 'new', 'no-todo']);
  git('add', '.andon');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-q', '-m', 'rules');
  appendFileSync(join(repo, 'one-line.txt'), 'one line\n');
  git('add', 'one-line.txt');
  const asked = [stage.andon, 'check', '--staged'];
  const processes = startedBy(stage, repo, asked);
  const values = await inTurns(pairs, [
    () => Promise.resolve(timed(stage.env, repo, ['-e', '0'])),
    () => Promise.resolve(timed(stage.env, repo, asked)),
  ]);
  const [plain = [], asking = []] = values;
  return {
    name: 'hook',
    notes: ['The installed command, as the hook calls it; the first round, which makes the vault, does not count.'],
    sides: [
      { label: 'node -e 0', unit: 'ms', values: plain },
      { label: 'andon check --staged', unit: 'ms', values: asking },
    ],
    figures: [
      { key: 'hook.wall', label: 'one staged line', value: median(asking) },
      { key: 'hook.processes', label: 'git processes', value: processes },
      { key: 'hook.ratio', label: 'andon check --staged ÷ node -e 0', value: median(asking) / median(plain) },
    ],
  };
}

function timed(env: NodeJS.ProcessEnv, cwd: string, args: readonly string[]): number {
  const began = performance.now();
  execFileSync(process.execPath, args, { cwd, env, stdio: 'ignore' });
  return performance.now() - began;
}

/** Counts with a `git` on PATH that notes each start; the vault is made before. */
function startedBy(stage: Stage, cwd: string, args: readonly string[]): number {
  const folder = join(stage.folder, 'counting');
  const log = join(folder, 'log');
  mkdirSync(folder);
  timed(stage.env, cwd, args);
  const path = stage.env['PATH'] ?? '';
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho git >>'${log}'\nPATH='${path}' exec git "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  writeFileSync(log, '');
  timed({ ...stage.env, PATH: `${folder}${delimiter}${path}` }, cwd, args);
  const started = readFileSync(log, 'utf8').split('\n').length - 1;
  rmSync(folder, { recursive: true });
  return started;
}
