import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inTurns, median } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import { openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

const SOURCE = join(import.meta.dirname, '../../../bin/andon.mjs');

/** How long a short command takes to start, against Node.js itself. */
export async function start(stage: Stage, { pairs }: Options): Promise<Measured> {
  const repo = (await openSource(stage, 'small')).copy('repo');
  const cases = [
    { key: 'start.node', label: 'node -e 0', args: ['-e', '0'] },
    { key: 'start.version', label: 'andon --version', args: [stage.andon, '--version'] },
    { key: 'start.help', label: 'andon --help', args: [stage.andon, '--help'] },
    { key: 'start.status', label: 'andon status', args: [stage.andon, 'status'] },
    { key: 'start.source', label: 'andon --version, from the source in a clone', args: [SOURCE, '--version'] },
  ];
  const values = await inTurns(
    pairs,
    cases.map(
      ({ args }) =>
        () =>
          timed(stage, repo, args),
    ),
  );
  const plain = median(values[0] ?? []);
  return {
    name: 'start',
    notes: ['The installed command: bundled, with the compile cache filled by the first round, which does not count.'],
    sides: cases.map(({ label }, at) => ({ label, unit: 'ms', values: values[at] ?? [] })),
    figures: cases.slice(1).map(({ key, label }, at) => ({
      key,
      label: `${label} ÷ node -e 0`,
      value: median(values[at + 1] ?? []) / plain,
    })),
  };
}

function timed(stage: Stage, cwd: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd, env: stage.env, stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(performance.now() - began) : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    );
  });
}
